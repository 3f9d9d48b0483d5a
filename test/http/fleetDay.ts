import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario, type ServedScenario } from "../../src/live/session/servedScenario.ts";

/** A day of the VPP `east` of batteries, `battery-1` and so on: its status has some 300 bytes for each. */
export function fleetDay(sites: number): ServedScenario {
  const yaml = `
version: 1
name: day
start: 2026-04-01T00:00:00Z
end: 2026-04-02T01:00:00Z
seed: 3
sites:
  - name: battery-{n}
    count: ${sites}
    components:
      - {component_id: bat, component_type: battery, rated_cap: 500, import_pwr_max: 200, export_pwr_max: 200, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50}}
vpps:
  - name: east
    members:
      - {site: "battery-*", resource_type: battery}
awards:
  - {award_id: A, vpp: east, sku: frr, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:30:00Z, delta_kw: -250}
`;
  return readServedScenario("/day/scenario.yaml", memoryFiles(new Map([["/day/scenario.yaml", yaml]])));
}
