import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { sumOf } from "../../../base/lists.ts";
import { MS_PER_MINUTE } from "../../../base/time.ts";
import { awardSentence, causesBySize } from "../../awardSentence.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import { formatKwh, formatPct, numberCell, PRINTED_MIN } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";
import { type CauseTotal, causeLabel, hasPrintedShortfall, sortByShortfall } from "./causeText.ts";

const WORST_MAX = 10;
const ALL_MAX = 200;
const EXCERPT_ROWS = 50;

/** The awards with the largest shortfall, each with its outcome in a sentence; the others are counted in the caption. */
export function largestShortfalls(awards: readonly AwardRow[], locale: PageLocale): Markup {
  const { t } = locale;
  const affected = sortByShortfall(awards.filter(hasPrintedShortfall));
  if (affected.length === 0) return html`<p class="card">${t("awards.no_shortfall")}</p>`;
  const worst = affected.slice(0, WORST_MAX);
  const restKwh = sumOf(affected.slice(WORST_MAX), ({ shortfallKwh }) => shortfallKwh ?? 0);
  const without = awards.length - affected.length;
  const restCount = affected.length - worst.length;
  const ofWorst = t("awards.worst", { count: worst.length });
  const ofAffected =
    restCount === 0 ? ofWorst : t("awards.worst_rest", { caption: ofWorst, count: restCount, kwh: formatKwh(restKwh) });
  const caption = without === 0 ? ofAffected : t("awards.worst_none", { caption: ofAffected, count: without });
  return dataTable(caption, worst, [
    idColumn(t),
    {
      title: t("head.what_happened"),
      cell: (award) => html`<div class="sentence">${awardSentence(award, locale)}</div>`,
    },
    {
      title: t("head.shortfall"),
      unit: "kWh",
      align: "right",
      cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1),
    },
    uncoveredColumn(t),
    { title: t("head.start"), cell: ({ startMs }) => locale.renderTime(startMs) },
    vppColumn,
  ]);
}

export const selectListedAwards = (awards: readonly AwardRow[]): readonly AwardRow[] =>
  awards.length <= ALL_MAX ? awards : sortByShortfall(awards.filter(hasPrintedShortfall)).slice(0, EXCERPT_ROWS);

/** All awards if there are few, otherwise those with the largest shortfall. */
export function awardTable(awards: readonly AwardRow[], locale: PageLocale): Markup {
  const rows = selectListedAwards(awards);
  const { length: count } = awards;
  const caption =
    rows.length === count
      ? locale.t(count === 1 ? "awards.the_one" : "awards.all", { count, zone: locale.timezone })
      : locale.t("awards.excerpt", {
          shown: rows.length,
          count,
          zone: locale.zoneText,
          none: awards.filter((award) => !hasPrintedShortfall(award)).length,
        });
  const columns = awardColumns(locale, {
    hasSeveralVpps: awards.some(({ vpp }) => vpp !== awards[0].vpp),
    hasExcess: awards.some(({ excessKwh }) => PRINTED_MIN <= (excessKwh ?? 0)),
  });
  return dataTable(caption, rows, columns);
}

const idColumn = (t: Translate): TableColumn<AwardRow> => ({
  title: t("head.award"),
  cell: ({ awardId }) => html`<span class="id">${awardId}</span>`,
});

/** Leaves out columns with the same value in every row. */
function awardColumns(
  locale: PageLocale,
  { hasSeveralVpps, hasExcess }: { hasSeveralVpps: boolean; hasExcess: boolean },
): readonly TableColumn<AwardRow>[] {
  const { t, formatDuration } = locale;
  return [
    idColumn(t),
    ...(hasSeveralVpps ? [vppColumn] : []),
    {
      title: t("head.product"),
      cell: ({ sku, kind }) =>
        html`<span class="nb">${sku ?? t("word.none")}</span>${kind === "instruction" && html` <small>${t("awards.instruction")}</small>`}`,
    },
    { title: t("head.start"), cell: ({ startMs }) => locale.renderTime(startMs) },
    {
      title: t("head.duration"),
      cell: ({ startMs, endMs }) =>
        html`<data value="${(endMs - startMs) / MS_PER_MINUTE}">${formatDuration(endMs - startMs)}</data>`,
    },
    { title: t("head.requested"), unit: "kW", align: "right", cell: ({ requestedKw }) => numberCell(requestedKw, 1) },
    uncoveredColumn(t),
    {
      title: t("head.requested"),
      unit: "kWh",
      align: "right",
      cell: ({ requestedKwh }) => numberCell(requestedKwh, 1),
    },
    {
      title: t("head.delivered"),
      unit: "kWh",
      align: "right",
      cell: ({ deliveredKwh }) => numberCell(deliveredKwh, 1),
    },
    {
      title: t("head.shortfall"),
      unit: "kWh",
      align: "right",
      cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1),
    },
    ...(hasExcess ? [excessColumn(t)] : []),
    { title: t("head.in_band"), unit: "%", align: "right", cell: bandCell },
    { title: t("head.state"), cell: ({ state }) => html`<span class="state ${state}">${t(`state.${state}`)}</span>` },
    causeColumn(t),
  ];
}

/** Re-dispatches included, as the key figure. */
const uncoveredColumn = (t: Translate): TableColumn<AwardRow> => ({
  title: t("head.uncovered"),
  unit: t("unit.kw_at_most"),
  align: "right",
  cell: ({ uncoveredKwPeak }) => numberCell(uncoveredKwPeak, 1),
});

const bandCell = ({ compliancePct }: AwardRow): Markup =>
  html`<span class="band ${complianceLevel(compliancePct)}">${numberCell(compliancePct, 1)}</span>`;

const vppColumn: TableColumn<AwardRow> = { title: "VPP", cell: ({ vpp }) => html`<span class="nb">${vpp}</span>` };

const excessColumn = (t: Translate): TableColumn<AwardRow> => ({
  title: t("head.excess"),
  unit: "kWh",
  align: "right",
  cell: ({ excessKwh }) => numberCell(excessKwh, 1),
});

const causeColumn = (t: Translate): TableColumn<AwardRow> => ({
  title: t("head.main_cause"),
  cell: (award) => {
    const main = causesBySize(award.isFcr ? award.uncoveredByCauseKw : award.shortfallByCauseKwh)[0];
    return main === undefined ? html`<span class="na">–</span>` : causeLabel(main.cause, t);
  },
});

/** Refused awards with the reason in words. */
export function refusedAwardsTable(refused: readonly AwardRow[], locale: PageLocale): Markup {
  const rows = refused.slice(0, ALL_MAX);
  const { t } = locale;
  const caption = t("awards.refused", { count: refused.length });
  return dataTable(
    rows.length < refused.length ? t("awards.refused_excerpt", { caption, shown: rows.length }) : caption,
    rows,
    [
      idColumn(t),
      vppColumn,
      { title: t("head.start"), cell: ({ startMs }) => locale.renderTime(startMs) },
      { title: t("head.requested"), unit: "kW", align: "right", cell: ({ requestedKw }) => numberCell(requestedKw, 1) },
      {
        title: t("head.reason"),
        cell: ({ errorType }) => (errorType === null ? t("awards.no_reason") : t(`refusal.${errorType}`)),
      },
      { title: "error_type", cell: ({ errorType }) => html`<code>${errorType ?? "–"}</code>` },
    ],
  );
}

/** Each cause that occurred, with its meaning. */
export function causeTable(totals: readonly CauseTotal[], t: Translate): Markup {
  const totalKwh = sumOf(totals, ({ shortfallKwh }) => shortfallKwh);
  const share = ({ shortfallKwh }: CauseTotal): Markup =>
    totalKwh === 0
      ? numberCell(null, 1)
      : html`<data value="${(100 * shortfallKwh) / totalKwh}">${formatPct((100 * shortfallKwh) / totalKwh)}</data>`;
  return dataTable(t("awards.causes"), totals, [
    { title: t("head.cause"), cell: ({ cause }) => html`<span class="id">${causeLabel(cause, t)}</span>` },
    {
      title: t("head.shortfall"),
      unit: "kWh",
      align: "right",
      cell: ({ shortfallKwh }) => numberCell(shortfallKwh, 1),
    },
    { title: t("head.share"), align: "right", cell: share },
    { title: t("head.awards"), align: "right", cell: ({ awardCount }) => numberCell(awardCount, 0) },
    {
      title: t("head.largest_uncovered"),
      unit: t("unit.kw_at_start"),
      align: "right",
      cell: ({ uncoveredMaxKw }) => numberCell(uncoveredMaxKw, 1),
    },
    { title: t("head.meaning"), cell: ({ cause }) => html`<div class="meaning">${t(`cause_meaning.${cause}`)}</div>` },
    { title: t("head.name_in_files"), cell: ({ cause }) => html`<code>${cause}</code>` },
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
