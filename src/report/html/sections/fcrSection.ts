// Frequency response: requested and covered FCR capacity, and the activated energy.

import { type Polyline, PolylineSum } from "../../../accounting/recorders/polyline.ts";
import type { AwardRow, FcrFigures } from "../../../accounting/settlement/awardRows.ts";
import { sumOf } from "../../../base/lists.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import { causesBySize } from "../../awardSentence.ts";
import { type ChartSpec, renderFigure } from "../charts/chart.ts";
import type { TimeSpan } from "../charts/interactiveChart.ts";
import { timeChartSpec } from "../charts/timeChart.ts";
import { dataTable } from "../page/dataTable.ts";
import {
  formatCount,
  formatDuration,
  formatFixed,
  formatKw,
  formatKwh,
  numberCell,
  PRINTED_MIN,
} from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { causeLabel } from "./causeText.ts";

const ROWS_MAX = 200;
const EXCERPT_ROWS = 50;
const POINTS_MAX = 6000;

/** An award with frequency response, alone or as part of a compound. */
type FcrAward = AwardRow & { readonly fcr: FcrFigures };

export const filterFcrAwards = (awards: readonly AwardRow[]): readonly FcrAward[] =>
  awards.filter((award): award is FcrAward => award.fcr !== null);

/** @param awards at least one */
export function fcrBody(awards: readonly FcrAward[], locale: PageLocale, span: TimeSpan): Markup {
  return html`<div class="card"><p>${fcrSentence(awards)}</p></div>
${renderFigure(fcrCapacityChart(awards, locale, span))}
${fcrCapacityTable(awards, locale)}`;
}

function fcrSentence(awards: readonly FcrAward[]): string {
  const largest = (of: (fcr: FcrFigures) => number | null) =>
    awards.reduce((most, { fcr }) => Math.max(most, of(fcr) ?? 0), 0);
  const sum = (of: (fcr: FcrFigures) => number | null) => sumOf(awards, ({ fcr }) => of(fcr) ?? 0);
  const uncoveredMaxKw = largest(({ uncoveredKw }) => uncoveredKw);
  const coverage =
    uncoveredMaxKw < PRINTED_MIN
      ? "covered in full at each start"
      : `largest uncovered FCR capacity ${formatKw(uncoveredMaxKw)}`;
  const upKwh = sum(({ activatedUpKwh }) => activatedUpKwh);
  const downKwh = sum(({ activatedDownKwh }) => activatedDownKwh);
  return `${formatCount(awards.length, "award")} requested up to ${formatKw(largest(({ responseKw }) => responseKw))} of FCR capacity; ${coverage}. Upward activated energy was ${formatKwh(upKwh)} (more import than the baseline), downward ${formatKwh(downKwh)}.`;
}

/** FCR capacity of all active awards, summed: requested, and covered at the start of each award. */
function fcrCapacityChart(awards: readonly FcrAward[], locale: PageLocale, span: TimeSpan): ChartSpec {
  const coveredKw = ({ responseKw, uncoveredKw }: FcrFigures) => responseKw - (uncoveredKw ?? 0);
  const requested = fcrCapacityCurve(awards, span, ({ fcr, state, executedMinutes }) =>
    executedMinutes > 0 || state === "refused" ? fcr.responseKw : 0,
  );
  const covered = fcrCapacityCurve(awards, span, ({ fcr, executedMinutes }) =>
    executedMinutes > 0 ? coveredKw(fcr) : 0,
  );
  const requestedMaxKw = requested.values.reduce((largest, kw) => Math.max(largest, kw), 0);
  return timeChartSpec({
    id: "fcr-capacity",
    title: "Requested and covered FCR capacity",
    caption: `Symmetric FCR capacity in kW of all VPPs, ${locale.timezone}; covered as of the start of each award. Grey not overlaid by blue is uncovered.`,
    altText: `Requested and covered FCR capacity over time in kW. The largest request was ${formatKw(requestedMaxKw)}.`,
    locale,
    span,
    axisTitle: "FCR capacity (kW)",
    curves: [
      { label: "Requested", colour: "neutral", unit: "kW", curve: requested, isFilled: true },
      { label: "Covered", colour: "s1", unit: "kW", curve: covered, isFilled: true },
    ],
    rows: [],
    shades: [],
  });
}

function fcrCapacityCurve(
  awards: readonly FcrAward[],
  { startMs, endMs }: TimeSpan,
  kwOf: (award: FcrAward) => number,
): Polyline {
  const sum = new PolylineSum(startMs, POINTS_MAX);
  for (const award of awards) {
    const kw = kwOf(award);
    sum.add(Math.max(award.startMs, startMs), Math.min(executedUntilMs(award), endMs), kw, kw);
  }
  return sum.finish({ startMs, endMs });
}

const executedUntilMs = ({ startMs, endMs, state, executedMinutes }: AwardRow): EpochMs =>
  state === "overwritten" || state === "deleted" ? startMs + executedMinutes * MS_PER_MINUTE : endMs;

function fcrCapacityTable(awards: readonly FcrAward[], locale: PageLocale): Markup {
  const uncovered = awards.filter(({ fcr }) => PRINTED_MIN <= (fcr.uncoveredKw ?? 0));
  const rows = awards.length <= ROWS_MAX ? awards : sortByUncovered(uncovered).slice(0, EXCERPT_ROWS);
  const caption =
    rows.length === awards.length
      ? `${formatCount(awards.length, "award")} with frequency response, times in ${locale.timezone}`
      : `The ${rows.length} of ${formatCount(awards.length, "award")} with frequency response that have the largest uncovered capacity; ${formatFixed(awards.length - uncovered.length, 0)} were covered in full. awards.csv has all`;
  const kwh = (title: string, of: (fcr: FcrFigures) => number | null) =>
    ({ title, unit: "kWh", align: "right", cell: ({ fcr }: FcrAward) => numberCell(of(fcr), 1) }) as const;
  return dataTable(caption, rows, [
    { title: "Award", cell: ({ awardId }) => html`<span class="id">${awardId}</span>` },
    { title: "VPP", cell: ({ vpp }) => html`<span class="nb">${vpp}</span>` },
    { title: "Product", cell: ({ sku }) => html`<span class="nb">${sku ?? "none"}</span>` },
    { title: "Start", cell: ({ startMs }) => locale.renderTime(startMs) },
    { title: "Duration", cell: ({ startMs, endMs }) => formatDuration(endMs - startMs) },
    { title: "FCR capacity", unit: "kW", align: "right", cell: ({ fcr }) => numberCell(fcr.responseKw, 1) },
    { title: "Uncovered", unit: "kW at start", align: "right", cell: ({ fcr }) => numberCell(fcr.uncoveredKw, 1) },
    { title: "Main cause", cell: mainCause },
    kwh("Upward energy", ({ activatedUpKwh }) => activatedUpKwh),
    kwh("Downward energy", ({ activatedDownKwh }) => activatedDownKwh),
    { title: "Mean response", unit: "kW", align: "right", cell: ({ fcr }) => numberCell(fcr.meanResponseKw, 1) },
    {
      title: "At an SOC limit",
      unit: "min, all sites",
      align: "right",
      cell: ({ fcr }) => numberCell(fcr.minutesAtBound, 1),
    },
  ]);
}

function mainCause({ fcr }: FcrAward): Markup {
  const [main] = causesBySize(fcr.uncoveredByCauseKw);
  return main === undefined ? html`<span class="na">–</span>` : causeLabel(main.cause);
}

function sortByUncovered(awards: readonly FcrAward[]): readonly FcrAward[] {
  return awards
    .map((award, k) => ({ award, k, uncoveredKw: award.fcr.uncoveredKw ?? 0 }))
    .sort((a, b) => b.uncoveredKw - a.uncoveredKw || a.k - b.k)
    .map(({ award }) => award);
}
