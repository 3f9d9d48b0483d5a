import type { AwardRow } from "../../../accounting/settlement/awardRows.ts";
import {
  type AwardLine,
  type CallLine,
  type EnergyLine,
  type InvoiceLine,
  MEMO,
  TOTAL,
} from "../../../market/settlement.ts";
import { cashByDay, itemTotals, worstAwardSlots, worstImbalanceSlots } from "../../../market/settlementSummary.ts";
import { knownKey } from "../../../texts/catalogue.ts";
import { awardSentence } from "../../awardSentence.ts";
import type { SettledRun } from "../../settle/settledRun.ts";
import { dailyCashChart } from "../charts/cashCalendar.ts";
import { renderFigure } from "../charts/chart.ts";
import { captionOf } from "../charts/timeChart.ts";
import { waterfallChart } from "../charts/waterfallChart.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatFixed, numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale, PageTexts, Translate } from "../page/pageLocale.ts";

const WORST_SLOTS = 10;

/** From gross to net, with a link to the page of the settlement. */
export function settlementSection(run: SettledRun, { t }: PageTexts): Section {
  return {
    id: "settlement",
    contentsTitle: t("settlement.title"),
    title: t("settlement.title"),
    intro: captionOf([introOf(run, t), t("settlement.signs")], t),
    body: html`${renderFigure(netCashChart(run, t))}<p><a href="settlement.html">${t("settlement.link")}</a></p>`,
  };
}

/**
 * All sections of the page of a settlement (docs/model/settlement.md#files).
 *
 * @param awards  of the run, for their outcomes in report.html beside the page; empty where there is no such report
 */
export function settlementSections(
  run: SettledRun,
  awards: readonly AwardRow[],
  locale: PageLocale,
): readonly Section[] {
  const { settlement, currency } = run;
  const { t } = locale;
  const days = cashByDay(settlement, (atMs) => locale.formatShort(atMs).slice(0, 10));
  const outcomes = new Map(awards.map((award) => [award.awardId, award]));
  const worstAwards = worstAwardSlots(settlement, WORST_SLOTS);
  const worstEnergy = worstImbalanceSlots(settlement, WORST_SLOTS);
  const sections: readonly (Section | false)[] = [
    section(
      "net-cash",
      t("settlement.net_cash"),
      captionOf([introOf(run, t), unsureText(run.unsure, locale)], t),
      renderFigure(netCashChart(run, t)),
    ),
    days.length > 1 && section("days", t("chart.cash_by_day"), "", renderFigure(dailyCashChart(days, currency, t))),
    worstAwards.length > 0 &&
      section("worst", t("settlement.worst"), "", penaltyTable(worstAwards, outcomes, { currency, locale })),
    worstEnergy.length > 0 &&
      section("imbalance", t("settlement.imbalance"), "", imbalanceTable(worstEnergy, { currency, locale })),
    settlement.calls.length > 0 &&
      section("calls", t("settlement.calls"), "", callTable(settlement.calls, { currency, locale })),
    section("invoices", t("settlement.invoices"), t("settlement.signs"), invoiceTable(settlement.invoice, currency, t)),
  ];
  return sections.filter((each) => each !== false);
}

const section = (id: string, title: string, intro: string, body: Markup): Section => ({
  id,
  contentsTitle: title,
  title,
  intro,
  body,
});

const introOf = ({ parameterSet, area, currency }: SettledRun, t: Translate): string =>
  t(area === "none" ? "settlement.intro_no_area" : "settlement.intro", { set: parameterSet, area, currency });

const unsureText = (names: readonly string[], { t, formatList }: PageTexts): string =>
  names.length === 0 ? t("settlement.sure") : t("settlement.unsure", { count: names.length, names: formatList(names) });

const netCashChart = ({ settlement, currency }: SettledRun, t: Translate) =>
  waterfallChart(
    itemTotals(settlement)
      .filter(
        ({ counterparty, amount }) =>
          counterparty === TOTAL || (counterparty !== MEMO && SHOWN_MIN <= Math.abs(amount)),
      )
      .sort((a, b) => Number(a.counterparty === TOTAL) - Number(b.counterparty === TOTAL) || b.amount - a.amount)
      .map(({ item, counterparty, amount }) => ({
        label: itemLabel(item, t),
        amount,
        isSum: counterparty === TOTAL,
      })),
    {
      id: "net-cash",
      title: t("settlement.net_cash"),
      unit: currency,
      caption: t("settlement.net_cash_caption"),
    },
    t,
  );

/** Smaller amounts are printed as 0. */
const SHOWN_MIN = 0.5;

/** The text of a key; the name itself where there is none. */
function wordOf(key: string, name: string, t: Translate): string {
  const known = knownKey(key);
  return known === null ? name : t(known);
}

const itemLabel = (item: string, t: Translate): string => wordOf(`item.${item}`, item.replaceAll("_", " "), t);

interface TableContext {
  readonly currency: string;
  readonly locale: PageLocale;
}

const penaltyTable = (
  lines: readonly AwardLine[],
  outcomes: ReadonlyMap<string, AwardRow>,
  { currency, locale }: TableContext,
): Markup =>
  dataTable(locale.t("settlement.penalty_table"), lines, [
    { title: locale.t("settlement.slot"), cell: ({ slotStartMs }) => locale.renderTime(slotStartMs) },
    {
      title: locale.t("head.award"),
      cell: ({ awardId }) => (outcomes.has(awardId) ? html`<a href="report.html#awards">${awardId}</a>` : awardId),
    },
    { title: "VPP", cell: ({ vpp }) => vpp },
    {
      title: locale.t("settlement.penalty"),
      unit: currency,
      align: "right",
      cell: ({ penalty1Amount, penalty2Amount }) => numberCell(penalty1Amount + penalty2Amount, 0),
    },
    { title: locale.t("settlement.why"), cell: (line) => reasonOf(line, locale.t) },
    ...(outcomes.size === 0
      ? []
      : [
          {
            title: locale.t("settlement.story"),
            cell: ({ awardId }: AwardLine) => storyOf(outcomes.get(awardId), locale),
          },
        ]),
  ]);

const storyOf = (award: AwardRow | undefined, locale: PageLocale): Markup =>
  award === undefined
    ? html`<span class="na">–</span>`
    : html`<div class="sentence">${awardSentence(award, locale)}</div>`;

const imbalanceTable = (lines: readonly EnergyLine[], { currency, locale }: TableContext): Markup =>
  dataTable(locale.t("settlement.imbalance_table"), lines, [
    { title: locale.t("settlement.slot"), cell: ({ slotStartMs }) => locale.renderTime(slotStartMs) },
    { title: "VPP", cell: ({ group }) => group },
    { title: locale.t("settlement.plan"), unit: "kWh", align: "right", cell: ({ planKwh }) => numberCell(planKwh, 1) },
    {
      title: locale.t("settlement.activated"),
      unit: "kWh",
      align: "right",
      cell: ({ activatedKwh }) => numberCell(activatedKwh, 1),
    },
    {
      title: locale.t("settlement.metered"),
      unit: "kWh",
      align: "right",
      cell: ({ meteredKwh }) => numberCell(meteredKwh, 1),
    },
    {
      title: locale.t("item.imbalance"),
      unit: "kWh",
      align: "right",
      cell: ({ imbalanceKwh }) => numberCell(imbalanceKwh, 1),
    },
    {
      title: locale.t("settlement.price"),
      unit: `${currency}/kWh`,
      align: "right",
      cell: ({ imbalancePricePerKwh }) => numberCell(imbalancePricePerKwh, 2),
    },
    {
      title: locale.t("settlement.amount"),
      unit: currency,
      align: "right",
      cell: ({ imbalanceAmount }) => numberCell(imbalanceAmount, 0),
    },
    { title: locale.t("settlement.why"), cell: (line) => imbalanceReasonOf(line, locale.t) },
  ]);

/** The text on the difference between metered energy and the position of the group. */
function imbalanceReasonOf({ meteredKwh, imbalanceKwh }: EnergyLine, t: Translate): string {
  const isImport = 0 < meteredKwh;
  const amount = `${formatFixed(Math.abs(imbalanceKwh), 1)} kWh`;
  if (imbalanceKwh < 0) return t(isImport ? "settlement.more_import" : "settlement.less_export", { amount });
  return t(isImport ? "settlement.less_import" : "settlement.more_export", { amount });
}

const callTable = (lines: readonly CallLine[], { currency, locale }: TableContext): Markup =>
  dataTable(locale.t("settlement.calls"), lines, [
    { title: locale.t("head.start"), cell: ({ startMs }) => locale.renderTime(startMs) },
    { title: locale.t("settlement.binding"), cell: ({ isBinding }) => locale.t(isBinding ? "word.yes" : "word.no") },
    {
      title: locale.t("head.requested"),
      unit: "kWh",
      align: "right",
      cell: ({ requestedKwh }) => numberCell(requestedKwh, 1),
    },
    {
      title: locale.t("settlement.missed"),
      unit: "kWh",
      align: "right",
      cell: ({ missedKwh }) => numberCell(missedKwh, 1),
    },
    {
      title: locale.t("settlement.penalty"),
      unit: currency,
      align: "right",
      cell: ({ penaltyAmount }) => numberCell(penaltyAmount, 0),
    },
  ]);

/** The text on a failed assessment. */
function reasonOf(
  { assessment1, missingKw, assessment2, samples, samplesBad, awardedKw }: AwardLine,
  t: Translate,
): string {
  const reasons: string[] = [];
  if (assessment1 === "fail")
    reasons.push(
      t("settlement.not_available", { kw: formatFixed(missingKw, 1), awarded: formatFixed(Math.abs(awardedKw), 1) }),
    );
  if (assessment2 === "fail")
    reasons.push(t("settlement.not_followed", { bad: String(samplesBad), samples: String(samples) }));
  return reasons.join(t("clause.separator"));
}

const invoiceTable = (lines: readonly InvoiceLine[], currency: string, t: Translate): Markup =>
  dataTable(t("settlement.invoice_table"), lines, [
    { title: t("settlement.month"), cell: ({ month }) => month },
    {
      title: t("settlement.with"),
      cell: ({ counterparty }) =>
        counterparty === TOTAL ? "" : wordOf(`counterparty.${counterparty}`, counterparty, t),
    },
    { title: t("settlement.item"), cell: ({ item }) => itemLabel(item, t) },
    {
      title: t("settlement.quantity"),
      align: "right",
      cell: ({ quantity, unit }) => (unit === "" ? "" : numberCell(quantity, 1)),
    },
    {
      title: t("head.unit"),
      cell: ({ unit }) => wordOf(`invoice_unit.${unit.toLowerCase().replaceAll(" ", "_")}`, unit, t),
    },
    { title: t("settlement.amount"), unit: currency, align: "right", cell: ({ amount }) => numberCell(amount, 3) },
    {
      title: t("settlement.invoiced"),
      unit: currency,
      align: "right",
      cell: ({ amountRounded }) => numberCell(amountRounded, 0),
    },
    { title: t("settlement.tax"), unit: currency, align: "right", cell: ({ taxAmount }) => numberCell(taxAmount, 0) },
  ]);
