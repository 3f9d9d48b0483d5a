import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario, type ServedScenario } from "../../src/live/session/servedScenario.ts";

export const START = "2026-04-01T00:00:00Z";
export const START_MS = Date.parse(START);
export const END_MS = Date.parse("2026-04-01T06:00:00Z");

/** Two batteries and a consumer in one VPP, an award in the second hour. */
const YAML = `
version: 1
name: tiny
start: ${START}
end: 2026-04-01T06:00:00Z
seed: 7
series:
  load: {file: load.csv}
sites:
  - name: battery-{n}
    count: 2
    components:
      - {component_id: bat, component_type: battery, fcr_capable: true, rated_cap: 500, import_pwr_max: 200, export_pwr_max: 200, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50, ramp_kw_per_s: 20}}
    outages: {mtbf: PT3H, mttr: PT20M}
    link: {loss_probability: 0.3, latency_ms: 200}
  - name: plant
    components:
      - {component_id: line, component_type: consumer, consumer_kind: factory, contract_kw: 600, max_demand_kw: 600, dr_capable: true, min_dr_reduction_kw: 10, max_dr_reduction_kw: 100, min_dr_duration_minutes: 10, min_dr_cooldown_minutes: 10, model: {load: load.kw, rebound_fraction: 0.3, rebound_minutes: 30}}
    baseline: {method: perfect}
vpps:
  - name: east
    members:
      - {site: "battery-*", resource_type: battery}
      - {site: plant, resource_type: consumer}
awards:
  - {award_id: A, vpp: east, sku: frr, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:30:00Z, delta_kw: -250}
events:
  - {at: 2026-04-01T01:20:00Z, kind: link_down, site: battery-2, duration: PT30M}
report: {interval: PT30M, power_interval: PT5M, formats: [csv]}
`;

/** Six hours of load in steps of ten minutes. */
function loadCsv(): string {
  const rows = Array.from({ length: 37 }, (_, k) => {
    const at = new Date(START_MS + 600_000 * k).toISOString();
    return `${at},${300 + 10 * ((7 * k) % 11)}`;
  });
  return `timestamp,kw\n${rows.join("\n")}\n`;
}

/** @param edit  changes the scenario's text before it is read */
export function tinyServedScenario(edit: (yaml: string) => string = (yaml) => yaml): ServedScenario {
  const files = new Map([
    ["/tiny/scenario.yaml", edit(YAML)],
    ["/tiny/load.csv", loadCsv()],
  ]);
  return readServedScenario("/tiny/scenario.yaml", memoryFiles(files));
}

/** Without random outages and lossy links, so that every fault is a known one. @param events  rows of `events` in YAML */
export const calmServedScenario = (events = "", edit: (yaml: string) => string = (yaml) => yaml): ServedScenario =>
  tinyServedScenario((yaml) =>
    edit(
      yaml
        .replace(/ {4}outages: .*\n/, "")
        .replace("loss_probability: 0.3, ", "")
        .replace(/events:\n.*\n/, events === "" ? "" : `events:\n  - ${events}\n`),
    ),
  );

/** The same on disk. @returns the scenario file */
export function writeTinyScenario(folder: string, edit: (yaml: string) => string = (yaml) => yaml): string {
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, edit(YAML));
  writeFileSync(join(folder, "load.csv"), loadCsv());
  return file;
}
