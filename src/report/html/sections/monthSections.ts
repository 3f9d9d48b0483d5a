// Sections of a run of more than a few days: energy by month, day × hour, worst awards, duration curves, outages.
import type { RunRecord } from "../../../accounting/runRecord.ts";
import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { largestOf, sumOf } from "../../../base/lists.ts";
import { isoUtc, MS_PER_HOUR } from "../../../base/time.ts";
import { causesBySize } from "../../awardSentence.ts";
import { type ChartSpec, renderFigure } from "../charts/chart.ts";
import { columnChartSpec } from "../charts/columnChart.ts";
import { durationCurve } from "../charts/durationCurve.ts";
import { isLong } from "../charts/envelopeData.ts";
import { coloursOf, HEAT_COLOURS, heatMapSpec, quantileBounds, stepLegend, stepOf } from "../charts/heatMap.ts";
import { type HourSums, hourCells, sumOfDays } from "../charts/hourSums.ts";
import { awardMoneyColumns, type ColumnPeriod, columnPeriods, tradedColumns } from "../charts/moneyColumns.ts";
import { outageCalendar } from "../charts/outageCalendar.ts";
import { dataTable, type TableColumn } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import {
  energyScale,
  formatEnergy,
  formatFixed,
  formatInUnit,
  formatPct,
  formatScaled,
  PRINTED_MIN,
  type Scale,
} from "../page/format.ts";
import { groupDays, isByMonth, type LocalDay, localDays, shortTime } from "../page/localDays.ts";
import { html, type Markup } from "../page/markup.ts";
import { moneyScale } from "../page/money.ts";
import type { PageLocale } from "../page/pageLocale.ts";
import { causeColour } from "../page/palette.ts";
import { causeLabel, sortByShortfall } from "./causeText.ts";

/** What the sections of a run of more than a few days share. */
interface MonthContext {
  readonly record: RunRecord;
  readonly locale: PageLocale;
  readonly sums: HourSums;
}

const SIX_HOURS_MS = 6 * MS_PER_HOUR;

/** Months of over 62 days, days of over ten, quarters of days of fewer. */
function periodsOf(
  record: RunRecord,
  locale: PageLocale,
): { readonly by: "month" | "day" | "6h"; readonly periods: readonly ColumnPeriod[] } {
  if (isLong(record)) return moneyPeriods(record, locale);
  const days = groupDays(localDays(record, locale), locale);
  return { by: "6h", periods: days.flatMap(({ label, days: [day] }) => quartersOf(day, label, locale)) };
}

function quartersOf({ startMs, endMs }: LocalDay, label: string, locale: PageLocale): ColumnPeriod[] {
  const periods: ColumnPeriod[] = [];
  for (let atMs = startMs; atMs < endMs; atMs += SIX_HOURS_MS) {
    const untilMs = Math.min(endMs, atMs + SIX_HOURS_MS);
    periods.push({ label, fullLabel: locale.formatPeriod(atMs, untilMs), startMs: atMs, endMs: untilMs });
  }
  return periods;
}

/** Energy, shortfall and money by month, day or quarter of a day; `null` where nothing was requested and nothing has a price. */
export function energyByMonthSection(context: MonthContext): Section | null {
  const { record, sums, locale } = context;
  const hasRequests = largestOf(sums.requestedKwh) > 0;
  const { by, periods } = moneyPeriods(record, locale);
  const money = awardMoneyColumns(record, sums, { by, periods, locale });
  const charts = [
    hasRequests ? requestedChart(context) : null,
    hasRequests ? shortfallChart(context) : null,
    money,
    money === null ? tradedColumns(record, { by, periods, locale }) : null,
  ].filter((chart) => chart !== null);
  if (charts.length === 0) return null;
  return {
    id: "by-month",
    contentsTitle: locale.t("months.energy"),
    title: locale.t("months.energy"),
    intro: "",
    body: html`<div class="pair">${charts.map(renderFigure)}</div>`,
  };
}

/** Money is by day where energy is by quarters of a day. */
function moneyPeriods(record: RunRecord, locale: PageLocale) {
  const days = localDays(record, locale);
  return { by: isByMonth(days) ? "month" : "day", periods: columnPeriods(days, locale) } as const;
}

const valuesBy = (periods: readonly ColumnPeriod[], values: Float64Array, { hours }: HourSums): number[] =>
  periods.map((period) => sumOfDays(values, hours, period));

function requestedChart({ record, locale, sums }: MonthContext): ChartSpec {
  const { t } = locale;
  const { by, periods } = periodsOf(record, locale);
  const requested = valuesBy(periods, sums.requestedKwh, sums);
  const missing = valuesBy(periods, sums.shortfallKwh, sums);
  const scale = energyScale(requested);
  const scaled = (values: readonly number[]) => values.map((kwh) => kwh * scale.factor);
  const title = t(`months.requested_by_${by}`);
  return columnChartSpec({
    id: "requested-columns",
    title,
    caption: `${t("months.energy_caption")} ${largestText(requested, periods, locale)}`,
    altText: `${title}. ${largestText(requested, periods, locale)}`,
    unit: scale.unit,
    columns: periods,
    series: [
      {
        label: t("months.delivered"),
        colour: "h4",
        values: scaled(requested.map((kwh, k) => kwh - missing[k])),
      },
      { label: t("months.not_delivered"), colour: "h2", shape: "hatch", values: scaled(missing) },
    ],
    format: (value) => formatFixed(value, scale.decimals),
  });
}

function largestText(values: readonly number[], periods: readonly ColumnPeriod[], { t }: PageLocale): string {
  const most = largestOf(values);
  const { fullLabel } = periods[values.indexOf(most)];
  return t("months.largest", { period: fullLabel, amount: formatEnergy(most) });
}

function shortfallChart({ record, locale, sums }: MonthContext): ChartSpec | null {
  const { t } = locale;
  const { by, periods } = periodsOf(record, locale);
  const totals = valuesBy(periods, sums.shortfallKwh, sums);
  if (largestOf(totals) < PRINTED_MIN) return null;
  const scale = energyScale(totals);
  const causes = CAUSES.flatMap((cause, k) => {
    const kwh = sums.causesKwh[k];
    return kwh === null || sumOf(kwh) < PRINTED_MIN ? [] : [{ cause, values: valuesBy(periods, kwh, sums) }];
  });
  const title = t(`months.shortfall_by_${by}`);
  return columnChartSpec({
    id: "shortfall-columns",
    title,
    caption: largestText(totals, periods, locale),
    altText: `${title}. ${largestText(totals, periods, locale)}`,
    unit: scale.unit,
    columns: periods,
    series: causes.map(({ cause, values }) => ({
      label: t(`cause.${cause}`),
      colour: causeColour(cause),
      shape: "hatch",
      values: values.map((kwh) => kwh * scale.factor),
    })),
    format: (value) => formatFixed(value, scale.decimals),
  });
}

/** Shortfall by day and hour; `null` without one. */
export function shortfallHeatSection({ record, locale, sums }: MonthContext): Section | null {
  const { t } = locale;
  const { hours, shortfallKwh } = sums;
  const largest = largestOf(shortfallKwh);
  if (largest < PRINTED_MIN) return null;
  const days = localDays(record, locale);
  const cells = hourCells(shortfallKwh, hours, days, { locale, combine: (a, b) => a + b });
  const printed = cells.filter(({ value }) => PRINTED_MIN <= value);
  const scale: Scale = energyScale([largest]);
  const scaled = printed.map(({ value }) => value * scale.factor);
  const bounds = quantileBounds(scaled, HEAT_COLOURS.length, scale.decimals);
  const colours = coloursOf(bounds, HEAT_COLOURS);
  const legend = stepLegend(bounds, HEAT_COLOURS, {
    first: (to) => t("months.step_up_to", { to, unit: scale.unit }),
    unit: scale.unit,
    format: (value) => formatFixed(value, scale.decimals),
    largest: largest * scale.factor,
    t,
  });
  const atMs = hours.startMs + shortfallKwh.indexOf(largest) * MS_PER_HOUR;
  const chart = heatMapSpec({
    id: "shortfall-heat",
    title: t("months.heat"),
    caption: t("months.heat_caption", { zone: locale.timezone }),
    altText: t("months.heat_alt", { kwh: formatEnergy(largest), at: locale.formatShort(atMs) }),
    days,
    cells: printed,
    colourOf: (value) => colours[stepOf(value * scale.factor, bounds)],
    legend: [{ label: "0", colour: "h0" }, ...legend],
    linesOf: ({ value, atMs }) => [
      formatEnergy(value),
      ...penaltyLine(sums.penaltyJpy[Math.floor((atMs - hours.startMs) / MS_PER_HOUR)], locale),
    ],
    locale,
  });
  return {
    id: "day-hour",
    contentsTitle: t("months.heat_contents"),
    title: t("months.heat"),
    intro: "",
    body: renderFigure(chart),
  };
}

const penaltyLine = (jpy: number, locale: PageLocale): string[] =>
  jpy === 0 ? [] : [formatInUnit(jpy, moneyScale([jpy], locale))];

const WORST_MAX = 10;

/** The ten awards with the largest shortfall; `null` without any. */
export function worstAwardsSection({ record, locale }: MonthContext): Section | null {
  const { t } = locale;
  const { awards } = record;
  const affected = awards.filter(({ shortfallKwh }) => PRINTED_MIN <= (shortfallKwh ?? 0));
  if (affected.length === 0) return null;
  const byKwh = sortByShortfall(affected).slice(0, WORST_MAX);
  const byMoney = affected
    .filter(({ penaltyJpy }) => penaltyJpy !== null && penaltyJpy > 0)
    .sort((a, b) => (b.penaltyJpy ?? 0) - (a.penaltyJpy ?? 0))
    .slice(0, WORST_MAX);
  const captions = { rows: awards.length };
  return {
    id: "worst",
    contentsTitle: t("months.worst"),
    title: t("months.worst"),
    intro: "",
    body: html`<div class="pair">${worstTable(byKwh, t("months.worst_by_kwh", captions), locale)}${byMoney.length > 0 && worstTable(byMoney, t("months.worst_by_money", captions), locale)}</div>`,
  };
}

function worstTable(rows: readonly AwardRow[], caption: string, locale: PageLocale): Markup {
  const { t } = locale;
  const scale = energyScale(rows.map(({ requestedKwh }) => requestedKwh ?? 0));
  const hasPenalty = rows.some(({ penaltyJpy }) => penaltyJpy !== null);
  const money = moneyScale(
    rows.map(({ penaltyJpy }) => penaltyJpy ?? 0),
    locale,
  );
  const energy = (title: string, of: (award: AwardRow) => number | null): TableColumn<AwardRow> => ({
    title,
    unit: scale.unit,
    align: "right",
    cell: (award) => html`<data value="${of(award) ?? 0}">${formatScaled(Math.abs(of(award) ?? 0), scale)}</data>`,
  });
  return dataTable(caption, rows, [
    { title: t("head.award"), cell: ({ awardId }) => html`<span class="id">${awardId}</span>` },
    {
      title: t("head.start"),
      cell: ({ startMs }) => html`<time datetime="${isoUtc(startMs)}">${shortTime(startMs, locale)}</time>`,
    },
    energy(t("head.requested"), ({ requestedKwh }) => requestedKwh),
    energy(t("head.shortfall"), ({ shortfallKwh }) => shortfallKwh),
    { title: t("head.share"), unit: "%", align: "right", cell: shareCell },
    { title: t("head.cause"), cell: ({ shortfallByCauseKwh }) => mainCauseCell(shortfallByCauseKwh, t) },
    ...(hasPenalty
      ? [
          {
            title: t("months.penalty"),
            unit: money.unit,
            align: "right",
            cell: ({ penaltyJpy }: AwardRow) =>
              html`<data value="${penaltyJpy ?? 0}">${formatScaled(penaltyJpy ?? 0, money)}</data>`,
          } as const,
        ]
      : []),
  ]);
}

function shareCell({ requestedKwh, shortfallKwh }: AwardRow): Markup {
  const pct = (100 * (shortfallKwh ?? 0)) / Math.abs(requestedKwh ?? 0);
  return Number.isFinite(pct) ? html`<data value="${pct}">${formatFixed(pct, 0)}</data>` : html`–`;
}

function mainCauseCell(byCauseKwh: Float64Array, t: PageLocale["t"]): Markup {
  const [main] = causesBySize(byCauseKwh);
  return main === undefined ? html`–` : causeLabel(main.cause, t);
}

/** Hours of the run by delivered power and by what is missing of it; `null` where nothing was requested. */
export function durationSection({ locale, sums }: MonthContext): Section | null {
  const { t } = locale;
  // Of a whole hour kWh and mean kW are one number.
  const curve = (id: string, title: string, valuesKw: Float64Array) => durationCurve({ id, title, valuesKw, locale });
  const charts = [
    curve("duration-missing", t("months.duration_missing"), sums.shortfallKwh),
    curve("duration-delivered", t("months.duration_delivered"), sums.deliveredKwh),
  ].filter((chart) => chart !== null);
  if (charts.length === 0) return null;
  return {
    id: "duration",
    contentsTitle: t("months.duration"),
    title: t("months.duration"),
    intro: "",
    body: html`<div class="pair">${charts.map(renderFigure)}</div>`,
  };
}

const LONGEST_MAX = 5;

/** Days by hours out of service, and the sites that were out of service longest; `null` without an outage. */
export function outagesSection({ record, locale }: MonthContext): Section | null {
  const { t } = locale;
  const chart = outageCalendar(record.outages, { locale, span: record });
  if (chart === null) return null;
  const hoursOf = new Map<string, number>();
  for (const { site, startMs, endMs } of record.outages)
    hoursOf.set(site, (hoursOf.get(site) ?? 0) + (Math.min(endMs, record.endMs) - startMs) / MS_PER_HOUR);
  const longest = [...hoursOf].sort(([, a], [, b]) => b - a).slice(0, LONGEST_MAX);
  const availabilityOf = new Map(record.sites.map(({ site, availabilityPct }) => [site, availabilityPct]));
  const table = dataTable(t("months.outages_longest"), longest, [
    { title: t("head.site"), cell: ([site]) => html`<span class="id">${site}</span>` },
    {
      title: t("months.hours"),
      align: "right",
      cell: ([, hours]) => html`<data value="${hours}">${formatFixed(hours, 1)}</data>`,
    },
    {
      title: t("months.in_service"),
      align: "right",
      cell: ([site]) => formatPct(availabilityOf.get(site) ?? 0),
    },
  ]);
  return {
    id: "availability",
    contentsTitle: t("months.outages"),
    title: t("months.outages"),
    intro: "",
    body: html`<div class="pair uneven">${renderFigure(chart)}${table}</div>`,
  };
}
