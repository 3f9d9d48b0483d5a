// Candidates of a scenario with EV chargers: what they leave unserved is a figure like any other.
import { expect, test } from "vitest";
import { NUMERIC_KPI_NAMES } from "../../src/accounting/kpis/kpiRegistry.ts";
import { buildWorld } from "../../src/inputs/scenario/loadScenario.ts";
import { scoreCandidate } from "../../src/study/statistics/scoreCandidate.ts";
import { runWorld } from "../runWorld.ts";
import { openEvaluator, openStudy } from "./studyFixtures.ts";

const SCENARIO = `version: 1
name: cars
timezone: Asia/Tokyo
start: 2026-04-01T00:00:00+09:00
end: 2026-04-02T00:00:00+09:00
sites:
  - name: office
    components:
      - component_id: parking
        component_type: ev_chargers
        connectors: {count: 12, max_kw: 7.4}
        model: {sessions: {generator: workplace, workday_probability: 1, energy_used_kwh: 18}, plan: spread, departure: best_effort}
  - name: store
    components: [{component_id: bat, component_type: battery, rated_cap: 2000, import_pwr_max: 300, export_pwr_max: 300, soc_op_min: 0, soc_op_max: 100}]
vpps:
  - name: v
    members: [{site: office, resource_type: consumer}, {site: store, resource_type: battery}]
awards:
  - {vpp: v, start: 2026-04-01T10:00:00+09:00, end: 2026-04-01T18:00:00+09:00, delta_kw: -20}
`;

const STUDY = `version: 1
name: s
scenario: two.yaml
parameters: [{name: office, path: "weights.v.office", values: [0, 100, 100000]}]
objective: {minimise: unserved_kwh}
constraints: [{kpi: unserved_departures, at_most: 4}]
`;

test("unserved energy is an objective and a constraint, with the values of a run", async () => {
  const open = openStudy(STUDY, SCENARIO);
  const evaluator = await openEvaluator(open);
  const values = [0, 100, 100_000].map((weight) => {
    const patch = { "weights.v.office": weight };
    const { kpis } = evaluator.run(patch, 1);
    const ran = runWorld({ ...buildWorld(open.source, { patch }), seed: 1 }, { intervalMs: 1_800_000 });
    expect(kpis).toEqual(NUMERIC_KPI_NAMES.map((name) => ran.kpis.get(name) ?? null));
    return ran.kpis.get("unserved_kwh") ?? Number.NaN;
  });
  // The more of the reduction the cars bear, the less energy they have at their departure.
  expect(values[0]).toBe(0);
  expect(values[1]).toBeGreaterThan(1);
  expect(values[2]).toBeGreaterThan(values[1]);
  const [least, most] = [0, 100_000].map((weight) => {
    const patch = { "weights.v.office": weight };
    return scoreCandidate(open.study, patch, [evaluator.run(patch, 1)]);
  });
  expect([least.objective?.mean, least.isFeasible]).toEqual([0, true]);
  expect([most.objective?.mean, most.isFeasible]).toEqual([values[2], false]);
});
