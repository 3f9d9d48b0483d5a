// The ledger of a run beside its settled cash, line by line (docs/model/settlement.md#reconciliation).
import { type Kpis, kpiValue, type NumericKpiName } from "../accounting/kpis/kpiRegistry.ts";
import { partsOf } from "../accounting/ledger/partsOf.ts";
import { roundTo } from "../base/rounding.ts";
import { MEMO, type Settlement, TOTAL } from "./settlement.ts";

/** In the order of the table. */
const LINES = [
  "capacity",
  "activated",
  "penalties",
  "energy",
  "customers",
  "premiums",
  "fees",
  "network",
  "capacity_market",
] as const;

type ReconciliationLine = (typeof LINES)[number];

/** The line of each item of cash of every market but `capacity`, whose part of the cash says which market it is of. */
const LINE_OF_ITEM: Readonly<Record<string, ReconciliationLine>> = {
  dkw: "capacity",
  activated: "activated",
  penalty_1: "penalties",
  penalty_2: "penalties",
  non_availability: "penalties",
  spot: "energy",
  day_ahead: "energy",
  intraday: "energy",
  imbalance: "energy",
  retail: "customers",
  retail_basic: "customers",
  fip: "premiums",
  negawatt: "premiums",
  eprx_fee: "fees",
  jepx_fee: "fees",
  exchange_fee: "fees",
  wheeling_basic: "network",
  wheeling_energy: "network",
  generator_basic: "network",
  generator_energy: "network",
  capacity_penalty: "capacity_market",
};

/** Received +, paid −, as printed. */
export interface ReconciledLine {
  readonly line: ReconciliationLine;
  readonly ledger: number;
  readonly settled: number;
  readonly difference: number;
}

export interface Reconciliation {
  /** They add up to the sums below. */
  readonly lines: readonly ReconciledLine[];
  /** The profit before wear. */
  readonly ledger: number;
  readonly settled: number;
  readonly difference: number;
  /** Whether the customers' energy is in the line of energy, because the settlement has no retail sites. */
  readonly isCustomersJoined: boolean;
  /** Memos, in no sum; `null`: no such price. */
  readonly wear: number | null;
  readonly degradation: number | null;
}

/** @param retailSites  sites with a retail tariff @returns `null` without any price */
export function reconcile(kpis: Kpis, settlement: Settlement, retailSites: ReadonlySet<number>): Reconciliation | null {
  const hasRetailSites = retailSites.size > 0;
  const profit = kpiValue(kpis, "profit_jpy");
  if (profit === null) return null;
  const wear = kpiValue(kpis, "wear_jpy");
  const value = (name: NumericKpiName): number => kpiValue(kpis, name) ?? 0;
  const customers = -value("customer_energy_cost_jpy");
  const energy = -value("called_energy_cost_jpy") - value("own_energy_cost_jpy");
  const ledger: Readonly<Record<ReconciliationLine, number>> = {
    capacity: value("capacity_jpy"),
    activated: value("award_energy_jpy"),
    penalties: -value("penalty_jpy"),
    energy: hasRetailSites ? energy : energy + customers,
    customers: hasRetailSites ? customers : 0,
    premiums: 0,
    fees: -value("fees_jpy"),
    network: 0,
    capacity_market: 0,
  };
  const settled = settledLines(settlement);
  const lines = LINES.map((line, k) => ({
    line,
    ledger: roundTo(ledger[line], 3),
    settled: settled.lines[k],
    difference: roundTo(settled.lines[k] - ledger[line], 3),
  }));
  const sum = roundTo(profit + (wear ?? 0), 3);
  return {
    lines,
    ledger: sum,
    settled: settled.cash,
    difference: roundTo(settled.cash - sum, 3),
    isCustomersJoined: !hasRetailSites,
    wear,
    degradation: memoOf(settlement, "degradation"),
  };
}

/** Cash by line, which adds up to the cash in print. */
function settledLines({ invoice }: Settlement): { readonly lines: Float64Array; readonly cash: number } {
  const sums = new Float64Array(LINES.length);
  let cash = 0;
  for (const { item, counterparty, part, amount } of invoice) {
    if (counterparty === TOTAL) cash += amount;
    if (counterparty === TOTAL || counterparty === MEMO) continue;
    const line =
      part === "capacity"
        ? "capacity_market"
        : part === "reserve" && item === "capacity"
          ? "capacity"
          : LINE_OF_ITEM[item];
    sums[LINES.indexOf(line)] += amount;
  }
  cash = roundTo(cash, 3);
  return { lines: partsOf(cash, sums), cash };
}

function memoOf({ invoice }: Settlement, name: string): number | null {
  const lines = invoice.filter(({ item, counterparty }) => item === name && counterparty === MEMO);
  return lines.length === 0
    ? null
    : roundTo(
        lines.reduce((sum, { amount }) => sum + amount, 0),
        3,
      );
}
