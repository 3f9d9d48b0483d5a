import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

test("an award received by an API continues the run of the scenario's award that it overwrites", async () => {
  const file = join(createTemporaryFolder("contiguous"), "scenario.yaml");
  writeFileSync(
    file,
    `version: 1
name: contiguous
start: 2026-04-01T00:00:00Z
end: 2026-04-01T04:00:00Z
sites:
  - name: battery
    ems_id: "2498e151e4e800685fc8a532a5719fdf"
    components: [{component_id: bat, component_type: battery, rated_cap: 2000, import_pwr_max: 500, export_pwr_max: 500,
      soc_op_min: 5, soc_op_max: 95, model: {initial_soc: 90, ramp_kw_per_s: 0.5}}]
vpps: [{name: v, members: [{site: battery, resource_type: battery}]}]
awards:
  - {award_id: first, vpp: v, sku: frr, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:00:00Z, delta_kw: -200}
  - {award_id: last, vpp: v, sku: frr, start: 2026-04-01T02:30:00Z, end: 2026-04-01T03:00:00Z, delta_kw: -200}
events:
  - at: 2026-04-01T01:10:00Z
    kind: request
    api: vpp-v1
    id: v
    method: POST
    path: /control/active_power
    body:
      {type: schedule, delta_kw: -50, sku: frr, start_time: 2026-04-01T01:30:00Z, end_time: 2026-04-01T02:30:00Z,
       member_baselines: [{ems_id: "2498e151e4e800685fc8a532a5719fdf", baseline_kw: 0}]}
`,
  );
  const { record } = await runScenario(loadScenario(file));
  const complianceOf = (award: (typeof record.awards)[number]) => award.compliancePct;
  // To −200 kW in 400 s, of which 300 s are not assessed: in band after 360 s. To −50 kW: in band, from −55 kW on, after 290 s.
  // Back to −200 kW: in band after 260 s.
  expect(record.awards.map(complianceOf)).toEqual([
    expect.closeTo((100 * (1800 - 360)) / (1800 - 300), 9),
    expect.closeTo((100 * (1800 - 260)) / 1800, 9),
    expect.closeTo((100 * (3600 - 290)) / 3600, 9),
  ]);
});
