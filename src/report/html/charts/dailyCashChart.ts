import { formatFixed } from "../page/format.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { axisStyle, type ChartSpec, plotArea, valueAxis } from "./chart.ts";

/** Cash of one day. */
export interface DayCash {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly amount: number;
}

const BARS_MAX = 62;
const DAYS = Array.from({ length: 31 }, (_, k) => String(k + 1));

/** Cash by day: bars for up to two months, a calendar of cells for longer runs. */
export function dailyCashChart(days: readonly DayCash[], unit: string): ChartSpec {
  const least = days.reduce((a, b) => (b.amount < a.amount ? b : a));
  const most = days.reduce((a, b) => (a.amount < b.amount ? b : a));
  const range = `${formatFixed(least.amount, 0)} ${unit} on ${least.day} to ${formatFixed(most.amount, 0)} ${unit} on ${most.day}`;
  const common = {
    id: "daily-cash",
    title: "Cash by day",
    caption: `Payments less charges of each day, without what is charged by the month: ${range}.`,
    altText: `Cash by day, from ${range}.`,
    legend: [],
  };
  return days.length <= BARS_MAX ? { ...common, ...bars(days, unit) } : { ...common, ...calendar(days) };
}

const bars = (days: readonly DayCash[], unit: string): Pick<ChartSpec, "heightPx" | "buildOption"> => ({
  heightPx: 260,
  buildOption: () => ({
    grid: { ...plotArea, bottom: 30 },
    xAxis: {
      ...axisStyle,
      type: "category",
      name: "Day",
      nameLocation: "middle",
      nameGap: 28,
      data: days.map(({ day }) => day.slice(5)),
    },
    yAxis: valueAxis(unit),
    series: [
      {
        type: "bar",
        silent: true,
        barMaxWidth: 26,
        data: days.map(({ amount }) => ({
          value: amount,
          itemStyle: { color: colourPlaceholder(amount < 0 ? "s2" : "s3") },
        })),
      },
    ],
  }),
});

/** A row per month, a column per day; the area of a square shows the amount. */
function calendar(days: readonly DayCash[]): Pick<ChartSpec, "heightPx" | "buildOption"> {
  const months = [...new Set(days.map(({ day }) => day.slice(0, 7)))];
  const largest = Math.max(...days.map(({ amount }) => Math.abs(amount)), 1e-9);
  return {
    heightPx: 70 + 26 * months.length,
    buildOption: (size) => ({
      grid: { ...plotArea, bottom: 30, top: 10 },
      xAxis: {
        ...axisStyle,
        type: "category",
        data: DAYS,
        name: "Day of the month",
        nameLocation: "middle",
        nameGap: 28,
        axisLabel: { ...axisStyle.axisLabel, interval: size.isNarrow ? 4 : 1 },
      },
      yAxis: {
        ...axisStyle,
        type: "category",
        inverse: true,
        data: months,
        axisLabel: { ...axisStyle.axisLabel, interval: 0 },
      },
      series: [
        {
          type: "scatter",
          silent: true,
          symbol: "rect",
          data: days.map(({ day, amount }) => ({
            value: [Number(day.slice(8)) - 1, months.indexOf(day.slice(0, 7))],
            symbolSize: 3 + (size.isNarrow ? 6 : 17) * Math.sqrt(Math.abs(amount) / largest),
            itemStyle: { color: colourPlaceholder(amount < 0 ? "s2" : "s3") },
          })),
        },
      ],
    }),
  };
}
