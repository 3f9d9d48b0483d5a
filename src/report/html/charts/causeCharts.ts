import type { AwardRow } from "../../../accounting/runRecord.ts";
import { sumOf } from "../../../base/sums.ts";
import { formatKw, formatKwh, formatPct, PRINTED_MIN } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { causeColour } from "../page/palette.ts";
import { CAUSE_TEXT } from "../sections/causeText.ts";
import type { CauseTotal } from "../sections/causeTotals.ts";
import { valueBars } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";

const AWARDS_MAX = 12;

export function shortfallByCauseChart(totals: readonly CauseTotal[]): ChartSpec | null {
  const sumKwh = sumOf(totals, ({ shortfallKwh }) => shortfallKwh);
  return valueBars(
    totals.map(({ cause, shortfallKwh }) => ({
      name: CAUSE_TEXT[cause].label,
      colour: causeColour(cause),
      value: shortfallKwh,
      text: `${formatKwh(shortfallKwh)} (${formatPct((100 * shortfallKwh) / sumKwh)})`,
    })),
    {
      id: "shortfall-bars",
      title: "Shortfall by cause",
      axisTitle: "Shortfall (kWh)",
      caption: "Requested energy in kWh that was not delivered, by cause. The causes add up to the shortfall.",
    },
  );
}

/** Largest uncovered power of each award, re-dispatches included: the first bar is the key figure. */
export function uncoveredByAwardChart(awards: readonly AwardRow[], clock: LocalClock): ChartSpec | null {
  const uncovered = awards
    .filter(({ isFcr }) => !isFcr)
    .map((award, k) => ({ award, k, kw: Math.abs(award.uncoveredKwPeak ?? 0) }))
    .filter(({ kw }) => PRINTED_MIN <= kw)
    .sort((a, b) => b.kw - a.kw || (a.award.uncoveredPeakMs ?? 0) - (b.award.uncoveredPeakMs ?? 0) || a.k - b.k);
  const shown = uncovered.slice(0, AWARDS_MAX);
  const which = shown.length < uncovered.length ? ` The ${shown.length} largest of ${uncovered.length} awards.` : "";
  return valueBars(
    shown.map(({ award: { awardId, uncoveredPeakMs }, kw }) => ({
      name: awardId,
      ...(uncoveredPeakMs === null ? {} : { detail: `from ${clock.formatShort(uncoveredPeakMs)}` }),
      colour: "neutral",
      value: kw,
      text: formatKw(kw),
    })),
    {
      id: "uncovered-bars",
      title: "Largest uncovered power by award",
      axisTitle: "Largest uncovered power (kW)",
      caption: `Largest part of each request in kW that was allocated to no site at an instant, re-dispatches included, and when it first was.${which} FCR capacity is apart.`,
    },
  );
}
