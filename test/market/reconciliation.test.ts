// The ledger beside the settled cash: a year of a battery, and every item of an invoice.
import { describe, expect, test } from "vitest";
import { createKpis, type KpiName } from "../../src/accounting/kpis/kpiRegistry.ts";
import { reconcile } from "../../src/market/reconciliation.ts";
import { type InvoiceLine, MEMO, type Settlement, TOTAL } from "../../src/market/settlement.ts";

const line = (item: string, part: InvoiceLine["part"], amount: number, counterparty = "x"): InvoiceLine => ({
  month: "2026-04",
  counterparty,
  item,
  part,
  quantity: 1,
  unit: "",
  amount,
  amountRounded: Math.round(amount),
  taxAmount: 0,
});

const settlementOf = (...invoice: readonly InvoiceLine[]): Settlement => ({
  awards: [],
  energy: [],
  calls: [],
  invoice,
});

const NO_SITES = new Set<number>();

const kpisOf = (values: Partial<Record<KpiName, number>>) => createKpis((name) => values[name] ?? null);

describe("a battery that trades", () => {
  const kpis = kpisOf({
    own_energy_cost_jpy: -151_055_044.056,
    called_energy_cost_jpy: 0,
    customer_energy_cost_jpy: 0,
    profit_jpy: 151_055_044.056,
  });
  const found = reconcile(
    kpis,
    settlementOf(
      line("spot", "energy", 151_055_044.056),
      line("jepx_fee", "energy", -1_422_587.373),
      line("wheeling_energy", "network", -5_391_875.096),
      line("total_cash", null, 144_240_581.587, TOTAL),
      line("degradation", null, -7, MEMO),
    ),
    NO_SITES,
  );

  test("differs from its ledger by fees and network charges alone", () => {
    expect(found?.lines.filter(({ difference }) => difference !== 0)).toEqual([
      { line: "fees", ledger: 0, settled: -1_422_587.373, difference: -1_422_587.373 },
      { line: "network", ledger: 0, settled: -5_391_875.096, difference: -5_391_875.096 },
    ]);
    expect([found?.ledger, found?.settled, found?.difference]).toEqual([
      151_055_044.056, 144_240_581.587, -6_814_462.469,
    ]);
    expect([found?.isCustomersJoined, found?.wear, found?.degradation]).toEqual([true, null, -7]);
  });
});

test("the customers' energy is a line of its own where they have retail tariffs, and wear is below the sum", () => {
  const kpis = kpisOf({
    capacity_jpy: 900,
    award_energy_jpy: 6450,
    penalty_jpy: 3375,
    called_energy_cost_jpy: 450,
    own_energy_cost_jpy: -1000,
    customer_energy_cost_jpy: 5000,
    fees_jpy: 435,
    wear_jpy: 900,
    profit_jpy: -1810,
  });
  const settlement = settlementOf(
    line("capacity", "reserve", 880),
    line("capacity", "capacity", 100),
    line("retail", "energy", -5200),
    line("retail_basic", "energy", -30),
    line("fip", "energy", 12),
    line("capacity_penalty", "penalties", -1),
    line("total_cash", null, -4239, TOTAL),
  );
  const ledgerOf = (retailSites: ReadonlySet<number>) =>
    reconcile(kpis, settlement, retailSites)?.lines.map(({ ledger }) => ledger);
  expect(ledgerOf(new Set([1]))).toEqual([900, 6450, -3375, 550, -5000, 0, -435, 0, 0]);
  expect(ledgerOf(NO_SITES)).toEqual([900, 6450, -3375, -4450, 0, 0, -435, 0, 0]);
  const found = reconcile(kpis, settlement, new Set([1]));
  expect(found?.lines.map(({ settled }) => settled)).toEqual([880, 0, 0, 0, -5230, 12, 0, 0, 99]);
  expect([found?.ledger, found?.wear]).toEqual([-910, 900]);
});

test("nothing priced: no reconciliation", () => expect(reconcile(kpisOf({}), settlementOf(), NO_SITES)).toBeNull());
