import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { kpiValue } from "../../src/accounting/kpis/kpiRegistry.ts";
import type { RunRecord } from "../../src/accounting/runRecord.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { planFiles } from "../../src/market/plan/planFiles.ts";
import type { PlanOptions } from "../../src/market/plan/planOptions.ts";
import { leftOutSites, planScenario } from "../../src/market/plan/planScenario.ts";
import { planTotals } from "../../src/market/plan/planTotals.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { textsIn } from "../../src/report/html/page/pageLocale.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const PRICES = Array.from({ length: 96 }, (_, k) => 10 + 8 * Math.sin((k / 48) * 2 * Math.PI) + (k % 7));

const SCENARIO = `version: 1
name: trading
start: 2026-04-01T00:00:00Z
end: 2026-04-03T00:00:00Z
series:
  prices: {file: prices.csv}
sites:
  - name: battery
    components:
      - {component_id: bat, component_type: battery, rated_cap: 1000, import_pwr_max: 250, export_pwr_max: 250,
         soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50}}
  - name: slow
    components:
      - {component_id: bat, component_type: battery, rated_cap: 1000, import_pwr_max: 250, export_pwr_max: 250,
         soc_op_min: 10, soc_op_max: 90, model: {ramp_kw_per_s: 1}}
vpps:
  - {name: trader, members: [{site: battery, resource_type: battery}]}
settlement:
  market: jp
  prices: {spot: prices.jpy, imbalance: prices.jpy}
`;

const OPTIONS: PlanOptions = {
  sites: [],
  forecast: "perfect",
  cyclesPerDay: null,
  feePerKwh: 0.03,
  wearPerKwh: 1,
  reserve: null,
};

const PLACE = { files: diskFiles, folder: "a", name: "trading-plan-a", patches: [] };

function inFolder(text: string, prices: readonly number[] = PRICES): string {
  const folder = createTemporaryFolder("plan");
  const rows = prices.map((price, k) => {
    const at = new Date(Date.UTC(2026, 3, 1) + k * 1_800_000).toISOString();
    return `${at},${price.toFixed(2)},${PRICES[k % PRICES.length].toFixed(2)}`;
  });
  writeFileSync(join(folder, "prices.csv"), `timestamp,jpy,forecast\n${rows.join("\n")}\n`);
  writeFileSync(join(folder, "scenario.yaml"), text);
  return folder;
}

test("the run of a plan trades the planned energy for the planned cash", async () => {
  const { plans, settlement, record } = await runPlanned(inFolder(SCENARIO), OPTIONS);
  expect(plans.map(({ site }) => site)).toEqual(["battery"]);
  const totals = planTotals(plans);
  const item = (name: string) => settlement?.invoice.find((line) => line.item === name)?.amount;
  expect(totals.energy_cash).toBeGreaterThan(1000);
  expect(item("spot")).toBeCloseTo(totals.energy_cash, 1);
  expect(item("jepx_fee")).toBeCloseTo(totals.fee_cash, 2);
  expect(Math.abs(item("imbalance") ?? 0)).toBeLessThan(0.1);
  expect(record.sites[0].exportKwh).toBeCloseTo(totals.discharged_kwh, 1);
  // Of the rated capacity, of which 80 % are usable.
  expect(record.sites[0].equivalentFullCycles).toBeCloseTo(totals.full_cycles, 3);
});

test("the run of a plan is charged its fee and its wear, which the settlement has as a memo", async () => {
  const folder = inFolder(SCENARIO);
  const { plans, settlement, record } = await runPlanned(folder, OPTIONS);
  expect(parse(readFileSync(join(folder, "planned/scenario.yaml"), "utf8")).market).toEqual({
    fee_per_kwh: 0.03,
    wear_per_kwh: 1,
  });
  const totals = planTotals(plans);
  expect(kpiValue(record.kpis, "fees_jpy")).toBeCloseTo(-totals.fee_cash, 2);
  expect(kpiValue(record.kpis, "wear_jpy")).toBeCloseTo(totals.discharged_kwh, 1);
  const memo = settlement?.invoice.find(({ item }) => item === "degradation");
  expect(memo?.amount).toBeCloseTo(-totals.discharged_kwh, 1);
  // Without either the scenario has no charges, and the memo is the estimate of the parameter set, 8 JPY/kWh.
  const free = inFolder(SCENARIO);
  const without = await runPlanned(free, { ...OPTIONS, feePerKwh: 0, wearPerKwh: 0 });
  expect(readFileSync(join(free, "planned/scenario.yaml"), "utf8")).not.toContain("_per_kwh");
  const estimate = without.settlement?.invoice.find(({ item }) => item === "degradation");
  expect(estimate?.amount).toBeCloseTo(-8 * planTotals(without.plans).discharged_kwh, 0);
});

test("a plan replaces the charges of its scenario by those that it is made with", async () => {
  const text = SCENARIO.replace("settlement:", "market: {fee_per_kwh: 0.5, wear_per_kwh: 4}\nsettlement:");
  const folder = inFolder(text);
  await runPlanned(folder, { ...OPTIONS, feePerKwh: 0, wearPerKwh: 4 });
  expect(parse(readFileSync(join(folder, "planned/scenario.yaml"), "utf8")).market).toEqual({
    fee_per_kwh: 0,
    wear_per_kwh: 4,
  });
});

test("a plan leaves the error of the reported slots", async () => {
  const error = { bias_kw: 5, spread_kw: 20, correlation_minutes: 60 };
  const baseline = `baseline: {method: zero, error: ${JSON.stringify(error)}}`;
  const folder = inFolder(SCENARIO.replace("  - name: battery\n", `  - name: battery\n    ${baseline}\n`));
  await runPlanned(folder, OPTIONS);
  const { sites } = parse(readFileSync(join(folder, "planned/scenario.yaml"), "utf8"));
  expect(sites[0].baseline).toEqual({ method: "series", series: expect.stringContaining("battery"), error });
  expect(sites[1]).not.toHaveProperty("baseline");
});

/** Runs what a plan of a scenario wrote. */
async function runPlanned(folder: string, options: PlanOptions) {
  const scenario = loadScenario(join(folder, "scenario.yaml"));
  const plans = await planScenario(scenario, options, () => {});
  const out = join(folder, "planned");
  mkdirSync(out);
  const files = planFiles(scenario, plans, options, { ...PLACE, folder: out, name: "trading-plan" });
  for (const [name, content] of files) writeFileSync(join(out, name), content);
  return { plans, ...(await runScenario(loadScenario(join(out, "scenario.yaml")))) };
}

const RESERVE = { sku: "frr", pricePerKw: 3, sustainedHours: 0.5 } as const;

test("limits by time of day and ageing cells hold the plan and its reserve without a shortfall", async () => {
  const limits = "  limits: {file: limits.csv}\n";
  const text = SCENARIO.replace("sites:\n", `${limits}sites:\n`)
    .replace(
      "  - name: battery\n",
      "  - name: battery\n    constraints: {site_import_max_kw: limits.kw, site_export_max_kw: limits.kw}\n",
    )
    .replace("initial_soc: 50}", "initial_soc: 90, ageing: {model: naumann_lfp, temperature_c: 45}}");
  const folder = inFolder(text);
  // 60 kW from 06:00 to 18:00, 250 kW at night.
  const rows = Array.from({ length: 8 }, (_, k) => {
    const at = new Date(Date.UTC(2026, 3, 1) + k * 21_600_000).toISOString();
    return `${at},${k % 4 === 1 || k % 4 === 2 ? 60 : 250}`;
  });
  writeFileSync(join(folder, "limits.csv"), `timestamp,kw\n${rows.join("\n")}\n`);
  const { plans, record, settlement } = await runPlanned(folder, { ...OPTIONS, reserve: RESERVE });
  const slots = plans[0].days.flatMap((day) => day.slots);
  for (const { startMs, kw } of slots) {
    const hour = (startMs / 3_600_000) % 24;
    expect(Math.abs(kw)).toBeLessThanOrEqual(6 <= hour && hour < 18 ? 60 : 250);
  }
  expect(record.awards.length).toBeGreaterThan(10);
  for (const award of record.awards) {
    expect(award.uncoveredKw).toBe(0);
    expect(award.compliancePct).toBe(100);
  }
  const imbalanceKwh = settlement?.energy.map(({ imbalanceKwh: kwh }) => Math.abs(kwh)) ?? [];
  expect(Math.max(...imbalanceKwh)).toBeLessThan(1e-3);
  // The second day is planned with what the cells have lost on the first one: 80 % of the capacity of the run.
  const [{ rows: ageing }] = record.componentTables;
  const capacityKwh = Number(ageing[0].cells[8]);
  expect(capacityKwh).toBeLessThan(998);
  expect(plans[0].days[1].usableKwh).toBeCloseTo(0.8 * capacityKwh, 6);
});

test("reserve is offered by a price of the scenario slot by slot, and paid by it", async () => {
  const folder = inFolder(
    SCENARIO.replace("sites:\n", "market: {reserve_price_per_kw_30min: {frr: prices.forecast}}\nsites:\n"),
    PRICES.map((_, k) => PRICES[(k + 24) % 96]),
  );
  const reserve = { ...RESERVE, pricePerKw: null };
  const { plans, settlement, record } = await runPlanned(folder, { ...OPTIONS, reserve });
  const slots = plans[0].days.flatMap((day) => day.slots);
  slots.forEach(({ reservePricePerKwSlot }, k) => {
    expect(reservePricePerKwSlot).toBeCloseTo(Number(PRICES[k].toFixed(2)), 9);
  });
  const dkw = settlement?.awards.reduce(
    (sum, { capacityPricePerKwSlot, awardedKw }) => sum - capacityPricePerKwSlot * awardedKw,
    0,
  );
  const rewarded = slots.reduce((sum, slot) => sum + slot.reservePricePerKwSlot * slot.reserveKw, 0);
  expect(dkw).toBeCloseTo(rewarded, 3);
  expect(record.awards.every(({ uncoveredKw }) => uncoveredKw === 0)).toBe(true);
  const other = await planScenario(
    loadScenario(join(folder, "scenario.yaml")),
    { ...OPTIONS, forecast: "previous_day", reserve },
    () => {},
  );
  expect(planTotals(other).cash).toBeLessThanOrEqual(planTotals(plans).cash + 1e-6);
  await expect(
    planScenario(
      loadScenario(join(folder, "scenario.yaml")),
      { ...OPTIONS, reserve: { ...reserve, sku: "rr" } },
      () => {},
    ),
  ).rejects.toThrow("no price of rr");
});

test("days are local days, of which the first one may be shorter", async () => {
  const local = SCENARIO.replace("name: trading\n", "name: trading\ntimezone: Asia/Tokyo\n");
  const plans = await planScenario(loadScenario(join(inFolder(local), "scenario.yaml")), OPTIONS, () => {});
  expect(plans[0].days.map(({ slots }) => slots.length)).toEqual([30, 48, 18]);
  const odd = local.replace("2026-04-01T00:00:00Z", "2026-04-01T00:10:00Z");
  await expect(planScenario(loadScenario(join(inFolder(odd), "scenario.yaml")), OPTIONS, () => {})).rejects.toThrow(
    "whole slots of 30 minutes",
  );
});

test("knowing the prices is never worth less, and a reserve is written as awards", async () => {
  const folder = inFolder(SCENARIO);
  const scenario = loadScenario(join(folder, "scenario.yaml"));
  const cashOf = async (changes: Partial<PlanOptions>) => {
    const plans = await planScenario(scenario, { ...OPTIONS, ...changes }, () => {});
    return { plans, cash: planTotals(plans).cash };
  };
  const perfect = await cashOf({});
  expect(perfect.cash).toBeGreaterThanOrEqual((await cashOf({ forecast: "previous_day" })).cash - 1e-6);
  const reserve = RESERVE;
  const withReserve = await cashOf({ reserve });
  expect(withReserve.cash).toBeGreaterThan(perfect.cash);
  const files = planFiles(scenario, withReserve.plans, { ...OPTIONS, reserve }, PLACE);
  const [header, first] = (files.get("reserve.csv") ?? "").split("\n");
  expect(header).toBe("vpp,award_id,sku,start,end,delta_kw,activation,price_jpy_per_kw_30min");
  expect(first).toMatch(/^trader,R-trader-\d+,frr,.*,-\d+\.\d,0,3$/);
});

/** Plans of each day by the price that came. */
async function plannedKw(
  prices: readonly number[],
  forecast: PlanOptions["forecast"],
  market = "",
): Promise<number[][]> {
  const days = prices.length / 48;
  const text = SCENARIO.replace("2026-04-03", `2026-04-${String(1 + days).padStart(2, "0")}`).replace(
    "sites:",
    `${market}sites:`,
  );
  const folder = inFolder(text, prices);
  const scenario = loadScenario(join(folder, "scenario.yaml"));
  const [{ days: planned }] = await planScenario(scenario, { ...OPTIONS, forecast }, () => {});
  return planned.map(({ slots }) => slots.map(({ kw }) => kw));
}

test("prices outside the forecast change no plan", async () => {
  const flat = Array.from({ length: 144 }, (_, k) => PRICES[k % 48]);
  // The second day turns out otherwise; the third one is planned with that.
  const other = flat.map((price, k) => (k < 48 || 96 <= k ? price : 60 - price));
  const [before, after] = [await plannedKw(flat, "previous_day"), await plannedKw(other, "previous_day")];
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[2]).not.toEqual(before[2]);
  expect((await plannedKw(other, "perfect"))[0]).not.toEqual(before[0]);
});

test("a forecast from a file is planned by, and is refused where there is none", async () => {
  const flat = Array.from({ length: 96 }, (_, k) => PRICES[k % 48]);
  const constant = flat.map(() => 10);
  const market = "market: {price_forecast: prices.forecast}\n";
  // Expected prices are those of the example: the plan is the one with foresight.
  expect(await plannedKw(constant, "file", market)).toEqual(await plannedKw(PRICES, "perfect"));
  await expect(plannedKw(flat, "file")).rejects.toThrow("no market.price_forecast");
});

test("the scenario of a plan names what the plan assumes, at the head of its report", async () => {
  const scenario = loadScenario(join(inFolder(SCENARIO), "scenario.yaml"));
  const options: PlanOptions = { ...OPTIONS, cyclesPerDay: 1.5 };
  const plans = await planScenario(scenario, options, () => {});
  const { name, description } = parse(planFiles(scenario, plans, options, PLACE).get("scenario.yaml") ?? "");
  expect(name).toBe("trading-plan-a");
  expect(description).toBe(
    "Planned with foresight: prices of the day and of the next one are known; cycles: at most 1.5 times the usable capacity a day; efficiency: 95 % charging, 95 % discharging; fees: 0.03 JPY per kWh bought or sold, wear 1 JPY per kWh discharged; ageing: none, the capacity stays as it is; awards: none; reserve: none; market: price taker, everything offered is taken; no network charges and taxes.",
  );
});

/** The market price values all energy, so that the profit of a run has nothing but the plan and the awards. */
const WITH_AWARDS = `${SCENARIO.replace(/settlement:[\s\S]*$/, "market: {energy_price: prices.jpy}\n")}awards:
  - {award_id: sale, vpp: trader, sku: exchange-da, start: "2026-04-01T05:15:00Z", end: "2026-04-01T07:00:00Z", delta_kw: -120}
  - {award_id: empties, vpp: trader, sku: frr, start: "2026-04-01T18:00:00Z", end: "2026-04-02T02:00:00Z", delta_kw: -240, penalty_jpy_per_kwh: 90}
  - {award_id: held, vpp: trader, sku: rr, start: "2026-04-02T05:00:00Z", end: "2026-04-02T08:00:00Z", delta_kw: 100, activation: 0}
instructions:
  - {award_id: fill, vpp: trader, at: "2026-04-02T12:10:00Z", delta_kw: 150, duration_minutes: 40}
`;

test("awards find the battery as without the plan, and the plan earns what it promises beside them", async () => {
  const folder = inFolder(WITH_AWARDS);
  const planned = await runPlanned(folder, { ...OPTIONS, feePerKwh: 0, wearPerKwh: 0 });
  const before = await runScenario(loadScenario(join(folder, "scenario.yaml")));
  const shortfalls = ({ record }: { record: RunRecord }) =>
    record.awards.map(({ shortfallKwh }) => expect.closeTo(shortfallKwh ?? 0, 0));
  expect(planned.record.awards.map(({ shortfallKwh }) => shortfallKwh)).toEqual(shortfalls(before));
  // The battery has (400 kWh − 210 kWh / 0.95) · 0.95 = 170 kWh for an award of 1,920 kWh.
  expect(before.record.awards[1].shortfallKwh).toBeCloseTo(1920 - 170, 6);
  const profit = ({ record }: { record: RunRecord }) => kpiValue(record.kpis, "profit_jpy") ?? 0;
  const { cash } = planTotals(planned.plans);
  expect(cash).toBeGreaterThan(2000);
  // Powers in tenths of a kW leave 0.05 kWh, which cost at most the penalty.
  expect(Math.abs(profit(planned) - profit(before) - cash)).toBeLessThan(5);
  const { awards, days } = planned.plans[0];
  // Slots touched: 4 from 05:00, 16 from 18:00, 6 from 05:00 and 2 from 12:00.
  expect(awards).toMatchObject({ hours: 14, exportKw: 240, importKw: 150, exportKwh: 380, importKwh: 100 });
  const hourOf = (atMs: number) => (atMs - Date.UTC(2026, 3, 1)) / 3_600_000;
  for (const { startMs, kw } of days.flatMap(({ slots }) => slots)) {
    const hour = hourOf(startMs);
    const isTaken = [
      [5, 7],
      [18, 26],
      [29, 32],
      [36, 37],
    ].some(([from, to]) => from <= hour && hour < to);
    if (isTaken) expect(kw).toBe(0);
  }
});

test("sites that are left out have a reason", () => {
  const text = SCENARIO.replace(
    "ramp_kw_per_s: 1}}",
    "ramp_kw_per_s: 1, response_delay_s: 5}}\n  - name: load\n    components: [{component_id: l, component_type: consumer, consumer_kind: factory, contract_kw: 50, max_demand_kw: 50, dr_capable: false, model: {load: prices.jpy}}]",
  );
  const scenario = loadScenario(join(inFolder(text), "scenario.yaml"));
  const slow = { site: "slow", reason: "a battery with ramp, delay" };
  const load = { site: "load", reason: "no battery" };
  expect(leftOutSites(scenario, [], textsIn("en"))).toEqual([slow, load]);
  expect(leftOutSites(scenario, ["slow"], textsIn("en"))).toEqual([
    { site: "battery", reason: "not selected" },
    slow,
    load,
  ]);
});

test("a site that cannot be planned, or a scenario without a price, is refused by name", async () => {
  const folder = inFolder(SCENARIO);
  const scenario = loadScenario(join(folder, "scenario.yaml"));
  await expect(planScenario(scenario, { ...OPTIONS, sites: ["slow"] }, () => {})).rejects.toThrow(
    "battery without ramp",
  );
  const bare = inFolder(SCENARIO.replace(/settlement:[\s\S]*$/, ""));
  const unpriced = loadScenario(join(bare, "scenario.yaml"));
  await expect(planScenario(unpriced, OPTIONS, () => {})).rejects.toThrow("market.energy_price");
});
