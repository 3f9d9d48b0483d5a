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
    ["run without the plan", -480],
    ["energy cost", -30],
    ["capacity payment", -10],
    ["award energy", 0],
    ["penalty", -5],
    ["fees", 2],
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
    ["run without the plan", -100],
    ["settled reserve", -10],
    ["settled penalties", -7],
    ["settled imbalance", 3],
    ["settled network charges", -20],
  ]);
  expect(causes.reduce((sum, [, amount]) => sum + amount, 0)).toBe(1026 - 1160);
});
