import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { sumOf } from "../../../base/lists.ts";
import { MS_PER_MINUTE } from "../../../base/time.ts";
import { awardSentence, causesBySize } from "../../awardSentence.ts";
import { REFUSAL_TEXT } from "../../refusalText.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import {
  formatCount,
  formatDuration,
  formatFixed,
  formatKwh,
  formatPct,
  numberCell,
  PRINTED_MIN,
} from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { CAUSE_TEXT, type CauseTotal, causeLabel, hasPrintedShortfall, sortByShortfall } from "./causeText.ts";

const WORST_MAX = 10;
const ALL_MAX = 200;
const EXCERPT_ROWS = 50;

/** The awards with the largest shortfall, each with its outcome in a sentence; the others are counted in the caption. */
export function largestShortfalls(awards: readonly AwardRow[], locale: PageLocale): Markup {
  const affected = sortByShortfall(awards.filter(hasPrintedShortfall));
  if (affected.length === 0) return html`<p class="card">No award had a shortfall.</p>`;
  const worst = affected.slice(0, WORST_MAX);
  const restKwh = sumOf(affected.slice(WORST_MAX), ({ shortfallKwh }) => shortfallKwh ?? 0);
  const rest =
    worst.length === affected.length
      ? ""
      : `; the other ${affected.length - worst.length} with a shortfall have ${formatKwh(restKwh)} together`;
  const without = awards.length - affected.length;
  const caption = `The ${formatCount(worst.length, "award")} with the largest shortfall${rest}${without === 0 ? "" : `; ${formatFixed(without, 0)} had none`}`;
  return dataTable(caption, worst, [
    idColumn,
    { title: "What happened", cell: (award) => html`<div class="sentence">${awardSentence(award)}</div>` },
    { title: "Shortfall", unit: "kWh", align: "right", cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1) },
    uncoveredColumn,
    { title: "Start", cell: ({ startMs }) => locale.renderTime(startMs) },
    vppColumn,
  ]);
}

export const selectListedAwards = (awards: readonly AwardRow[]): readonly AwardRow[] =>
  awards.length <= ALL_MAX ? awards : sortByShortfall(awards.filter(hasPrintedShortfall)).slice(0, EXCERPT_ROWS);

/** All awards if there are few, otherwise those with the largest shortfall. */
export function awardTable(awards: readonly AwardRow[], locale: PageLocale): Markup {
  const rows = selectListedAwards(awards);
  const caption =
    rows.length === awards.length
      ? `${awards.length === 1 ? "The one award or instruction" : `All ${formatCount(awards.length, "award")} and instructions`}, times in ${locale.timezone}`
      : `The ${rows.length} of ${formatCount(awards.length, "award")} with the largest shortfall, times in ${locale.zoneText}; ${formatFixed(awards.filter((award) => !hasPrintedShortfall(award)).length, 0)} had none. awards.csv has all`;
  const columns = awardColumns(locale, {
    hasSeveralVpps: awards.some(({ vpp }) => vpp !== awards[0].vpp),
    hasExcess: awards.some(({ excessKwh }) => PRINTED_MIN <= (excessKwh ?? 0)),
  });
  return dataTable(caption, rows, columns);
}

const idColumn: TableColumn<AwardRow> = {
  title: "Award",
  cell: ({ awardId }) => html`<span class="id">${awardId}</span>`,
};

/** Leaves out columns with the same value in every row. */
function awardColumns(
  locale: PageLocale,
  { hasSeveralVpps, hasExcess }: { hasSeveralVpps: boolean; hasExcess: boolean },
): readonly TableColumn<AwardRow>[] {
  return [
    idColumn,
    ...(hasSeveralVpps ? [vppColumn] : []),
    {
      title: "Product",
      cell: ({ sku, kind }) =>
        html`<span class="nb">${sku ?? "none"}</span>${kind === "instruction" && html` <small>(instruction)</small>`}`,
    },
    { title: "Start", cell: ({ startMs }) => locale.renderTime(startMs) },
    {
      title: "Duration",
      cell: ({ startMs, endMs }) =>
        html`<data value="${(endMs - startMs) / MS_PER_MINUTE}">${formatDuration(endMs - startMs)}</data>`,
    },
    { title: "Requested", unit: "kW", align: "right", cell: ({ requestedKw }) => numberCell(requestedKw, 1) },
    uncoveredColumn,
    { title: "Requested", unit: "kWh", align: "right", cell: ({ requestedKwh }) => numberCell(requestedKwh, 1) },
    { title: "Delivered", unit: "kWh", align: "right", cell: ({ deliveredKwh }) => numberCell(deliveredKwh, 1) },
    { title: "Shortfall", unit: "kWh", align: "right", cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1) },
    ...(hasExcess ? [excessColumn] : []),
    { title: "In band", unit: "%", align: "right", cell: bandCell },
    { title: "State", cell: ({ state }) => html`<span class="state ${state}">${state}</span>` },
    causeColumn,
  ];
}

/** Re-dispatches included, as the key figure. */
const uncoveredColumn: TableColumn<AwardRow> = {
  title: "Uncovered",
  unit: "kW at most",
  align: "right",
  cell: ({ uncoveredKwPeak }) => numberCell(uncoveredKwPeak, 1),
};

const bandCell = ({ compliancePct }: AwardRow): Markup =>
  html`<span class="band ${complianceLevel(compliancePct)}">${numberCell(compliancePct, 1)}</span>`;

const vppColumn: TableColumn<AwardRow> = { title: "VPP", cell: ({ vpp }) => html`<span class="nb">${vpp}</span>` };

const excessColumn: TableColumn<AwardRow> = {
  title: "Over-delivery",
  unit: "kWh",
  align: "right",
  cell: ({ excessKwh }) => numberCell(excessKwh, 1),
};

const causeColumn: TableColumn<AwardRow> = {
  title: "Main cause",
  cell: (award) => {
    const main = causesBySize(award.isFcr ? award.uncoveredByCauseKw : award.shortfallByCauseKwh)[0];
    return main === undefined ? html`<span class="na">–</span>` : causeLabel(main.cause);
  },
};

/** Refused awards with the reason in words. */
export function refusedAwardsTable(refused: readonly AwardRow[], locale: PageLocale): Markup {
  const rows = refused.slice(0, ALL_MAX);
  const omittedCount = refused.length - rows.length;
  return dataTable(
    `${formatCount(refused.length, "refused award")}${omittedCount > 0 ? `, the first ${rows.length} of them` : ""}`,
    rows,
    [
      idColumn,
      vppColumn,
      { title: "Start", cell: ({ startMs }) => locale.renderTime(startMs) },
      { title: "Requested", unit: "kW", align: "right", cell: ({ requestedKw }) => numberCell(requestedKw, 1) },
      {
        title: "Reason",
        cell: ({ errorType }) => (errorType === null ? "no reason was recorded" : REFUSAL_TEXT[errorType]),
      },
      { title: "error_type", cell: ({ errorType }) => html`<code>${errorType ?? "–"}</code>` },
    ],
  );
}

/** Each cause that occurred, with its meaning. */
export function causeTable(totals: readonly CauseTotal[]): Markup {
  const totalKwh = sumOf(totals, ({ shortfallKwh }) => shortfallKwh);
  const share = ({ shortfallKwh }: CauseTotal): Markup =>
    totalKwh === 0
      ? numberCell(null, 1)
      : html`<data value="${(100 * shortfallKwh) / totalKwh}">${formatPct((100 * shortfallKwh) / totalKwh)}</data>`;
  return dataTable("Causes that occurred", totals, [
    { title: "Cause", cell: ({ cause }) => html`<span class="id">${causeLabel(cause)}</span>` },
    { title: "Shortfall", unit: "kWh", align: "right", cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1) },
    { title: "Share", align: "right", cell: share },
    { title: "Awards", align: "right", cell: ({ awardCount }) => numberCell(awardCount, 0) },
    {
      title: "Largest uncovered",
      unit: "kW at start",
      align: "right",
      cell: ({ uncoveredMaxKw }) => numberCell(uncoveredMaxKw, 1),
    },
    { title: "Meaning", cell: ({ cause }) => html`<div class="meaning">${CAUSE_TEXT[cause].meaning}</div>` },
    { title: "Name in the files", cell: ({ cause }) => html`<code>${cause}</code>` },
  ]);
}

/**
 * Class of an element whose colour follows compliance, which is independent of the state: a completed award can be out
 * of band throughout.
 */
type ComplianceLevel = "in-band" | "partly-in-band" | "out-of-band" | "not-assessed";

/** By the printed value: 100.0 %, 0.0 %, or between. */
export function complianceLevel(pct: number | null): ComplianceLevel {
  if (pct === null) return "not-assessed";
  if (99.95 <= pct) return "in-band";
  return pct < 0.05 ? "out-of-band" : "partly-in-band";
}
