// The money of the scenarios that ship: its sums, and figures of the quickstart that were computed from its printed energies and prices.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { expectSums } from "./expectSums.ts";

const FOLDER = join(import.meta.dirname, "../../scenarios");

/** The scenarios whose series are there; those of the fleets are generated. */
const FILES = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter(
    (file) =>
      /^(features|markets|studies)\/[^/]*(?<!\.study)\.yaml$/.test(file) || /^[^/]+\/scenario\.yaml$/.test(file),
  )
  .filter((file) => !file.startsWith("fleet-") && existsSync(join(FOLDER, file)))
  .sort();

test.each(FILES)("the sums of %s close", async (file) => {
  const { record } = await runScenario(loadScenario(join(FOLDER, file)));
  expectSums(record);
});

test("quickstart earns 61,795 JPY", async () => {
  expect(FILES.length).toBeGreaterThan(20);
  const { record } = await runScenario(loadScenario(join(FOLDER, "quickstart/scenario.yaml")));
  const { kpis, awards, sites } = record;
  // The energies have three decimals, which times a price of a half hour is up to some hundredths of a JPY.
  const near = (value: number | null | undefined, expected: number) =>
    expect(Math.abs((value ?? Number.NaN) - expected)).toBeLessThan(0.07);
  near(kpis.get("capacity_jpy"), 31_918.03);
  near(kpis.get("award_energy_jpy"), 14_352.218);
  near(kpis.get("penalty_jpy"), 24_917.68);
  near(kpis.get("called_energy_cost_jpy"), -40_670.485);
  near(kpis.get("own_energy_cost_jpy"), 228.197);
  near(kpis.get("customer_energy_cost_jpy"), 322_637.388);
  near(kpis.get("aggregator_margin_jpy"), 61_794.856);
  expect(kpis.get("profit_jpy")).toBe(-260_842.532);
  expect(kpis.get("delivered_share_pct")).toBeCloseTo((100 * 13_646.239) / 14_325, 3);
  const called: Readonly<Record<string, number>> = {
    "night-charge": 34_311.902,
    "morning-reserve": -39_741.975,
    "sunny-spell": 789.57,
    "noon-charge": 11_045.618,
    "afternoon-reserve": -9898.909,
    "evening-peak": -49_080.564,
    "late-reserve": -4522.751,
    "night-refill": 16_426.624,
    "noon-sale": 0,
  };
  for (const { awardId, energyCostJpy } of awards) near(energyCostJpy, called[awardId]);
  const customers = sites.flatMap(({ site, money }) =>
    money?.owner === "customer" ? [[site, money.customerEnergyCostJpy] as const] : [],
  );
  const expected = [
    ["pv-hill", -35_842.511],
    ["factory", 257_893.484],
    ["cold-store", 100_586.415],
  ] as const;
  expect(customers.map(([site]) => site)).toEqual(expected.map(([site]) => site));
  customers.forEach(([, jpy], k) => near(jpy, expected[k][1]));
});
