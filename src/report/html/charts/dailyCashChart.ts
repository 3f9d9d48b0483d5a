import { formatFixed } from "../page/format.ts";
import { type BarRow, barAxis, barChartSpec } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";

/** Cash of one day. */
interface DayCash {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly amount: number;
}

const BARS_MAX = 35;

/** Cash by day: a bar for each of up to five weeks of days, a calendar of cells for longer runs. */
export function dailyCashChart(days: readonly DayCash[], unit: string): ChartSpec {
  const least = days.reduce((a, b) => (b.amount < a.amount ? b : a));
  const most = days.reduce((a, b) => (a.amount < b.amount ? b : a));
  const range = `${formatFixed(least.amount, 0)} ${unit} on ${least.day} to ${formatFixed(most.amount, 0)} ${unit} on ${most.day}`;
  const isCalendar = days.length > BARS_MAX;
  const rows = isCalendar ? calendarRows(days, unit) : dayRows(days);
  const cells = " A cell is a day; pale: less than half of the largest amount.";
  return barChartSpec({
    id: "daily-cash",
    title: "Cash by day",
    caption: `Payments less charges of each day, without what is charged by the month: ${range}.${isCalendar ? cells : ""}`,
    altText: `Cash by day, from ${range}.`,
    legend: [
      { label: "Received", colour: "s3" },
      { label: "Paid", colour: "s2" },
    ],
    axis: barAxis(isCalendar ? "Day of the month" : unit, rows),
    rows,
  });
}

const colourOf = (amount: number): "s2" | "s3" => (amount < 0 ? "s2" : "s3");

const dayRows = (days: readonly DayCash[]): BarRow[] =>
  days.map(({ day, amount }) => {
    const text = formatFixed(amount, 0);
    const bar = { from: 0, to: amount, colour: colourOf(amount), label: day, valueText: text };
    return { name: day, tracks: [{ bars: amount === 0 ? [] : [bar], text }] };
  });

/** A row per month, a cell per day. */
function calendarRows(days: readonly DayCash[], unit: string): BarRow[] {
  const largest = Math.max(...days.map(({ amount }) => Math.abs(amount)));
  const months = [...new Set(days.map(({ day }) => day.slice(0, 7)))];
  return months.map((month) => ({
    name: month,
    tracks: [
      {
        bars: days
          .filter(({ day, amount }) => day.startsWith(month) && amount !== 0)
          .map(({ day, amount }) => ({
            from: Number(day.slice(8)) - 0.9,
            to: Number(day.slice(8)),
            colour: colourOf(amount),
            label: day,
            valueText: `${formatFixed(amount, 0)} ${unit}`,
            ...(Math.abs(amount) < largest / 2 ? { shape: "pale" as const } : {}),
          })),
      },
    ],
  }));
}
