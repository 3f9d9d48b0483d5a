// Frequency response: requested and covered FCR capacity, and the activated energy.

import type { AwardRow, FcrFigures } from "../../../accounting/runRecord.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import { causesBySize } from "../../awardSentence.ts";
import { type ChartSpec, plotArea, renderFigure, valueAxis } from "../charts/chart.ts";
import { type CurvePoint, curvePoints, type TimeSpan, timeAxis } from "../charts/timeAxis.ts";
import { dataTable } from "../page/dataTable.ts";
import { formatCount, formatDuration, formatKw, formatKwh, numberCell } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { html, type Markup } from "../page/markup.ts";
import { colourPlaceholder } from "../page/palette.ts";
import { CAUSE_TEXT } from "./causeText.ts";

const ROWS_MAX = 200;
const EXCERPT_ROWS = 50;
const GROUPS_MAX = 700;

/** An award with frequency response, alone or as part of a compound. */
type FcrAward = AwardRow & { readonly fcr: FcrFigures };

export const filterFcrAwards = (awards: readonly AwardRow[]): readonly FcrAward[] =>
  awards.filter((award): award is FcrAward => award.fcr !== null);

/** @param awards at least one */
export function fcrBody(awards: readonly FcrAward[], clock: LocalClock, span: TimeSpan): Markup {
  return html`<div class="card"><p>${fcrSentence(awards)}</p></div>
${renderFigure(fcrCapacityChart(awards, clock, span))}
${fcrCapacityTable(awards, clock)}`;
}

function fcrSentence(awards: readonly FcrAward[]): string {
  const largest = (of: (fcr: FcrFigures) => number | null) =>
    awards.reduce((most, { fcr }) => Math.max(most, of(fcr) ?? 0), 0);
  const sum = (of: (fcr: FcrFigures) => number | null) => awards.reduce((total, { fcr }) => total + (of(fcr) ?? 0), 0);
  const uncoveredMaxKw = largest(({ uncoveredKw }) => uncoveredKw);
  const coverage =
    uncoveredMaxKw < 0.05
      ? "covered in full at each start"
      : `largest uncovered FCR capacity ${formatKw(uncoveredMaxKw)}`;
  const upKwh = sum(({ activatedUpKwh }) => activatedUpKwh);
  const downKwh = sum(({ activatedDownKwh }) => activatedDownKwh);
  return `${formatCount(awards.length, "award")} requested up to ${formatKw(largest(({ responseKw }) => responseKw))} of FCR capacity; ${coverage}. Upward activated energy was ${formatKwh(upKwh)} (more import than the baseline), downward ${formatKwh(downKwh)}.`;
}

/** FCR capacity of all active awards, summed: requested, and covered at the start of each award. */
function fcrCapacityChart(awards: readonly FcrAward[], clock: LocalClock, span: TimeSpan): ChartSpec {
  const coveredKw = ({ responseKw, uncoveredKw }: FcrFigures) => responseKw - (uncoveredKw ?? 0);
  const requested = fcrCapacitySteps(awards, span, ({ fcr, state, executedMinutes }) =>
    executedMinutes > 0 || state === "refused" ? fcr.responseKw : 0,
  );
  const covered = fcrCapacitySteps(awards, span, ({ fcr, executedMinutes }) =>
    executedMinutes > 0 ? coveredKw(fcr) : 0,
  );
  const requestedMaxKw = requested.reduce((largest, [, kw]) => Math.max(largest, kw ?? 0), 0);
  return {
    id: "fcr-widths",
    title: "Requested and covered FCR capacity",
    caption: `Symmetric FCR capacity in kW of all VPPs, ${clock.timezone}; covered as of the start of each award. Grey not overlaid by blue is uncovered.`,
    altText: `Requested and covered FCR capacity over time in kW. The largest request was ${formatKw(requestedMaxKw)}.`,
    legend: [
      { label: "Requested", colour: "neutral" },
      { label: "Covered", colour: "s1" },
    ],
    heightPx: 260,
    buildOption: (size) => ({
      grid: plotArea,
      xAxis: timeAxis(clock, span, size),
      yAxis: valueAxis("kW"),
      series: [
        { ...stepArea, data: requested, ...filledAreaStyle("neutral", 0.35) },
        { ...stepArea, data: covered, ...filledAreaStyle("s1", 0.45) },
      ],
    }),
  };
}

const stepArea = {
  type: "line" as const,
  step: "end" as const,
  showSymbol: false,
  silent: true,
  emphasis: { disabled: true },
};

const filledAreaStyle = (colour: "neutral" | "s1", opacity: number) => ({
  lineStyle: { color: colourPlaceholder(colour), width: 1.5 },
  areaStyle: { color: colourPlaceholder(colour), opacity },
});

function fcrCapacitySteps(
  awards: readonly FcrAward[],
  { startMs, endMs }: TimeSpan,
  kwOf: (award: FcrAward) => number,
): CurvePoint[] {
  const steps = new Map<EpochMs, number>([
    [startMs, 0],
    [endMs, 0],
  ]);
  const add = (atMs: EpochMs, kw: number) => {
    const clampedMs = Math.min(Math.max(atMs, startMs), endMs);
    steps.set(clampedMs, (steps.get(clampedMs) ?? 0) + kw);
  };
  for (const award of awards) {
    add(award.startMs, kwOf(award));
    add(executedUntilMs(award), -kwOf(award));
  }
  const sorted = [...steps].sort(([a], [b]) => a - b);
  let kw = 0;
  const values = Float64Array.from(sorted, ([, change]) => (kw += change));
  const times = Float64Array.from(sorted, ([atMs]) => atMs);
  // An award that ends with the run is drawn to the end of the axis.
  if (values.length > 1) values[values.length - 1] = values[values.length - 2];
  return curvePoints(times, values, GROUPS_MAX);
}

const executedUntilMs = ({ startMs, endMs, state, executedMinutes }: AwardRow): EpochMs =>
  state === "overwritten" || state === "deleted" ? startMs + executedMinutes * MS_PER_MINUTE : endMs;

function fcrCapacityTable(awards: readonly FcrAward[], clock: LocalClock): Markup {
  const rows = awards.length <= ROWS_MAX ? awards : sortByUncovered(awards).slice(0, EXCERPT_ROWS);
  const caption =
    rows.length === awards.length
      ? `${formatCount(awards.length, "award")} with frequency response, times in ${clock.timezone}`
      : `The ${rows.length} of ${formatCount(awards.length, "award")} with frequency response that have the largest uncovered capacity; awards.csv has all`;
  const kwh = (title: string, of: (fcr: FcrFigures) => number | null) =>
    ({ title, unit: "kWh", align: "right", cell: ({ fcr }: FcrAward) => numberCell(of(fcr), 1) }) as const;
  return dataTable(caption, rows, [
    { title: "Award", cell: ({ awardId }) => html`<span class="id">${awardId}</span>` },
    { title: "VPP", cell: ({ vpp }) => html`<span class="nb">${vpp}</span>` },
    { title: "Product", cell: ({ sku }) => html`<span class="nb">${sku ?? "none"}</span>` },
    { title: "Start", cell: ({ startMs }) => clock.renderTime(startMs) },
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
  return main === undefined
    ? html`<span class="na">–</span>`
    : html`<span class="nb">${CAUSE_TEXT[main.cause].label}</span>`;
}

function sortByUncovered(awards: readonly FcrAward[]): readonly FcrAward[] {
  return awards
    .map((award, k) => ({ award, k, uncoveredKw: award.fcr.uncoveredKw ?? 0 }))
    .sort((a, b) => b.uncoveredKw - a.uncoveredKw || a.k - b.k)
    .map(({ award }) => award);
}
