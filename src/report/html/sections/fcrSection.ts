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
import { formatKw, formatKwh, numberCell, PRINTED_MIN } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale, Translate } from "../page/pageLocale.ts";
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
  return html`<div class="card"><p>${fcrSentence(awards, locale.t)}</p></div>
${renderFigure(fcrCapacityChart(awards, locale, span))}
${fcrCapacityTable(awards, locale)}`;
}

function fcrSentence(awards: readonly FcrAward[], t: Translate): string {
  const largest = (of: (fcr: FcrFigures) => number | null) =>
    awards.reduce((most, { fcr }) => Math.max(most, of(fcr) ?? 0), 0);
  const sum = (of: (fcr: FcrFigures) => number | null) => sumOf(awards, ({ fcr }) => of(fcr) ?? 0);
  const uncoveredMaxKw = largest(({ uncoveredKw }) => uncoveredKw);
  return t(uncoveredMaxKw < PRINTED_MIN ? "fcr.covered" : "fcr.uncovered", {
    count: awards.length,
    kw: formatKw(largest(({ responseKw }) => responseKw)),
    uncovered: formatKw(uncoveredMaxKw),
    up: formatKwh(sum(({ activatedUpKwh }) => activatedUpKwh)),
    down: formatKwh(sum(({ activatedDownKwh }) => activatedDownKwh)),
  });
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
  const { t } = locale;
  return timeChartSpec({
    id: "fcr-capacity",
    title: t("fcr.chart"),
    caption: t("fcr.caption", { zone: locale.timezone }),
    altText: t("fcr.alt", { kw: formatKw(requestedMaxKw) }),
    locale,
    span,
    axisTitle: t("fcr.axis"),
    curves: [
      { label: t("head.requested"), colour: "neutral", unit: "kW", curve: requested, isFilled: true },
      { label: t("fcr.covered_label"), colour: "s1", unit: "kW", curve: covered, isFilled: true },
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
  const { t, formatDuration } = locale;
  const uncovered = awards.filter(({ fcr }) => PRINTED_MIN <= (fcr.uncoveredKw ?? 0));
  const rows = awards.length <= ROWS_MAX ? awards : sortByUncovered(uncovered).slice(0, EXCERPT_ROWS);
  const caption =
    rows.length === awards.length
      ? t("fcr.all", { count: awards.length, zone: locale.timezone })
      : t("fcr.excerpt", { shown: rows.length, count: awards.length, covered: awards.length - uncovered.length });
  const kwh = (title: string, of: (fcr: FcrFigures) => number | null) =>
    ({ title, unit: "kWh", align: "right", cell: ({ fcr }: FcrAward) => numberCell(of(fcr), 1) }) as const;
  return dataTable(caption, rows, [
    { title: t("head.award"), cell: ({ awardId }) => html`<span class="id">${awardId}</span>` },
    { title: "VPP", cell: ({ vpp }) => html`<span class="nb">${vpp}</span>` },
    { title: t("head.product"), cell: ({ sku }) => html`<span class="nb">${sku ?? t("word.none")}</span>` },
    { title: t("head.start"), cell: ({ startMs }) => locale.renderTime(startMs) },
    { title: t("head.duration"), cell: ({ startMs, endMs }) => formatDuration(endMs - startMs) },
    { title: t("fcr.capacity"), unit: "kW", align: "right", cell: ({ fcr }) => numberCell(fcr.responseKw, 1) },
    {
      title: t("head.uncovered"),
      unit: t("unit.kw_at_start"),
      align: "right",
      cell: ({ fcr }) => numberCell(fcr.uncoveredKw, 1),
    },
    { title: t("head.main_cause"), cell: (award) => mainCause(award, t) },
    kwh(t("fcr.upward"), ({ activatedUpKwh }) => activatedUpKwh),
    kwh(t("fcr.downward"), ({ activatedDownKwh }) => activatedDownKwh),
    { title: t("fcr.mean"), unit: "kW", align: "right", cell: ({ fcr }) => numberCell(fcr.meanResponseKw, 1) },
    {
      title: t("fcr.at_limit"),
      unit: t("unit.min_all_sites"),
      align: "right",
      cell: ({ fcr }) => numberCell(fcr.minutesAtBound, 1),
    },
  ]);
}

function mainCause({ fcr }: FcrAward, t: Translate): Markup {
  const [main] = causesBySize(fcr.uncoveredByCauseKw);
  return main === undefined ? html`<span class="na">–</span>` : causeLabel(main.cause, t);
}

function sortByUncovered(awards: readonly FcrAward[]): readonly FcrAward[] {
  return awards
    .map((award, k) => ({ award, k, uncoveredKw: award.fcr.uncoveredKw ?? 0 }))
    .sort((a, b) => b.uncoveredKw - a.uncoveredKw || a.k - b.k)
    .map(({ award }) => award);
}
