import { formatFixed } from "../page/format.ts";
import type { Translate } from "../page/pageLocale.ts";
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
  t: Translate,
): ChartSpec {
  const rows = rowsOf(steps);
  return barChartSpec({
    id,
    title,
    caption,
    altText: t("chart.bars_alt", {
      title,
      bars: steps.map(({ label, amount }) => `${label} ${formatFixed(amount, 0)} ${unit}`).join(t("list.separator")),
    }),
    legend: [
      { label: t("chart.received"), colour: "s1" },
      { label: t("chart.paid"), colour: "s2" },
      { label: t("chart.sum"), colour: "neutral" },
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
