// Sums that the money of every run must close, as printed (docs/model/money.md#by-award).
import { expect } from "vitest";
import type { NumericKpiName } from "../../src/accounting/kpis/kpiRegistry.ts";
import type { SiteMoneyRow } from "../../src/accounting/ledger/moneyRows.ts";
import type { RunRecord } from "../../src/accounting/runRecord.ts";
import { toThousandths } from "../../src/base/rounding.ts";

/** The sum in thousandths of a JPY; `null` where no row has the amount. */
function sumOf<Row>(rows: readonly Row[], of: (row: Row) => number | null): number | null {
  const amounts = rows.map(of).filter((amount) => amount !== null);
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + toThousandths(amount), 0);
}

/** Every sum of a run that must close, with what it must be. */
export function expectSums(record: RunRecord): void {
  const { awards, sites, siteless, kpis } = record;
  const kpi = (name: NumericKpiName): number => toThousandths(kpis.get(name) ?? 0);
  const rows = [...sites.map(({ money }) => money), siteless].filter((row): row is SiteMoneyRow => row !== null);
  const expectSum = (name: NumericKpiName, sum: number | null): void =>
    expect([name, sum ?? 0]).toEqual([name, kpi(name)]);
  for (const list of [awards, rows]) {
    expectSum(
      "capacity_jpy",
      sumOf<(typeof list)[number]>(list, ({ capacityJpy }) => capacityJpy),
    );
    expectSum(
      "award_energy_jpy",
      sumOf<(typeof list)[number]>(list, ({ awardEnergyJpy }) => awardEnergyJpy),
    );
    expectSum(
      "revenue_jpy",
      sumOf<(typeof list)[number]>(list, ({ revenueJpy }) => revenueJpy),
    );
    expectSum(
      "penalty_jpy",
      sumOf<(typeof list)[number]>(list, ({ penaltyJpy }) => penaltyJpy),
    );
    expectSum(
      "called_energy_cost_jpy",
      sumOf<(typeof list)[number]>(list, ({ energyCostJpy }) => energyCostJpy),
    );
  }
  expectSum(
    "own_energy_cost_jpy",
    sumOf(rows, ({ ownEnergyCostJpy }) => ownEnergyCostJpy),
  );
  expectSum(
    "customer_energy_cost_jpy",
    sumOf(rows, ({ customerEnergyCostJpy }) => customerEnergyCostJpy),
  );
  expectSum(
    "fees_jpy",
    sumOf(rows, ({ feesJpy }) => feesJpy),
  );
  expectSum(
    "wear_jpy",
    sumOf(rows, ({ wearJpy }) => wearJpy),
  );
  expectSum(
    "aggregator_margin_jpy",
    sumOf(rows, ({ marginJpy }) => marginJpy),
  );
  const ownLines = kpi("own_energy_cost_jpy") + kpi("fees_jpy") + kpi("wear_jpy");
  expectSum("aggregator_margin_jpy", (sumOf(awards, ({ marginJpy }) => marginJpy) ?? 0) - ownLines);
  expect(kpi("profit_jpy")).toBe(kpi("aggregator_margin_jpy") - kpi("customer_energy_cost_jpy"));
  expect(kpi("energy_cost_jpy")).toBe(
    kpi("called_energy_cost_jpy") + kpi("own_energy_cost_jpy") + kpi("customer_energy_cost_jpy"),
  );
  const { revenue, penalty, energy } = {
    revenue: "revenue_jpy",
    penalty: "penalty_jpy",
    energy: "energy_cost_jpy",
  } as const;
  expect(kpi("profit_jpy")).toBe(kpi(revenue) - kpi(penalty) - kpi(energy) - kpi("fees_jpy") - kpi("wear_jpy"));
}
