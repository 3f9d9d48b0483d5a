import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import type { Currency } from "../../base/currency.ts";
import {
  type AwardLine,
  type CallLine,
  type EnergyLine,
  type InvoiceLine,
  netOf,
  type Settlement,
} from "../../market/settlement.ts";
import { type RowColumn, rowsToBlock } from "./rowsToBlock.ts";

/** One table of a settlement, by its file stem. */
interface SettlementTable {
  readonly stem: "settlement_awards" | "settlement_energy" | "settlement_calls" | "invoice";
  readonly block: TableBlock;
}

/** Without calls there is no table of calls. Columns with amounts end in the currency. */
export function settlementTables(settlement: Settlement, code: Currency, area: string): readonly SettlementTable[] {
  const currency = code.toLowerCase();
  const calls = rowsToBlock(settlement.calls, callColumns(currency));
  return [
    { stem: "settlement_awards", block: rowsToBlock(settlement.awards, awardColumns(currency, area)) },
    { stem: "settlement_energy", block: rowsToBlock(settlement.energy, energyColumns(currency, area)) },
    ...(settlement.calls.length === 0 ? [] : [{ stem: "settlement_calls" as const, block: calls }]),
    { stem: "invoice", block: rowsToBlock(settlement.invoice, invoiceColumns(currency)) },
  ];
}

type Columns<Row> = readonly RowColumn<Row>[];

const awardColumns = (currency: string, area: string): Columns<AwardLine> => [
  { name: "slot_start", kind: "instant", of: (line) => line.slotStartMs },
  { name: "vpp_id", kind: "name", of: (line) => line.vpp },
  { name: "award_id", kind: "text", of: (line) => line.awardId },
  { name: "sku", kind: "name", of: (line) => line.sku },
  { name: "area", kind: "name", of: () => area },
  { name: "awarded_kw", kind: "thousandths", of: (line) => line.awardedKw },
  { name: "dkw_price", kind: "thousandths", of: (line) => line.capacityPricePerKwSlot },
  { name: "dkw_price_settled", kind: "thousandths", of: (line) => line.settledPricePerKwSlot },
  { name: `dkw_${currency}`, kind: "thousandths", of: (line) => line.capacityAmount },
  { name: `fee_${currency}`, kind: "thousandths", of: (line) => line.feeAmount },
  { name: "available_kw", kind: "thousandths", of: (line) => line.availableKw },
  { name: "assess1", kind: "name", of: (line) => line.assessment1 },
  { name: "miss1_kw", kind: "thousandths", of: (line) => line.missingKw },
  { name: "samples", kind: "integer", of: (line) => line.samples },
  { name: "samples_bad", kind: "integer", of: (line) => line.samplesBad },
  { name: "assess2", kind: "name", of: (line) => line.assessment2 },
  { name: `penalty_1_${currency}`, kind: "thousandths", of: (line) => line.penalty1Amount },
  { name: `penalty_2_${currency}`, kind: "thousandths", of: (line) => line.penalty2Amount },
  { name: "requested_kwh", kind: "thousandths", of: (line) => line.requestedKwh },
  { name: "delivered_kwh", kind: "thousandths", of: (line) => line.deliveredKwh },
  { name: "activated_kwh", kind: "thousandths", of: (line) => line.activatedKwh },
  { name: "v_price", kind: "thousandths", of: (line) => line.activatedPricePerKwh },
  { name: `activated_${currency}`, kind: "thousandths", of: (line) => line.activatedAmount },
  { name: `net_${currency}`, kind: "thousandths", of: netOf },
];

const energyColumns = (currency: string, area: string): Columns<EnergyLine> => [
  { name: "slot_start", kind: "instant", of: (line) => line.slotStartMs },
  { name: "group_id", kind: "name", of: (line) => line.group },
  { name: "area", kind: "name", of: () => area },
  { name: "plan_kwh", kind: "thousandths", of: (line) => line.planKwh },
  { name: "spot_kwh", kind: "thousandths", of: (line) => line.spotKwh },
  { name: "spot_price", kind: "thousandths", of: (line) => line.spotPricePerKwh },
  { name: `spot_${currency}`, kind: "thousandths", of: (line) => line.spotAmount },
  { name: "intraday_kwh", kind: "thousandths", of: (line) => line.intradayKwh },
  { name: `intraday_${currency}`, kind: "thousandths", of: (line) => line.intradayAmount },
  { name: `market_fee_${currency}`, kind: "thousandths", of: (line) => line.marketFeeAmount },
  { name: "metered_kwh", kind: "thousandths", of: (line) => line.meteredKwh },
  { name: "activated_kwh", kind: "thousandths", of: (line) => line.activatedKwh },
  { name: "imbalance_kwh", kind: "thousandths", of: (line) => line.imbalanceKwh },
  { name: "imbalance_price", kind: "thousandths", of: (line) => line.imbalancePricePerKwh },
  { name: `imbalance_${currency}`, kind: "thousandths", of: (line) => line.imbalanceAmount },
  { name: "wheeling_kwh", kind: "thousandths", of: (line) => line.wheelingKwh },
  { name: `fip_${currency}`, kind: "thousandths", of: (line) => line.premiumAmount },
  { name: `retail_${currency}`, kind: "thousandths", of: (line) => line.retailAmount },
  { name: `avoided_${currency}`, kind: "thousandths", of: (line) => line.avoidedAmount },
  { name: `degradation_${currency}`, kind: "thousandths", of: (line) => line.degradationAmount },
  { name: `spot_value_${currency}`, kind: "thousandths", of: (line) => line.spotValueAmount },
];

const callColumns = (currency: string): Columns<CallLine> => [
  { name: "call_start", kind: "instant", of: (line) => line.startMs },
  { name: "binding", kind: "integer", of: ({ isBinding }) => Number(isBinding) },
  { name: "requested_kwh", kind: "thousandths", of: (line) => line.requestedKwh },
  { name: "missed_kwh", kind: "thousandths", of: (line) => line.missedKwh },
  { name: `penalty_${currency}`, kind: "thousandths", of: (line) => line.penaltyAmount },
];

const invoiceColumns = (currency: string): Columns<InvoiceLine> => [
  { name: "month", kind: "text", of: (line) => line.month },
  { name: "counterparty", kind: "name", of: (line) => line.counterparty },
  { name: "item", kind: "name", of: (line) => line.item },
  { name: "quantity", kind: "thousandths", of: (line) => line.quantity },
  { name: "unit", kind: "name", of: (line) => line.unit },
  { name: `amount_${currency}`, kind: "thousandths", of: (line) => line.amount },
  { name: `amount_rounded_${currency}`, kind: "thousandths", of: (line) => line.amountRounded },
  { name: `tax_${currency}`, kind: "thousandths", of: (line) => line.taxAmount },
];
