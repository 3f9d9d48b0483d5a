import { type Kpis, kpiValue, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import type { TextKey } from "../../texts/catalogue.ts";
import type { PlanTotals } from "./planTotals.ts";

/** A part of the cash of a run: its key figure, the sign in the cash, and what a plan has of it. */
type CashPart = readonly [name: NumericKpiName, sign: 1 | -1, planned?: (totals: PlanTotals) => number];

const SETTLED_PARTS: readonly CashPart[] = [
  ["settled_energy", 1, ({ energy_cash, fee_cash }) => energy_cash + fee_cash],
  ["settled_reserve", 1, ({ reserve_cash }) => reserve_cash],
  ["settled_activated", 1],
  ["settled_penalties", 1],
  ["settled_imbalance", 1],
  ["settled_network", 1],
  ["settled_capacity", 1],
];

const LEDGER_PARTS: readonly CashPart[] = [
  ["energy_cost_jpy", -1, ({ energy_cash }) => energy_cash],
  ["capacity_jpy", 1, ({ reserve_cash }) => reserve_cash],
  ["award_energy_jpy", 1],
  ["penalty_jpy", -1],
  ["fees_jpy", -1, ({ fee_cash }) => fee_cash],
];

/** The cash of the run of a plan; the causes sum to what it has more than the plan. */
export interface CashDifference {
  readonly cash: number;
  readonly causes: readonly (readonly [cause: TextKey, amount: number])[];
}

/** @param without  key figures of the run without the plan (docs/model/planning.md#difference) */
export function cashDifference(totals: PlanTotals, run: Kpis, without: Kpis): CashDifference {
  const isSettled = kpiValue(run, "settled_cash") !== null;
  const parts = isSettled ? SETTLED_PARTS : LEDGER_PARTS;
  // Wear is a cost, but no cash.
  const cashOf = (kpis: Kpis): number =>
    isSettled
      ? (kpiValue(kpis, "settled_cash") ?? 0)
      : (kpiValue(kpis, "profit_jpy") ?? 0) + (kpiValue(kpis, "wear_jpy") ?? 0);
  const changes = parts.map(([name, sign, planned]) => {
    const change = sign * ((kpiValue(run, name) ?? 0) - (kpiValue(without, name) ?? 0));
    return [`kpi.${name}.label` as const, change - (planned?.(totals) ?? 0)] as const;
  });
  return { cash: cashOf(run), causes: [["plan.without", cashOf(without)], ...changes] };
}
