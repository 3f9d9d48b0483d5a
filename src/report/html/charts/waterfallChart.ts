import { formatFixed } from "../page/format.ts";
import { type BarRow, barAxis, barChartSpec } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";

/** One step of a waterfall: what is added to the sum so far, or the sum itself. */
interface WaterfallStep {
  readonly label: string;
  readonly amount: number;
  readonly isSum?: boolean;
}

interface WaterfallOptions {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly caption: string;
}

/** Bars that lead from 0 to the sum, from top to bottom; one colour adds, another one takes away. */
export function waterfallChart(
  steps: readonly WaterfallStep[],
  { id, title, unit, caption }: WaterfallOptions,
): ChartSpec {
  const rows = rowsOf(steps);
  return barChartSpec({
    id,
    title,
    caption,
    altText: `${title}: ${steps.map(({ label, amount }) => `${label} ${formatFixed(amount, 0)} ${unit}`).join(", ")}.`,
    legend: [
      { label: "Received", colour: "s1" },
      { label: "Paid", colour: "s2" },
      { label: "Sum", colour: "neutral" },
    ],
    axis: barAxis(unit, rows),
    rows,
  });
}

function rowsOf(steps: readonly WaterfallStep[]): BarRow[] {
  let sum = 0;
  return steps.map(({ label, amount, isSum }) => {
    const ends = isSum === true ? [0, amount] : [sum, sum + amount];
    if (isSum !== true) sum += amount;
    // The text is beside the end of the bar that is farther from 0.
    const [from, to] = ends.sort((a, b) => Math.abs(a) - Math.abs(b));
    const colour = isSum === true ? "neutral" : amount < 0 ? "s2" : "s1";
    const text = formatFixed(amount, 0);
    return { name: label, tracks: [{ bars: [{ from, to, colour, label, valueText: text }], text }] };
  });
}
