import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { sumOf } from "../../../base/lists.ts";
import { formatFixed, formatKw, formatKwh, formatPct, PRINTED_MIN } from "../page/format.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";
import { causeColour } from "../page/palette.ts";
import type { CauseTotal } from "../sections/causeText.ts";
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
  const { t } = locale;
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
            return { value, colour: causeColour(cause), label: t(`cause.${cause}`), valueText: formatKwh(value) };
          }),
        ),
      ],
    }),
  );
  const largest = stacks.reduce((most, { byCauseKwh }) => Math.max(most, sumOf(byCauseKwh)), 0);
  const legend = causes.map((cause) => ({ label: t(`cause.${cause}`), colour: causeColour(cause) }));
  return barChartSpec({
    id: "cause-stacks",
    title: t(byAward ? "chart.shortfall_by_award" : "chart.shortfall_over_time"),
    caption: t(byAward ? "chart.shortfall_by_award_caption" : "chart.shortfall_over_time_caption", {
      zone: locale.timezone,
    }),
    altText: t(byAward ? "chart.shortfall_by_award_alt" : "chart.shortfall_over_time_alt", {
      causes: legend.map(({ label }) => label).join(t("list.separator")),
      kwh: formatFixed(largest, 1),
    }),
    legend,
    axis: barAxis(t("chart.shortfall_axis"), rows),
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

export function shortfallByCauseChart(totals: readonly CauseTotal[], t: Translate): ChartSpec | null {
  const sumKwh = sumOf(totals, ({ shortfallKwh }) => shortfallKwh);
  return valueBars(
    totals.map(({ cause, shortfallKwh }) => ({
      name: t(`cause.${cause}`),
      colour: causeColour(cause),
      value: shortfallKwh,
      text: `${formatKwh(shortfallKwh)} (${formatPct((100 * shortfallKwh) / sumKwh)})`,
    })),
    {
      id: "shortfall-bars",
      title: t("chart.shortfall_by_cause"),
      axisTitle: t("chart.shortfall_axis"),
      caption: t("chart.shortfall_by_cause_caption"),
    },
    t,
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
  const { t } = locale;
  const isExcerpt = shown.length < uncovered.length;
  return valueBars(
    shown.map(({ award: { awardId, uncoveredPeakMs }, kw }) => ({
      name: awardId,
      ...(uncoveredPeakMs === null
        ? {}
        : { detail: t("chart.uncovered_from", { at: locale.formatShort(uncoveredPeakMs) }) }),
      colour: "neutral",
      value: kw,
      text: formatKw(kw),
    })),
    {
      id: "uncovered-bars",
      title: t("chart.uncovered_by_award"),
      axisTitle: t("chart.uncovered_axis"),
      caption: t(isExcerpt ? "chart.uncovered_caption_excerpt" : "chart.uncovered_caption", {
        shown: shown.length,
        count: uncovered.length,
      }),
    },
    t,
  );
}
