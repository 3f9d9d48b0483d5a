// A day with a plant of every kind and two VPPs, with many scripted faults.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MS_PER_HOUR, MS_PER_MINUTE } from "../../../src/base/time.ts";
import { readServedScenario, type ServedScenario } from "../../../src/live/session/servedScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";

const START = "2026-04-01T00:00:00Z";
export const FUZZ_START_MS = Date.parse(START);
export const FUZZ_END_MS = FUZZ_START_MS + 30 * MS_PER_HOUR;

const battery = (id: string, kw: number) =>
  `{component_id: ${id}, component_type: battery, fcr_capable: true, rated_cap: ${2 * kw}, import_pwr_max: ${kw}, export_pwr_max: ${kw}, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 55, ramp_kw_per_s: 20}}`;
const solar = "component_type: generator, generator_kind: pv, pv_capacity_kw: 400, rated_output_kw: 350";
const load =
  "component_type: consumer, consumer_kind: factory, contract_kw: 900, max_demand_kw: 800, dr_capable: true, min_dr_reduction_kw: 20, max_dr_reduction_kw: 150, min_dr_duration_minutes: 10, min_dr_cooldown_minutes: 10";

/** @param seed  seed of the scenario's own outages */
const yaml = (seed: number): string => `
version: 1
name: fuzz
start: ${START}
end: ${new Date(FUZZ_END_MS).toISOString()}
seed: ${seed}
series:
  day: {file: day.csv}
frequency: {generator: {sigma_hz: 0.02, time_constant_s: 120}}
sites:
  - name: bat-{n}
    count: 2
    capability: {fcr_capable: true}
    components: [${battery("bat", 300)}]
    outages: {mtbf: PT8H, mttr: PT25M}
    link: {loss_probability: 0.2, latency_ms: 300}
    fcr_config: {freq_ref: 50, up_deadband: 0.01, low_deadband: 0.01, up_droop: 1, low_droop: 1}
  - name: sun
    components: [{component_id: roof, ${solar}, model: {generation: day.sun_kw}}]
  - name: works
    components: [{component_id: line, ${load}, model: {load: day.load_kw, rebound_fraction: 0.3, rebound_minutes: 30}}]
    baseline: {method: perfect}
  - name: engine
    components: [{component_id: engine, component_type: generator, generator_kind: thermal, fuel_type: gas, rated_output_kw: 500, min_output_kw: 100, ramp_rate_kw_per_min: 60}]
    baseline: {method: constant, kw: -200}
  - name: campus
    capability: {fcr_capable: true, reverse_flow_allowed: true}
    constraints: {voltage_class: high, site_import_max_kw: 1200, site_export_max_kw: 500}
    components:
      - ${battery("store", 200)}
      - {component_id: roof, ${solar}, model: {generation: day.sun_kw}}
      - {component_id: office, ${load}, model: {load: day.load_kw}}
    baseline: {method: constant, kw: 250}
  - name: spare
    components: [${battery("bat", 100)}]
vpps:
  - name: east
    members:
      - {site: bat-1, resource_type: battery, allocation_weight: 300}
      - {site: sun, resource_type: generator, allocation_weight: 50}
      - {site: works, resource_type: consumer, allocation_weight: 60.5}
      - {site: campus, resource_type: multi_component, allocation_weight: 120}
  - name: west
    members:
      - {site: bat-2, resource_type: battery}
      - {site: engine, resource_type: generator}
awards:
  - {award_id: morning, vpp: east, sku: frr, start: 2026-04-01T05:00:00Z, end: 2026-04-01T07:30:00Z, delta_kw: -250}
  - {award_id: width, vpp: west, sku: fcr, start: 2026-04-01T02:00:00Z, end: 2026-04-01T09:00:00Z, fcr_response_kw: 120}
events:
  - {at: 2026-04-01T06:00:00Z, kind: link_down, site: bat-1, duration: PT30M}
report: {interval: PT30M, power_interval: PT5M, formats: [csv]}
`;

/** Load and irradiance in steps of ten minutes, with one step of irregular length. */
function dayCsv(): string {
  const rows: string[] = [];
  for (let atMs = FUZZ_START_MS; atMs <= FUZZ_END_MS; atMs += 10 * MS_PER_MINUTE) {
    const k = (atMs - FUZZ_START_MS) / (10 * MS_PER_MINUTE);
    rows.push(
      `${new Date(atMs).toISOString()},${300 + 20 * ((7 * k) % 11)},${Math.max(0, 300 - 5 * Math.abs(k - 80))}`,
    );
  }
  return `timestamp,load_kw,sun_kw\n${rows.join("\n")}\n`;
}

/** On disk, where a run of an export finds the series. */
export function fuzzScenario(seed: number): ServedScenario {
  const folder = createTemporaryFolder("fuzz");
  writeFileSync(join(folder, "scenario.yaml"), yaml(seed));
  writeFileSync(join(folder, "day.csv"), dayCsv());
  return readServedScenario(join(folder, "scenario.yaml"));
}
