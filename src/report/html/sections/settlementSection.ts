import type { AwardLine, InvoiceLine, Settlement } from "../../../market/settlement.ts";
import { cashByDay, type ItemTotal, itemTotals, worstAwardSlots } from "../../../market/settlementSummary.ts";
import { renderFigure } from "../charts/chart.ts";
import { dailyCashChart } from "../charts/dailyCashChart.ts";
import { waterfallChart } from "../charts/waterfallChart.ts";
import { dataTable } from "../page/dataTable.ts";
import type { Section } from "../page/document.ts";
import { formatCount, formatFixed, formatList, numberCell } from "../page/format.ts";
import type { LocalClock } from "../page/localClock.ts";
import { html, type Markup } from "../page/markup.ts";

/** A settlement with what it was made by. */
export interface SettledRun {
  readonly settlement: Settlement;
  /** Title of the parameter set. */
  readonly parameterSet: string;
  readonly area: string;
  /** Upper-case code. */
  readonly currency: string;
  /** Values that are not from a primary source. */
  readonly unsure: readonly string[];
}

const WORST_SLOTS = 10;

/** From gross to net, day by day, worst slots and invoices (docs/model/settlement.md). */
export function settlementSection(run: SettledRun, clock: LocalClock): Section {
  const { settlement, currency } = run;
  const totals = itemTotals(settlement).filter(({ counterparty }) => counterparty !== "memo");
  const days = cashByDay(settlement, (atMs) => clock.formatShort(atMs).slice(0, 10));
  const worst = worstAwardSlots(settlement, WORST_SLOTS);
  return {
    id: "settlement",
    contentsTitle: "Settlement",
    title: "Settlement",
    intro: `${run.parameterSet}${run.area === "none" ? "" : `, area ${run.area}`}. Amounts in ${currency}: received positive, paid negative. ${unsureText(run.unsure)}`,
    body: html`${renderFigure(netCashChart(totals, currency))}${days.length > 1 && renderFigure(dailyCashChart(days, currency))}${worst.length > 0 && worstTable(worst, currency, clock)}${invoiceTable(settlement.invoice, currency)}`,
  };
}

const unsureText = (names: readonly string[]): string =>
  names.length === 0
    ? "All values of the parameter set are from primary sources or set by the scenario."
    : `${formatCount(names.length, "value")} of the parameter set ${names.length === 1 ? "is" : "are"} an assumption, not from a primary source: ${formatList(names)}.`;

const netCashChart = (totals: readonly ItemTotal[], currency: string) =>
  waterfallChart(
    [...totals]
      .filter(({ counterparty, amount }) => counterparty === "total" || amount !== 0)
      .sort((a, b) => Number(a.counterparty === "total") - Number(b.counterparty === "total") || b.amount - a.amount)
      .map(({ item, counterparty, amount }) => ({
        label: itemLabel(item),
        amount,
        isSum: counterparty === "total",
      })),
    {
      id: "net-cash",
      title: "From gross to net",
      unit: currency,
      caption: "What was received, then what was paid, to the cash of the whole run. Memo items are not included.",
    },
  );

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
};

const itemLabel = (item: string): string => ITEM_LABELS[item] ?? item.replaceAll("_", " ");

const worstTable = (lines: readonly AwardLine[], currency: string, clock: LocalClock): Markup =>
  dataTable("Slots with the largest penalties", lines, [
    { title: "Slot", cell: ({ slotStartMs }) => clock.renderTime(slotStartMs) },
    { title: "Award", cell: ({ awardId }) => awardId },
    { title: "VPP", cell: ({ vpp }) => vpp },
    {
      title: "Penalty",
      unit: currency,
      align: "right",
      cell: ({ penalty1, penalty2 }) => numberCell(penalty1 + penalty2, 0),
    },
    { title: "Why", cell: reasonOf },
  ]);

/** What failed, in words. */
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
    { title: "With", cell: ({ counterparty }) => (counterparty === "total" ? "" : counterparty) },
    { title: "Item", cell: ({ item }) => itemLabel(item) },
    { title: "Quantity", align: "right", cell: ({ quantity, unit }) => (unit === "" ? "" : numberCell(quantity, 1)) },
    { title: "Unit", cell: ({ unit }) => unit },
    { title: "Amount", unit: currency, align: "right", cell: ({ amount }) => numberCell(amount, 3) },
    { title: "Invoiced", unit: currency, align: "right", cell: ({ amountRounded }) => numberCell(amountRounded, 0) },
    { title: "Tax", unit: currency, align: "right", cell: ({ tax }) => numberCell(tax, 0) },
  ]);
