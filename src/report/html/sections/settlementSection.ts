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
import { awardSentence } from "../../awardSentence.ts";
import type { SettledRun } from "../../settle/settledRun.ts";
import { parameterSetTitle, wordOf } from "../../settle/settlementWords.ts";
import { dailyCashChart } from "../charts/cashCalendar.ts";
import { renderFigure } from "../charts/chart.ts";
import { captionOf } from "../charts/timeChart.ts";
import { waterfallChart } from "../charts/waterfallChart.ts";
import { dataTable } from "../page/dataTable.ts";
import { type Section, section } from "../page/document.ts";
import { formatFixed, numberCell, type Scale } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import { currencyUnit, moneyFormat, moneyScale, perKwhUnit } from "../page/money.ts";
import type { PageLocale, PageTexts, Translate } from "../page/pageLocale.ts";
import { monthItems, monthItemTable } from "./monthItems.ts";
import { reconciliationSection } from "./reconciliationSection.ts";

const WORST_SLOTS = 10;

/** From gross to net, with a link to the page of the settlement. */
export function settlementSection(run: SettledRun, texts: PageTexts): Section {
  const { t } = texts;
  return {
    id: "settlement",
    contentsTitle: t("settlement.title"),
    title: t("settlement.title"),
    intro: captionOf([introOf(run, texts), t("settlement.signs")], t),
    body: html`${renderFigure(netCashChart(run, texts))}<p><a href="settlement.html">${t("settlement.link")}</a></p>`,
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
  const { settlement } = run;
  const { t } = locale;
  const currency = currencyUnit(locale);
  const { invoice, calls } = settlement;
  const days = cashByDay(settlement, (atMs) => locale.dayOf(atMs));
  const outcomes = new Map(awards.map((award) => [award.awardId, award]));
  const worstAwards = worstAwardSlots(settlement, WORST_SLOTS);
  const worstEnergy = worstImbalanceSlots(settlement, WORST_SLOTS);
  const scale = scaleOf(run, locale);
  const byMonth = monthItems(invoice, scale);
  const table = monthItemTable(byMonth, scale, { t, itemLabel: (item) => itemLabel(item, t) });
  const sections: readonly (Section | null | false)[] = [
    cashSection(run, locale),
    byMonth.items.length > 0 &&
      section("months", t("settlement.by_month"), t("settlement.by_month_note", { unit: scale.unit }), table),
    run.reconciliation !== null && reconciliationSection(run.reconciliation, locale),
    days.length > 1 && section("days", t("settlement.days"), "", renderFigure(dailyCashChart(days, currency, locale))),
    worstAwards.length > 0 && section("worst", t("settlement.worst"), "", penaltyTable(worstAwards, outcomes, locale)),
    worstEnergy.length > 0 && section("imbalance", t("settlement.imbalance"), "", imbalanceTable(worstEnergy, locale)),
    calls.length > 0 && section("calls", t("settlement.calls"), "", callTable(calls, locale)),
    section(
      "invoices",
      t("settlement.invoices"),
      t("settlement.signs"),
      folded(t("settlement.lines"), invoiceTable(invoice, currency, t)),
    ),
    section("parameters", t("settlement.parameters"), "", folded(t("settlement.parameters"), parameterTable(run, t))),
  ];
  return sections.filter((each) => each !== false && each !== null);
}

const folded = (summary: string, body: Markup): Markup => html`<details><summary>${summary}</summary>${body}</details>`;

/** The unit of all amounts of a table. */
const scaleOf = ({ settlement }: SettledRun, texts: PageTexts): Scale =>
  moneyScale(
    itemTotals(settlement).map(({ amount }) => amount),
    texts,
  );

/** What is received and paid, in a sentence and step by step. */
function cashSection(run: SettledRun, locale: PageLocale): Section {
  const { t } = locale;
  const totals = itemTotals(run.settlement).filter(({ counterparty }) => counterparty !== MEMO);
  const parts = totals.filter(({ counterparty }) => counterparty !== TOTAL).map(({ amount }) => amount);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const [received, paid] = [sum(parts.filter((amount) => 0 < amount)), sum(parts.filter((amount) => amount < 0))];
  const cash = sum(totals.filter(({ counterparty }) => counterparty === TOTAL).map(({ amount }) => amount));
  const money = moneyFormat(locale, Math.max(Math.abs(cash), received, -paid));
  const bold = (amount: number): Markup => html`<b>${money.text(amount)}</b>`;
  const values = { cash: bold(cash), received: money.text(received), paid: money.text(-paid) };
  const sentence = locale.rich("settlement.cash_sentence", values);
  const note = html`${introOf(run, locale)}${t("caption.separator")}${unsureText(run.unsure, locale)}`;
  const body = html`<div class="card lead"><p>${sentence}</p><p class="muted">${note}</p></div>${renderFigure(netCashChart(run, locale))}`;
  return section("cash", t("settlement.cash"), "", body);
}

const introOf = ({ parameterSet, area }: SettledRun, texts: PageTexts): string =>
  texts.t(area === "none" ? "settlement.intro_no_area" : "settlement.intro", {
    set: parameterSetTitle(parameterSet, texts.t),
    area,
    currency: currencyUnit(texts),
  });

/** How many values are assumed; the table of parameters has them. */
function unsureText(names: readonly string[], { t, rich }: PageTexts): Markup {
  if (names.length === 0) return html`${t("settlement.sure")}`;
  const parameters = html`<a href="#parameters">${t("settlement.parameters")}</a>`;
  return rich("settlement.unsure", { count: names.length, parameters });
}

/** Each parameter with what it says, its name, its value, and whether it is assumed. */
function parameterTable({ values, unsure }: SettledRun, t: Translate): Markup {
  const assumed = new Set(unsure);
  return dataTable(t("settlement.parameters"), Object.entries(values), [
    { title: t("settlement.parameter"), cell: ([name]) => wordOf(`parameter.${name}`, name, t) },
    { title: t("settlement.name"), cell: ([name]) => html`<code>${name}</code>` },
    { title: t("settlement.value"), cell: ([, value]) => html`<code>${valueText(value)}</code>` },
    { title: t("settlement.origin"), cell: ([name]) => (assumed.has(name) ? t("settlement.assumed") : "") },
  ]);
}

/** As in a parameter file, in one line. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.join(", ");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([key, each]) => `${key} ${valueText(each)}`)
      .join(", ");
  return value === null || value === undefined ? "–" : String(value);
}

const netCashChart = ({ settlement }: SettledRun, texts: PageTexts) =>
  waterfallChart(
    itemTotals(settlement)
      .filter(
        ({ counterparty, amount }) =>
          counterparty === TOTAL || (counterparty !== MEMO && SHOWN_MIN <= Math.abs(amount)),
      )
      .sort((a, b) => Number(a.counterparty === TOTAL) - Number(b.counterparty === TOTAL) || b.amount - a.amount)
      .map(({ item, counterparty, amount }) => ({
        label: itemLabel(item, texts.t),
        amount,
        isSum: counterparty === TOTAL,
      })),
    {
      id: "net-cash",
      title: texts.t("settlement.net_cash"),
      unit: currencyUnit(texts),
      caption: texts.t("settlement.net_cash_caption"),
    },
    texts.t,
  );

/** Smaller amounts are printed as 0. */
const SHOWN_MIN = 0.5;

const itemLabel = (item: string, t: Translate): string => wordOf(`item.${item}`, item.replaceAll("_", " "), t);

const penaltyTable = (
  lines: readonly AwardLine[],
  outcomes: ReadonlyMap<string, AwardRow>,
  locale: PageLocale,
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
      unit: currencyUnit(locale),
      align: "right",
      cell: ({ penalty1Amount, penalty2Amount }) => numberCell(penalty1Amount + penalty2Amount, 0),
    },
    { title: locale.t("settlement.why"), cell: (line) => reasonOf(line, locale.t) },
    ...(outcomes.size === 0
      ? []
      : [
          {
            title: locale.t("settlement.story"),
            // It explains a shortfall.
            cell: (line: AwardLine) => storyOf(isOverDelivery(line) ? undefined : outcomes.get(line.awardId), locale),
          },
        ]),
  ]);

const storyOf = (award: AwardRow | undefined, locale: PageLocale): Markup =>
  award === undefined
    ? html`<span class="na">–</span>`
    : html`<div class="sentence">${awardSentence(award, locale)}</div>`;

const imbalanceTable = (lines: readonly EnergyLine[], locale: PageLocale): Markup =>
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
      unit: perKwhUnit(locale),
      align: "right",
      cell: ({ imbalancePricePerKwh }) => numberCell(imbalancePricePerKwh, 2),
    },
    {
      title: locale.t("settlement.amount"),
      unit: currencyUnit(locale),
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

const callTable = (lines: readonly CallLine[], locale: PageLocale): Markup =>
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
      unit: currencyUnit(locale),
      align: "right",
      cell: ({ penaltyAmount }) => numberCell(penaltyAmount, 0),
    },
  ]);

/** The text on what the penalties of a slot are for. */
function reasonOf(line: AwardLine, t: Translate): string {
  const { penalty1Amount, missingKw, penalty2Amount, samples, samplesBad, miss2, awardedKw } = line;
  const reasons: string[] = [];
  if (penalty1Amount < 0)
    reasons.push(
      t("settlement.not_available", { kw: formatFixed(missingKw, 1), awarded: formatFixed(Math.abs(awardedKw), 1) }),
    );
  if (penalty2Amount < 0 && miss2 !== null) {
    const values = { kw: formatFixed(Math.abs(miss2.missedKw), 1), allowed: formatFixed(miss2.bandKw, 1) };
    const miss = t(isOverDelivery(line) ? "settlement.too_much" : "settlement.too_little", values);
    reasons.push(
      miss2.isMean
        ? t("settlement.missed_mean", { miss })
        : t("settlement.missed_samples", { bad: String(samplesBad), samples: String(samples), miss }),
    );
  }
  return reasons.join(t("clause.separator"));
}

/** Whether a penalty is for more power than was requested. */
const isOverDelivery = ({ penalty2Amount, miss2 }: AwardLine): boolean =>
  penalty2Amount < 0 && miss2 !== null && miss2.missedKw < 0;

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
