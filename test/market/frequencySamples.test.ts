import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

// 1,000 kW with a droop of 1 %: 0.05 Hz beyond the dead band are 1,000 · 0.001 / 0.01 = 100 kW. The frequency is low for ten
// minutes of each half hour.
const scenarioOf = ({ model = "", values = "", rest = "" }): string => `version: 1
name: containment
timezone: Asia/Tokyo
start: 2026-06-01T00:00:00+09:00
end: 2026-06-01T01:00:00+09:00
series:
  grid: {file: grid.csv}
frequency: {series: grid}
sites:
  - name: battery
    capability: {fcr_capable: true}
    components:
      - {component_id: bat, component_type: battery, fcr_capable: true, rated_cap: 2000, import_pwr_max: 1000,
         export_pwr_max: 1000, soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 50${model}}}
    fcr_config: {freq_ref: 50, up_deadband: 0.01, low_deadband: 0.01, up_droop: 1, low_droop: 1}
vpps:
  - {name: v, members: [{site: battery, resource_type: battery}]}
awards:
  - {vpp: v, award_id: F, sku: fcr, start: 2026-06-01T00:00:00+09:00, end: 2026-06-01T01:00:00+09:00, fcr_response_kw: 400,
     price_jpy_per_kw_30min: 2}
settlement:
  market: jp
  values: {wheeling_charging: none, capacity_price_kw_year: 0${values}}
  prices: {spot: 20, imbalance: 30}
${rest}`;

const FREQUENCY = [
  ["00:00", 50],
  ["00:10", 49.94],
  ["00:20", 50],
  ["00:40", 49.94],
  ["00:50", 50],
] as const;

async function settle(parts: Parameters<typeof scenarioOf>[0]) {
  const folder = createTemporaryFolder("containment");
  const rows = FREQUENCY.map(([time, hz]) => `2026-06-01T${time}:00+09:00,${hz}`);
  writeFileSync(join(folder, "grid.csv"), `timestamp,frequency_hz\n${rows.join("\n")}\n`);
  writeFileSync(join(folder, "scenario.yaml"), scenarioOf(parts));
  const { settlement } = await runScenario(loadScenario(join(folder, "scenario.yaml")));
  return settlement?.awards ?? [];
}

const assessed = (lines: Awaited<ReturnType<typeof settle>>) =>
  lines.map(({ samples, samplesBad, assessment2, penalty2Amount }) => [
    samples,
    samplesBad,
    assessment2,
    penalty2Amount,
  ]);

test("a response that follows the droop passes at every second with a request", async () => {
  const lines = await settle({});
  expect(assessed(lines)).toEqual([
    [600, 0, "ok", 0],
    [600, 0, "ok", 0],
  ]);
  // The energy of the response is imbalance, the capacity is paid.
  expect(lines.map(({ activatedKwh, capacityAmount }) => [activatedKwh, capacityAmount])).toEqual([
    [0, 800],
    [0, 800],
  ]);
});

test("a device that does not respond fails the slot, with the seconds and the kW that it missed", async () => {
  const rest = "events:\n  - {at: 2026-06-01T00:15:00+09:00, kind: fcr_fault, site: battery, duration: PT10M}\n";
  // 300 of 600 seconds, 100 kW each: half of the award, or 50 kW in the mean.
  const penalties = { whole_award: -1.5 * 2 * 400, failed_samples: -1.5 * 2 * 200, missing_kw: -1.5 * 2 * 50 };
  for (const [base, penalty] of Object.entries(penalties)) {
    const lines = await settle({ values: `, penalty_base_2: ${base}`, rest });
    // The band is 10 % of the award.
    expect(lines[0].miss2).toEqual({ missedKw: expect.closeTo(100, 2), bandKw: 40, isMean: false });
    const [first, second] = assessed(lines);
    expect(first.slice(0, 3)).toEqual([600, 300, "fail"]);
    expect(first[3]).toBeCloseTo(penalty, 2);
    expect(second).toEqual([600, 0, "ok", 0]);
  }
});

test.each([
  // 100 kW after 10 s: until then, the requests of the last ten seconds allow what is delivered.
  [10, 0, "ok"],
  // 52.5 and 57.5 kW in the seconds 10 and 11 of a request of 100 kW with a band of 40 kW.
  [5, 2, "fail"],
])("a ramp of %d kW/s makes %i bad samples at the beginning of a deviation", async (ramp, bad, verdict) => {
  const [first] = assessed(await settle({ model: `, ramp_kw_per_s: ${ramp}` }));
  expect(first.slice(0, 3)).toEqual([600, bad, verdict]);
});

test("one sample a minute has the power of its first second", async () => {
  const [first] = assessed(await settle({ values: ", sample_seconds: {default: 60}" }));
  expect(first.slice(0, 3)).toEqual([10, 0, "ok"]);
});
