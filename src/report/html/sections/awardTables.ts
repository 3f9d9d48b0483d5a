import type { AwardRow } from "../../../accounting/runRecord.ts";
import { MS_PER_MINUTE } from "../../../base/time.ts";
import { awardSentence, causesBySize } from "../../awardSentence.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import { formatCount, formatDuration, formatPct, numberCell } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { html, type Markup } from "../page/markup.ts";
import { CAUSE_TEXT } from "./causeText.ts";
import { type CauseTotal, hasShortfall, sortByShortfall } from "./causeTotals.ts";
import { REFUSAL_TEXT } from "./refusalText.ts";

const WORST_MAX = 10;
const ALL_MAX = 200;
const EXCERPT_ROWS = 50;

/** The awards that lacked most, each with its reason in a sentence. */
export function largestShortfalls(awards: readonly AwardRow[], clock: LocalClock): Markup {
  const worst = sortByShortfall(awards.filter(hasShortfall)).slice(0, WORST_MAX);
  if (worst.length === 0) return html`<p class="card">No award lacked anything.</p>`;
  return dataTable(`The ${formatCount(worst.length, "award")} that lacked most, worst first`, worst, [
    idColumn,
    { title: "What happened", cell: (award) => html`<div class="sentence">${awardSentence(award)}</div>` },
    { title: "Short", unit: "kWh", align: "right", cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1) },
    { title: "Uncovered", unit: "kW at start", align: "right", cell: ({ uncoveredKw }) => numberCell(uncoveredKw, 1) },
    { title: "Start", cell: ({ startMs }) => clock.renderTime(startMs) },
    vppColumn,
  ]);
}

export const selectListedAwards = (awards: readonly AwardRow[]): readonly AwardRow[] =>
  awards.length <= ALL_MAX ? awards : sortByShortfall(awards).slice(0, EXCERPT_ROWS);

/** Every award where they are few, else the worst. */
export function awardTable(awards: readonly AwardRow[], clock: LocalClock): Markup {
  const rows = selectListedAwards(awards);
  const caption =
    rows.length === awards.length
      ? `${awards.length === 1 ? "The one award or instruction" : `All ${formatCount(awards.length, "award")} and instructions`}, times in ${clock.timezone}`
      : `The ${rows.length} of ${formatCount(awards.length, "award")} that lacked most, times in ${clock.timezone}; all of them are in awards.csv`;
  const columns = awardColumns(clock, {
    manyVpps: awards.some(({ vpp }) => vpp !== awards[0].vpp),
    anyExcess: awards.some(({ excessKwh }) => 0.05 <= (excessKwh ?? 0)),
  });
  return dataTable(caption, rows, columns);
}

const idColumn: TableColumn<AwardRow> = {
  title: "Award",
  cell: ({ awardId }) => html`<span class="id">${awardId}</span>`,
};

/** Columns that would say the same in every row are left out. */
function awardColumns(
  clock: LocalClock,
  { manyVpps, anyExcess }: { manyVpps: boolean; anyExcess: boolean },
): readonly TableColumn<AwardRow>[] {
  return [
    idColumn,
    ...(manyVpps ? [vppColumn] : []),
    {
      title: "Product",
      cell: ({ sku, kind }) =>
        html`<span class="nb">${sku ?? "none"}</span>${kind === "instruction" && html` <small>(instruction)</small>`}`,
    },
    { title: "Start", cell: ({ startMs }) => clock.renderTime(startMs) },
    {
      title: "Length",
      cell: ({ startMs, endMs }) =>
        html`<data value="${(endMs - startMs) / MS_PER_MINUTE}">${formatDuration(endMs - startMs)}</data>`,
    },
    { title: "Asked", unit: "kW", align: "right", cell: ({ requestedKw }) => numberCell(requestedKw, 1) },
    { title: "Uncovered", unit: "kW at start", align: "right", cell: ({ uncoveredKw }) => numberCell(uncoveredKw, 1) },
    { title: "Asked", unit: "kWh", align: "right", cell: ({ requestedKwh }) => numberCell(requestedKwh, 1) },
    { title: "Delivered", unit: "kWh", align: "right", cell: ({ deliveredKwh }) => numberCell(deliveredKwh, 1) },
    { title: "Short", unit: "kWh", align: "right", cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1) },
    ...(anyExcess ? [excessColumn] : []),
    { title: "In band", unit: "%", align: "right", cell: ({ compliancePct }) => numberCell(compliancePct, 1) },
    { title: "State", cell: ({ state }) => html`<span class="state ${state}">${state}</span>` },
    causeColumn,
  ];
}

const vppColumn: TableColumn<AwardRow> = { title: "VPP", cell: ({ vpp }) => html`<span class="nb">${vpp}</span>` };

const excessColumn: TableColumn<AwardRow> = {
  title: "Excess",
  unit: "kWh",
  align: "right",
  cell: ({ excessKwh }) => numberCell(excessKwh, 1),
};

const causeColumn: TableColumn<AwardRow> = {
  title: "Main cause",
  cell: (award) => {
    const main = causesBySize(award.isFcr ? award.uncoveredByCauseKw : award.shortfallByCauseKwh)[0];
    return main === undefined ? html`<span class="na">–</span>` : CAUSE_TEXT[main.cause].label;
  },
};

/** Awards that the rules refused, with the rule in words. */
export function refusedAwardsTable(refused: readonly AwardRow[], clock: LocalClock): Markup {
  const rows = refused.slice(0, ALL_MAX);
  const left = refused.length - rows.length;
  return dataTable(
    `${formatCount(refused.length, "refused award")}${left > 0 ? `, the first ${rows.length} of them` : ""}`,
    rows,
    [
      idColumn,
      vppColumn,
      { title: "Start", cell: ({ startMs }) => clock.renderTime(startMs) },
      { title: "Asked", unit: "kW", align: "right", cell: ({ requestedKw }) => numberCell(requestedKw, 1) },
      {
        title: "Refused because",
        cell: ({ errorType }) => (errorType === null ? "no reason was recorded" : REFUSAL_TEXT[errorType]),
      },
      { title: "error_type", cell: ({ errorType }) => html`<code>${errorType ?? "–"}</code>` },
    ],
  );
}

/** Each cause that took part, with what it means. */
export function causeTable(totals: readonly CauseTotal[]): Markup {
  const sum = totals.reduce((all, { shortfallKwh }) => all + shortfallKwh, 0);
  const share = ({ shortfallKwh }: CauseTotal): Markup =>
    sum === 0
      ? numberCell(null, 1)
      : html`<data value="${(100 * shortfallKwh) / sum}">${formatPct((100 * shortfallKwh) / sum)}</data>`;
  return dataTable("Causes that took part, largest shortfall first", totals, [
    { title: "Cause", cell: ({ cause }) => html`<span class="id">${CAUSE_TEXT[cause].label}</span>` },
    { title: "Short", unit: "kWh", align: "right", cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1) },
    { title: "Share", align: "right", cell: share },
    { title: "Awards", align: "right", cell: ({ awardCount: awards }) => numberCell(awards, 0) },
    {
      title: "Largest gap",
      unit: "kW at a start",
      align: "right",
      cell: ({ uncoveredMaxKw: uncoveredKwMax }) => numberCell(uncoveredKwMax, 1),
    },
    { title: "What it means", cell: ({ cause }) => html`<div class="meaning">${CAUSE_TEXT[cause].meaning}</div>` },
    { title: "Name in the files", cell: ({ cause }) => html`<code>${cause}</code>` },
  ]);
}
