import { expect, test } from "vitest";
import { createKpis, type KpiName, type Kpis } from "../../src/accounting/kpis/kpiRegistry.ts";
import { cashDifference } from "../../src/market/plan/cashDifference.ts";

const TOTALS = { energy_cash: 900, fee_cash: -40, reserve_cash: 300, cash: 1160, discharged_kwh: 1, full_cycles: 1 };

/** Other key figures do not apply. */
const kpis = (values: Partial<Record<KpiName, number>>): Kpis => createKpis((name) => values[name] ?? null);

test("causes sum to the difference between a plan and the ledger of its run", () => {
  const without = { profit_jpy: -480, energy_cost_jpy: 500, capacity_jpy: 20 };
  // Energy 870 of 900, reserve 310 − 20 of 300, a penalty of 5, fees of 38 instead of 40; wear is no cash.
  const run = { profit_jpy: 607, energy_cost_jpy: -370, capacity_jpy: 310, penalty_jpy: 5, fees_jpy: 38, wear_jpy: 30 };
  const { cash, causes } = cashDifference(TOTALS, kpis(run), kpis(without));
  expect(cash).toBe(637);
  expect(causes).toEqual([
    ["plan.without", -480],
    ["kpi.energy_cost_jpy.label", -30],
    ["kpi.capacity_jpy.label", -10],
    ["kpi.award_energy_jpy.label", 0],
    ["kpi.penalty_jpy.label", -5],
    ["kpi.fees_jpy.label", 2],
  ]);
  expect(causes.reduce((sum, [, amount]) => sum + amount, 0)).toBe(637 - 1160);
});

test("a settlement has the fees, and its charges are causes", () => {
  const parts = {
    settled_reserve: 290,
    settled_activated: 0,
    settled_penalties: -7,
    settled_imbalance: 3,
    settled_capacity: 0,
  };
  const run = { settled_cash: 1026, settled_energy: 860, settled_network: -120, ...parts };
  const without = { settled_cash: -100, settled_energy: 0, settled_network: -100 };
  const { causes } = cashDifference(TOTALS, kpis(run), kpis(without));
  expect(causes.filter(([, amount]) => amount !== 0)).toEqual([
    ["plan.without", -100],
    ["kpi.settled_reserve.label", -10],
    ["kpi.settled_penalties.label", -7],
    ["kpi.settled_imbalance.label", 3],
    ["kpi.settled_network.label", -20],
  ]);
  expect(causes.reduce((sum, [, amount]) => sum + amount, 0)).toBe(1026 - 1160);
});
