import { type Kpis, kpiOf, kpiValue, type NumericKpiName } from "../../../accounting/kpis/kpiRegistry.ts";
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
import { dailyCashChart } from "../charts/cashCalendar.ts";
import { renderFigure } from "../charts/chart.ts";
import { waterfallChart } from "../charts/waterfallChart.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, formatFixed, formatList, numberCell } from "../page/format.ts";
import { html, type Markup } from "../page/markup.ts";
import type { PageLocale } from "../page/pageLocale.ts";

const WORST_SLOTS = 10;

/** From gross to net, with a link to the page of the settlement. */
export function settlementSection(run: SettledRun): Section {
  return {
    id: "settlement",
    contentsTitle: "Settlement",
    title: "Settlement",
    intro: `${introOf(run)} Received positive, paid negative.`,
    body: html`${renderFigure(netCashChart(run))}<p><a href="settlement.html">Cash by day, worst slots with their causes, and invoices by month</a></p>`,
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
  const days = cashByDay(settlement, (atMs) => locale.formatShort(atMs).slice(0, 10));
  const outcomes = new Map(awards.map((award) => [award.awardId, award]));
  const worstAwards = worstAwardSlots(settlement, WORST_SLOTS);
  const worstEnergy = worstImbalanceSlots(settlement, WORST_SLOTS);
  const sections: readonly (Section | false)[] = [
    section(
      "net-cash",
      "From gross to net",
      `${introOf(run)} ${unsureText(run.unsure)}`,
      renderFigure(netCashChart(run)),
    ),
    days.length > 1 && section("days", "Cash by day", "", renderFigure(dailyCashChart(days, currency))),
    worstAwards.length > 0 &&
      section("worst", "Worst slots", "", penaltyTable(worstAwards, outcomes, { currency, locale })),
    worstEnergy.length > 0 &&
      section("imbalance", "Largest imbalance charges", "", imbalanceTable(worstEnergy, { currency, locale })),
    settlement.calls.length > 0 &&
      section("calls", "Calls of the capacity market", "", callTable(settlement.calls, { currency, locale })),
    section("invoices", "Invoices", "Received positive, paid negative.", invoiceTable(settlement.invoice, currency)),
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

const introOf = ({ parameterSet, area, currency }: SettledRun): string =>
  `${parameterSet}${area === "none" ? "" : `, area ${area}`}. Amounts in ${currency}.`;

const unsureText = (names: readonly string[]): string =>
  names.length === 0
    ? "All values of the parameter set are from primary sources or set by the scenario."
    : `${formatCount(names.length, "value")} of the parameter set ${names.length === 1 ? "is" : "are"} an assumption, not from a primary source: ${formatList(names)}.`;

const netCashChart = ({ settlement, currency }: SettledRun) =>
  waterfallChart(
    itemTotals(settlement)
      .filter(
        ({ counterparty, amount }) =>
          counterparty === TOTAL || (counterparty !== MEMO && SHOWN_MIN <= Math.abs(amount)),
      )
      .sort((a, b) => Number(a.counterparty === TOTAL) - Number(b.counterparty === TOTAL) || b.amount - a.amount)
      .map(({ item, counterparty, amount }) => ({
        label: itemLabel(item),
        amount,
        isSum: counterparty === TOTAL,
      })),
    {
      id: "net-cash",
      title: "From gross to net",
      unit: currency,
      caption: "What was received, then what was paid, to the cash of the whole run. Memo items are not included.",
    },
  );

/** Smaller amounts are printed as 0. */
const SHOWN_MIN = 0.5;

const ITEM_LABELS: Readonly<Record<string, string>> = {
  dkw: "Reserve capacity",
  eprx_fee: "Reserve exchange fee",
  activated: "Activated energy",
  penalty_1: "Penalty: not available",
  penalty_2: "Penalty: not followed",
  imbalance: "Imbalance",
  spot: "Day-ahead market",
  day_ahead: "Day-ahead market",
  intraday: "Intraday market",
  jepx_fee: "Exchange fee",
  exchange_fee: "Exchange fee",
  wheeling_basic: "Wheeling, basic",
  wheeling_energy: "Wheeling, energy",
  generator_basic: "Export charge, basic",
  generator_energy: "Export charge, energy",
  capacity: "Capacity market",
  capacity_penalty: "Penalty: calls missed",
  non_availability: "Deduction: not available",
  fip: "Feed-in premium",
  retail_basic: "Retail, basic",
  retail: "Retail, energy",
  negawatt: "Compensation of retailers",
  total_cash: "Cash",
  degradation: "Degradation, estimate",
  avoided: "Avoided purchases",
  spot_value: "Metered energy at the spot price",
  day_ahead_value: "Metered energy at the day-ahead price",
  margin: "Cash less degradation",
};

const itemLabel = (item: string): string => ITEM_LABELS[item] ?? item.replaceAll("_", " ");

interface TableContext {
  readonly currency: string;
  readonly locale: PageLocale;
}

const penaltyTable = (
  lines: readonly AwardLine[],
  outcomes: ReadonlyMap<string, AwardRow>,
  { currency, locale }: TableContext,
): Markup =>
  dataTable("Slots with the largest penalties", lines, [
    { title: "Slot", cell: ({ slotStartMs }) => locale.renderTime(slotStartMs) },
    {
      title: "Award",
      cell: ({ awardId }) => (outcomes.has(awardId) ? html`<a href="report.html#awards">${awardId}</a>` : awardId),
    },
    { title: "VPP", cell: ({ vpp }) => vpp },
    {
      title: "Penalty",
      unit: currency,
      align: "right",
      cell: ({ penalty1Amount, penalty2Amount }) => numberCell(penalty1Amount + penalty2Amount, 0),
    },
    { title: "Why", cell: reasonOf },
    ...(outcomes.size === 0
      ? []
      : [
          {
            title: "What happened to the award",
            cell: ({ awardId }: AwardLine) => storyOf(outcomes.get(awardId), locale),
          },
        ]),
  ]);

const storyOf = (award: AwardRow | undefined, locale: PageLocale): Markup =>
  award === undefined
    ? html`<span class="na">–</span>`
    : html`<div class="sentence">${awardSentence(award, locale)}</div>`;

const imbalanceTable = (lines: readonly EnergyLine[], { currency, locale }: TableContext): Markup =>
  dataTable("Slots with the largest charges for imbalance", lines, [
    { title: "Slot", cell: ({ slotStartMs }) => locale.renderTime(slotStartMs) },
    { title: "VPP", cell: ({ group }) => group },
    { title: "Plan", unit: "kWh", align: "right", cell: ({ planKwh }) => numberCell(planKwh, 1) },
    { title: "Activated", unit: "kWh", align: "right", cell: ({ activatedKwh }) => numberCell(activatedKwh, 1) },
    { title: "Metered", unit: "kWh", align: "right", cell: ({ meteredKwh }) => numberCell(meteredKwh, 1) },
    { title: "Imbalance", unit: "kWh", align: "right", cell: ({ imbalanceKwh }) => numberCell(imbalanceKwh, 1) },
    {
      title: "Price",
      unit: `${currency}/kWh`,
      align: "right",
      cell: ({ imbalancePricePerKwh }) => numberCell(imbalancePricePerKwh, 2),
    },
    { title: "Amount", unit: currency, align: "right", cell: ({ imbalanceAmount }) => numberCell(imbalanceAmount, 0) },
    { title: "Why", cell: imbalanceReasonOf },
  ]);

/** The text on the difference between metered energy and the position of the group. */
function imbalanceReasonOf({ meteredKwh, imbalanceKwh }: EnergyLine): string {
  const isImport = 0 < meteredKwh;
  const amount = `${formatFixed(Math.abs(imbalanceKwh), 1)} kWh`;
  if (imbalanceKwh < 0) return `${amount} ${isImport ? "more import" : "less export"} than planned and activated`;
  return `${amount} ${isImport ? "less import" : "more export"} than planned and activated, at a negative price`;
}

const callTable = (lines: readonly CallLine[], { currency, locale }: TableContext): Markup =>
  dataTable("Calls of the capacity market", lines, [
    { title: "Start", cell: ({ startMs }) => locale.renderTime(startMs) },
    { title: "Binding", cell: ({ isBinding }) => (isBinding ? "yes" : "no") },
    { title: "Requested", unit: "kWh", align: "right", cell: ({ requestedKwh }) => numberCell(requestedKwh, 1) },
    { title: "Missed", unit: "kWh", align: "right", cell: ({ missedKwh }) => numberCell(missedKwh, 1) },
    { title: "Penalty", unit: currency, align: "right", cell: ({ penaltyAmount }) => numberCell(penaltyAmount, 0) },
  ]);

/** The text on a failed assessment. */
function reasonOf({ assessment1, missingKw, assessment2, samples, samplesBad, awardedKw }: AwardLine): string {
  const reasons: string[] = [];
  if (assessment1 === "fail")
    reasons.push(`${formatFixed(missingKw, 1)} kW of ${formatFixed(Math.abs(awardedKw), 1)} kW were not available`);
  if (assessment2 === "fail") reasons.push(`${samplesBad} of ${samples} samples were outside the band`);
  return reasons.join("; ");
}

const invoiceTable = (lines: readonly InvoiceLine[], currency: string): Markup =>
  dataTable("Invoices by month", lines, [
    { title: "Month", cell: ({ month }) => month },
    { title: "With", cell: ({ counterparty }) => (counterparty === TOTAL ? "" : counterparty) },
    { title: "Item", cell: ({ item }) => itemLabel(item) },
    { title: "Quantity", align: "right", cell: ({ quantity, unit }) => (unit === "" ? "" : numberCell(quantity, 1)) },
    { title: "Unit", cell: ({ unit }) => unit },
    { title: "Amount", unit: currency, align: "right", cell: ({ amount }) => numberCell(amount, 3) },
    { title: "Invoiced", unit: currency, align: "right", cell: ({ amountRounded }) => numberCell(amountRounded, 0) },
    { title: "Tax", unit: currency, align: "right", cell: ({ taxAmount }) => numberCell(taxAmount, 0) },
  ]);

/** Sign and key figure of each line of the profit. */
const LINES: readonly (readonly [sign: string, name: NumericKpiName])[] = [
  ["+", "capacity_jpy"],
  ["+", "award_energy_jpy"],
  ["−", "penalty_jpy"],
  ["−", "called_energy_cost_jpy"],
  ["−", "own_energy_cost_jpy"],
  ["−", "fees_jpy"],
  ["−", "wear_jpy"],
  ["=", "aggregator_margin_jpy"],
  ["−", "customer_energy_cost_jpy"],
  ["=", "profit_jpy"],
];

/** The ledger of the run, line by line; `null` without any price. */
export function moneySection(kpis: Kpis): Section | null {
  if (kpiValue(kpis, "profit_jpy") === null) return null;
  return {
    id: "money",
    contentsTitle: "Money",
    title: "Money",
    intro:
      "One account, in which each kWh has one price once: energy that an award prices is not priced at the market price again. A dash: no such price.",
    body: dataTable("Profit of the run", LINES, [
      { title: "", cell: ([sign]) => sign },
      { title: "Line", cell: ([, name]) => kpiOf(name).label },
      { title: "Amount", unit: "JPY", align: "right", cell: ([, name]) => numberCell(kpiValue(kpis, name), 2) },
      { title: "Meaning", cell: ([, name]) => kpiOf(name).meaning },
    ]),
  };
}
