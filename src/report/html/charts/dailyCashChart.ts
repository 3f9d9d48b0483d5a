import { formatFixed } from "../page/format.ts";
import { type BarRow, barAxis, barChartSpec } from "./barChart.ts";
import { cashCalendar, type DayCash } from "./cashCalendar.ts";
import type { ChartSpec } from "./chart.ts";

const BARS_MAX = 35;

/** Cash by day: a bar for each of up to five weeks of days, a calendar of cells for longer runs. */
export function dailyCashChart(days: readonly DayCash[], unit: string): ChartSpec {
  const least = days.reduce((a, b) => (b.amount < a.amount ? b : a));
  const most = days.reduce((a, b) => (a.amount < b.amount ? b : a));
  const range = `${formatFixed(least.amount, 0)} ${unit} on ${least.day} to ${formatFixed(most.amount, 0)} ${unit} on ${most.day}`;
  const title = "Cash by day";
  const altText = `Cash by day, from ${range}.`;
  const caption = `Payments less charges of each day, without what is charged by the month: ${range}.`;
  if (days.length > BARS_MAX)
    return cashCalendar(days, { title, unit, caption: `${caption} A row is a month, a cell a day.`, altText });
  const rows = dayRows(days);
  return barChartSpec({
    id: "daily-cash",
    title,
    caption,
    altText,
    legend: [
      { label: "Received", colour: "s1" },
      { label: "Paid", colour: "s2" },
    ],
    axis: barAxis(unit, rows),
    rows,
  });
}

const colourOf = (amount: number): "s1" | "s2" => (amount < 0 ? "s2" : "s1");

const dayRows = (days: readonly DayCash[]): BarRow[] =>
  days.map(({ day, amount }) => {
    const text = formatFixed(amount, 0);
    const bar = { from: 0, to: amount, colour: colourOf(amount), label: day, valueText: text };
    return { name: day, tracks: [{ bars: amount === 0 ? [] : [bar], text }] };
  });
