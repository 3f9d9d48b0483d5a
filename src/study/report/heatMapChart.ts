import type { CustomSeriesOption } from "echarts";
import { axisStyle, type ChartSpec, plotArea } from "../../report/html/charts/chart.ts";
import { formatFixed } from "../../report/html/page/format.ts";
import { colourPlaceholder } from "../../report/html/page/palette.ts";
import { parameterLevels } from "../search/candidateDesign.ts";
import type { StudyParameter } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";
import { objectiveDecimals, objectiveLabel, parameterText } from "./studyText.ts";

/** A chart with more cells is illegible. */
const LEVELS_MAX = 30;

interface Cell {
  readonly x: number;
  readonly y: number;
  /** Mean over the values of the other parameters. */
  readonly value: number;
}

/** The objective over the first two parameters of a grid; `null` for other methods. */
export function heatMapChart(result: StudyResult): ChartSpec | null {
  const { study } = result;
  if (study.method !== "grid" || study.parameters.length < 2) return null;
  const [first, second] = study.parameters;
  const [xs, ys] = [parameterLevels(first.domain), parameterLevels(second.domain)];
  if (LEVELS_MAX < xs.length || LEVELS_MAX < ys.length) return null;
  const cells = cellsOf(result, first, second);
  if (cells.length === 0) return null;
  const low = Math.min(...cells.map(({ value }) => value));
  const high = Math.max(...cells.map(({ value }) => value));
  const shade = (value: number) => (high > low ? 0.06 + (0.8 * (value - low)) / (high - low) : 0.3);
  const decimals = objectiveDecimals(study);
  const others = study.parameters.length > 2 ? " Each cell is the mean over the other parameters." : "";
  return {
    id: "heat",
    title: `${first.name} and ${second.name}`,
    caption: `${objectiveLabel(study)}, mean over the seeds; ${first.name} on the horizontal axis, ${second.name} on the vertical axis; darker is higher. Empty cells: refused.${others}`,
    altText: `From ${formatFixed(low, decimals)} to ${formatFixed(high, decimals)} over ${xs.length} values of ${first.name} and ${ys.length} of ${second.name}.`,
    legend: [],
    heightPx: 70 + Math.max(5, ys.length) * 30,
    buildOption: ({ isNarrow }) => ({
      grid: plotArea,
      xAxis: { ...axisStyle, type: "category", name: "", data: xs.map(parameterText), splitLine: { show: false } },
      yAxis: {
        ...axisStyle,
        type: "category",
        name: second.name,
        data: ys.map(parameterText),
        splitLine: { show: false },
      },
      series: [
        {
          type: "custom",
          silent: true,
          data: cells.map(({ x, y, value }) => [x, y, value]),
          renderItem: renderCell({ shade, decimals, hasText: !isNarrow && xs.length <= 12 }),
        },
      ],
    }),
  };
}

interface CellStyle {
  readonly shade: (value: number) => number;
  readonly decimals: number;
  readonly hasText: boolean;
}

/** Draws a cell as a shaded rectangle, with its value where there is space. */
const renderCell =
  ({ shade, decimals, hasText }: CellStyle): CustomSeriesOption["renderItem"] =>
  (_, api) => {
    const [x, y] = [Number(api.value(0)), Number(api.value(1))];
    const [centreX, centreY] = api.coord([x, y]);
    const [right, upper] = api.coord([x + 1, y + 1]);
    const [width, height] = [Math.abs(right - centreX), Math.abs(upper - centreY)];
    const value = Number(api.value(2));
    return {
      type: "group",
      children: [
        {
          type: "rect",
          shape: {
            x: centreX - width / 2 + 1,
            y: centreY - height / 2 + 1,
            width: width - 2,
            height: height - 2,
          },
          style: { fill: colourPlaceholder("s1"), opacity: shade(value) },
        },
        ...(!hasText
          ? []
          : [
              {
                type: "text" as const,
                style: {
                  text: formatFixed(value, decimals),
                  x: centreX,
                  y: centreY,
                  align: "center" as const,
                  verticalAlign: "middle" as const,
                  fill: colourPlaceholder("ink"),
                  fontSize: 12,
                },
              },
            ]),
      ],
    };
  };

function cellsOf({ candidates }: StudyResult, first: StudyParameter, second: StudyParameter): Cell[] {
  const [xs, ys] = [parameterLevels(first.domain), parameterLevels(second.domain)];
  const sums = new Map<number, { sum: number; count: number }>();
  for (const { patch, objective } of candidates) {
    if (objective === null) continue;
    const key = xs.indexOf(patch[first.path]) * ys.length + ys.indexOf(patch[second.path]);
    const cell = sums.get(key) ?? { sum: 0, count: 0 };
    sums.set(key, { sum: cell.sum + objective.mean, count: cell.count + 1 });
  }
  return [...sums].map(([key, { sum, count }]) => ({
    x: Math.floor(key / ys.length),
    y: key % ys.length,
    value: sum / count,
  }));
}
