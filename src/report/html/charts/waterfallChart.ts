import { formatFixed } from "../page/format.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { axisStyle, type ChartSpec, horizontalPlotArea, horizontalValueAxis } from "./chart.ts";

/** One step of a waterfall: what is added to the sum so far, or the sum itself. */
export interface WaterfallStep {
  readonly label: string;
  readonly amount: number;
  readonly isSum?: boolean;
}

/** Bars that lead from the first amount to the sum, from top to bottom; green adds, red takes away. */
export function waterfallChart(
  steps: readonly WaterfallStep[],
  {
    id,
    title,
    unit,
    caption,
  }: { readonly id: string; readonly title: string; readonly unit: string; readonly caption: string },
): ChartSpec {
  const bars = barsOf(steps);
  return {
    id,
    title,
    caption,
    altText: `${title}: ${steps.map(({ label, amount }) => `${label} ${formatFixed(amount, 0)} ${unit}`).join(", ")}.`,
    legend: [],
    heightPx: 66 + 30 * steps.length,
    buildOption: (size) => ({
      grid: { ...horizontalPlotArea, right: size.isNarrow ? 90 : 120 },
      xAxis: { ...horizontalValueAxis(`${title} (${unit})`), splitNumber: size.isNarrow ? 2 : 5 },
      yAxis: {
        ...axisStyle,
        type: "category",
        inverse: true,
        axisTick: { show: false },
        axisLabel: { ...axisStyle.axisLabel, interval: 0 },
        data: steps.map(({ label }) => label),
      },
      series: [
        {
          type: "custom",
          silent: true,
          data: bars.map(({ fromAmount, toAmount }, k) => [fromAmount, toAmount, k]),
          encode: { x: [0, 1], y: 2 },
          renderItem: (_params, api) => {
            const k = Number(api.value(2));
            const { fromAmount, toAmount, colour, text } = bars[k];
            const [x1, y] = api.coord([Math.min(fromAmount, toAmount), k]);
            const [x2] = api.coord([Math.max(fromAmount, toAmount), k]);
            return {
              type: "group",
              children: [
                {
                  type: "rect",
                  shape: { x: x1, y: y - 9, width: Math.max(1, x2 - x1), height: 18 },
                  style: { fill: colourPlaceholder(colour) },
                },
                {
                  type: "text",
                  style: {
                    x: x2 + 6,
                    y,
                    text,
                    fill: colourPlaceholder("ink"),
                    fontSize: 12,
                    textVerticalAlign: "middle",
                  },
                },
              ],
            };
          },
        },
      ],
    }),
  };
}

function barsOf(steps: readonly WaterfallStep[]) {
  let sum = 0;
  return steps.map(({ amount, isSum }) => {
    const fromAmount = isSum === true ? 0 : sum;
    const toAmount = isSum === true ? amount : sum + amount;
    if (isSum !== true) sum = toAmount;
    const colour = isSum === true ? ("neutral" as const) : amount < 0 ? ("s2" as const) : ("s3" as const);
    return { fromAmount, toAmount, colour, text: formatFixed(amount, 0) };
  });
}
