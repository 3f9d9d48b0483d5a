import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { sumOf } from "../../../base/lists.ts";
import { formatFixed, formatKw, formatKwh, formatPct, PRINTED_MIN } from "../page/format.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { causeColour } from "../page/palette.ts";
import { CAUSE_TEXT, type CauseTotal } from "../sections/causeText.ts";
import { type BarRow, barAxis, barChartSpec, stackedTrack, valueBars } from "./barChart.ts";
import type { ChartSpec } from "./chart.ts";
import type { TimeSpan } from "./interactiveChart.ts";

const STACKED_AWARDS_MAX = 16;

interface Stack {
  readonly label: string;
  readonly byCauseKwh: Float64Array;
}

/** Shortfall by cause: a bar per award if few awards had one, otherwise a bar per interval between two ticks. */
export function causeStackChart(
  awards: readonly AwardRow[],
  totals: readonly CauseTotal[],
  { locale, span }: { locale: PageLocale; span: TimeSpan },
): ChartSpec | null {
  const withShortfall = awards.filter(({ shortfallKwh }) => PRINTED_MIN <= (shortfallKwh ?? 0));
  if (withShortfall.length < 2) return null;
  const byAward = withShortfall.length <= STACKED_AWARDS_MAX;
  const stacks = byAward
    ? withShortfall.map((award) => ({ label: award.awardId, byCauseKwh: award.shortfallByCauseKwh }))
    : stacksOverTime(withShortfall, locale, span);
  const causes = totals.filter(({ shortfallKwh }) => PRINTED_MIN <= shortfallKwh).map(({ cause }) => cause);
  const rows = stacks.map(
    ({ label, byCauseKwh }): BarRow => ({
      name: label,
      detail: formatKwh(sumOf(byCauseKwh)),
      tracks: [
        stackedTrack(
          causes.map((cause) => {
            const value = byCauseKwh[CAUSES.indexOf(cause)];
            const { label: causeLabel } = CAUSE_TEXT[cause];
            return { value, colour: causeColour(cause), label: causeLabel, valueText: formatKwh(value) };
          }),
        ),
      ],
    }),
  );
  const largest = stacks.reduce((most, { byCauseKwh }) => Math.max(most, sumOf(byCauseKwh)), 0);
  const legend = causes.map((cause) => ({ label: CAUSE_TEXT[cause].label, colour: causeColour(cause) }));
  return barChartSpec({
    id: "cause-stacks",
    title: byAward ? "Shortfall by award" : "Shortfall over time",
    caption: byAward
      ? "Shortfall in kWh by cause, one bar per award with a shortfall, in order of start."
      : `Shortfall in kWh by cause of the awards that start in each period, by its begin (${locale.timezone}).`,
    altText: `Shortfall in kWh ${byAward ? "of each award" : "over time"}, split into ${legend.map(({ label }) => label).join(", ")}. The largest bar is ${formatFixed(largest, 1)} kWh.`,
    legend,
    axis: barAxis("Shortfall (kWh)", rows),
    rows,
  });
}

/** One stack per interval between two ticks of the time axis; the first interval starts with the run. */
function stacksOverTime(awards: readonly AwardRow[], locale: PageLocale, span: TimeSpan): readonly Stack[] {
  const ticks = locale.ticksBetween(span.startMs, span.endMs).filter(({ atMs }) => atMs < span.endMs);
  const isSubDaily = ticks.some(({ label }) => label.includes(":"));
  const stacks = ticks.map(({ atMs, label }) => ({
    label: isSubDaily ? locale.formatShort(atMs) : label,
    byCauseKwh: new Float64Array(CAUSES.length),
  }));
  for (const { startMs, shortfallByCauseKwh } of awards) {
    const after = ticks.findIndex(({ atMs }) => startMs < atMs);
    const stack = stacks[Math.max(0, (after === -1 ? ticks.length : after) - 1)];
    for (let k = 0; k < CAUSES.length; k++) stack.byCauseKwh[k] += shortfallByCauseKwh[k];
  }
  return stacks;
}

const UNCOVERED_AWARDS_MAX = 12;

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
export function uncoveredByAwardChart(awards: readonly AwardRow[], locale: PageLocale): ChartSpec | null {
  const uncovered = awards
    .filter(({ isFcr }) => !isFcr)
    .map((award, k) => ({ award, k, kw: Math.abs(award.uncoveredKwPeak ?? 0) }))
    .filter(({ kw }) => PRINTED_MIN <= kw)
    .sort((a, b) => b.kw - a.kw || (a.award.uncoveredPeakMs ?? 0) - (b.award.uncoveredPeakMs ?? 0) || a.k - b.k);
  const shown = uncovered.slice(0, UNCOVERED_AWARDS_MAX);
  const which = shown.length < uncovered.length ? ` The ${shown.length} largest of ${uncovered.length} awards.` : "";
  return valueBars(
    shown.map(({ award: { awardId, uncoveredPeakMs }, kw }) => ({
      name: awardId,
      ...(uncoveredPeakMs === null ? {} : { detail: `from ${locale.formatShort(uncoveredPeakMs)}` }),
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
