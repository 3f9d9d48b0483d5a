import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

// A factory of 500 kW on a retail tariff, with a baseline of 480 kW: 100 kW less than its load is 80 kW below the baseline.
const scenarioOf = (award: string, { values = "", rest = "" } = {}): string => `version: 1
name: retail
timezone: Asia/Tokyo
start: 2026-06-01T00:00:00+09:00
end: 2026-06-01T02:00:00+09:00
series:
  power: {file: power.csv}
sites:
  - name: factory
    components:
      - {component_id: line, component_type: consumer, consumer_kind: factory, contract_kw: 600, max_demand_kw: 600,
         dr_capable: true, max_dr_reduction_kw: 300, model: {load: power.load_kw}}
    baseline: {method: series, series: power.baseline_kw}
vpps:
  - {name: demand, members: [{site: factory, resource_type: consumer}]}
awards:
  - {vpp: demand, ${award}, start: 2026-06-01T00:30:00+09:00, end: 2026-06-01T01:30:00+09:00, delta_kw: -100}
settlement:
  market: jp
  values: {wheeling_charging: none, capacity_price_kw_year: 0, levy_kwh: 4${values}}
  prices: {spot: 20, imbalance: 30, retail: 16}
  retail_sites: [factory]
${rest}`;

async function settle(text: string) {
  const folder = createTemporaryFolder("retail");
  const file = join(folder, "scenario.yaml");
  writeFileSync(
    join(folder, "power.csv"),
    "timestamp,load_kw,baseline_kw\n2026-05-31T15:00:00Z,500,480\n2026-05-31T17:00:00Z,500,480\n",
  );
  writeFileSync(file, text);
  const { settlement } = await runScenario(loadScenario(file));
  const lines = (settlement?.energy ?? []).map(({ planKwh, activatedKwh, meteredKwh, imbalanceKwh }) =>
    [planKwh, activatedKwh, meteredKwh, imbalanceKwh].map((kwh) => Math.round(kwh * 1e6) / 1e6 || 0),
  );
  const items = Object.fromEntries((settlement?.invoice ?? []).map(({ item, amount }) => [item, amount]));
  return { lines, items, calls: settlement?.calls ?? [] };
}

test("the reserve of a retail site is activated without an imbalance of the group", async () => {
  const { lines, items } = await settle(scenarioOf("sku: rr, price_jpy_per_kw_30min: 3, v1_price_per_kwh: 30"));
  expect(lines).toEqual([
    [0, 0, 0, 0],
    [0, -40, -40, 0],
    [0, -40, -40, 0],
    [0, 0, 0, 0],
  ]);
  expect(items.activated).toBeCloseTo(80 * 30, 6);
  expect(items).not.toHaveProperty("imbalance");
  // 500 kW, and 400 kW while it reduces, at 16 and the levy of 4.
  expect(items.retail).toBeCloseTo(-(250 + 200 + 200 + 250) * 20, 6);
});

test("a sold reduction is a spot position; its shortfall is imbalance", async () => {
  const { lines, items } = await settle(
    scenarioOf("sku: negawatt-spot", { values: ", negawatt_compensation_kwh: 10" }),
  );
  expect(lines.slice(1, 3)).toEqual([
    [-50, 0, -40, -10],
    [-50, 0, -40, -10],
  ]);
  expect(items.spot).toBeCloseTo(100 * 20, 6);
  expect(items.imbalance).toBeCloseTo(-20 * 30, 6);
  expect(items.negawatt).toBeCloseTo(-80 * 10, 6);
});

test("a reduction below the baseline counts in a call of the capacity market", async () => {
  const rest = `  connection: {capacity_kw: 80}
  capacity_calls:
    - {start: 2026-06-01T00:30:00+09:00}
`;
  const award = "sku: rr, price_jpy_per_kw_30min: 3, v1_price_per_kwh: 30";
  const { calls } = await settle(scenarioOf(award, { values: ", capacity_duration_hours: 1.5", rest }));
  // 40 kWh in each half hour of the award; after it the load is above the baseline, which takes nothing away.
  expect(calls).toMatchObject([{ isBinding: true, requestedKwh: 120 }]);
  expect(calls[0].missedKwh).toBeCloseTo(40, 6);
});
