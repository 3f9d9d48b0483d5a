import { type ColourName, colourPlaceholder } from "../page/palette.ts";
import { axisStyle, type ChartSpec, horizontalPlotArea, horizontalValueAxis } from "./chart.ts";

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly valueText: string;
  /** Default: the colour of the chart. */
  readonly colour?: ColourName;
}

interface BarChartOptions {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly colour: ColourName;
  readonly caption: string;
}

/** Horizontal bars with their values; values that are 0 at three decimals are omitted. */
export function barChart(all: readonly Bar[], { id, title, unit, colour, caption }: BarChartOptions): ChartSpec | null {
  const bars = all.filter(({ value }) => 0.0005 <= value);
  if (bars.length === 0) return null;
  return {
    id,
    title,
    caption,
    altText: `${title}: ${bars.map(({ label, valueText }) => `${label} ${valueText}`).join(", ")}.`,
    legend: [],
    heightPx: 66 + 34 * bars.length,
    buildOption: (size) => ({
      grid: { ...horizontalPlotArea, right: size.isNarrow ? 112 : 150 },
      xAxis: { ...horizontalValueAxis(`${title} (${unit})`), splitNumber: size.isNarrow ? 2 : 5 },
      yAxis: {
        ...axisStyle,
        type: "category",
        inverse: true,
        axisTick: { show: false },
        data: bars.map(({ label }) => label),
      },
      series: [
        {
          type: "bar",
          silent: true,
          barWidth: 18,
          itemStyle: { borderRadius: [0, 3, 3, 0] },
          label: {
            show: true,
            position: "right",
            color: colourPlaceholder("ink"),
            fontSize: 12,
            formatter: ({ dataIndex }) => bars[dataIndex].valueText,
          },
          data: bars.map((bar) => ({
            value: bar.value,
            itemStyle: { color: colourPlaceholder(bar.colour ?? colour) },
          })),
        },
      ],
    }),
  };
}
