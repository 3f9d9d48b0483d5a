import { type ColourName, ink } from "../page/palette.ts";
import { axisLook, lyingPlotArea, type Picture, valueAxis } from "./chart.ts";

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly words: string;
}

interface Frame {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly colour: ColourName;
  readonly caption: string;
}

/** Lying bars with their values; bars too short for three decimals are left out. */
export function barPicture(all: readonly Bar[], { id, title, unit, colour, caption }: Frame): Picture | null {
  const bars = all.filter(({ value }) => 0.0005 <= value);
  if (bars.length === 0) return null;
  return {
    id,
    title,
    caption,
    alt: `${title}: ${bars.map(({ label, words }) => `${label} ${words}`).join(", ")}.`,
    legend: [],
    height: 44 + 34 * bars.length,
    option: (size) => ({
      grid: { ...lyingPlotArea, right: size.narrow ? 112 : 150 },
      xAxis: { ...valueAxis(unit), splitNumber: size.narrow ? 2 : 5 },
      yAxis: {
        ...axisLook,
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
          itemStyle: { color: ink(colour), borderRadius: [0, 3, 3, 0] },
          label: {
            show: true,
            position: "right",
            color: ink("ink"),
            fontSize: 12,
            formatter: ({ dataIndex }) => bars[dataIndex].words,
          },
          data: bars.map(({ value }) => value),
        },
      ],
    }),
  };
}
