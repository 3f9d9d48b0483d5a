import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ErrorCollector } from "../../src/base/inputError.ts";
import { schemaFiles } from "../../src/inputs/datagen/disk/writeSchemas.ts";
import { DocumentChecker } from "../../src/inputs/scenario/parse/documentChecker.ts";
import type { JsonSchema } from "../../src/inputs/scenario/parse/jsonSchema.ts";
import { readYaml } from "../../src/inputs/scenario/parse/readYaml.ts";
import { scenarioSchema } from "../../src/inputs/scenario/schema/scenarioSchema.ts";
import { studySchema } from "../../src/inputs/scenario/schema/studySchema.ts";

test.each([...schemaFiles()])("docs/schema/%s equals the schema of the code (npm run schema)", (name, content) => {
  expect(readFileSync(`docs/schema/${name}`, "utf8")).toBe(content);
});

function errorsUnder(schema: object, yaml: string): string[] {
  const errors = new ErrorCollector();
  const document = readYaml("f.yaml", yaml, errors);
  if (document !== null) new DocumentChecker(errors).check(schema as JsonSchema, document.root, document.origin, "");
  return errors.errors.map(({ message }) => message);
}

const STUDY = `version: 1
name: weight-study
scenario: ../scenarios/one-week-mixed-fleet.yaml
parameters:
  - {name: w_small, path: "weights.east.battery-*", values: [0, 50, 100, 200]}
  - {name: w_pv, path: "weights.east.pv-*", range: [0, 300], steps: 4}
  - {name: cap, path: "sites.battery-1.components.bat.rated_cap", values: [1000, 2000, 4000]}
seeds: 20
method: grid
samples: 200
budget: 500
fork_at: 2026-04-03T00:00:00+09:00
objective: {minimise: shortfall_kwh}
constraints: [{kpi: soc_min_pct, at_least: 15}]
confidence: 0.9
pareto: [shortfall_kwh, throughput_kwh]
`;

describe("study files", () => {
  test.each([
    ["every key", STUDY],
    [
      "a weighted objective",
      STUDY.replace("{minimise: shortfall_kwh}", "{weights: {shortfall_kwh: 1, throughput_kwh: 0.01}}"),
    ],
    [
      "a weighted objective to maximise",
      STUDY.replace("{minimise: shortfall_kwh}", "{maximise: {weights: {revenue_jpy: 1}}}"),
    ],
    ["a list of seeds", STUDY.replace("seeds: 20", "seeds: [1, 5, 9]")],
    ["at_most", STUDY.replace("at_least", "at_most")],
  ])("take %s", (_what, yaml) => {
    expect(errorsUnder(studySchema, yaml)).toEqual([]);
  });

  test("name the error", () => {
    const yaml = STUDY.replace("method: grid", "method: gird")
      .replace("weights.east.pv-*", "wights.east.pv-*")
      .replace("{minimise: shortfall_kwh}", "{}")
      .replace("[0, 50, 100, 200]", "[]");
    expect(errorsUnder(studySchema, yaml)).toEqual([
      "f.yaml:5:61: parameters.0.values: found a list of 0, allowed a list of at least 1 entry",
      'f.yaml:6:24: parameters.1.path: found "wights.east.pv-*", allowed weights.<vpp>.<site glob>, sites.<glob>.components.<id>.<key>, vpps.<name>.<key>, awards.<award_id>.<key>, bids.<bid_id glob>.<key>, frequency.<key>, market.<key>, settlement.values.<key> or investment.<key>',
      'f.yaml:9:9: method: found "gird", allowed one of grid, random, lhs, one_at_a_time, optimise (did you mean grid?)',
      "f.yaml:13:12: objective: found no key, allowed exactly one of minimise, maximise, weights",
    ]);
  });
});

test("the schema takes a PV model from weather with all its keys, and defaults fill the rest", () => {
  const yaml = `version: 1
name: pv
start: 2026-04-01T00:00:00Z
end: 2026-04-02T00:00:00Z
sites:
  - name: p
    components:
      - component_id: pv
        component_type: generator
        generator_kind: pv
        pv_capacity_kw: 5
        rated_output_kw: 4
        model: {weather: tokyo, latitude: 35.68, longitude: 139.77, tilt_deg: 20, albedo: 0.2, losses: {shading: 0}}
`;
  const errors = new ErrorCollector();
  const document = readYaml("f.yaml", yaml, errors)!;
  const keys = new DocumentChecker(errors).check(
    scenarioSchema as unknown as JsonSchema,
    document.root,
    document.origin,
    "",
  );
  expect(errors.errors).toEqual([]);
  expect(keys).toMatchObject({
    sites: [
      {
        components: [
          {
            model: {
              altitude_m: 0,
              azimuth_deg: 180,
              albedo: 0.2,
              gamma_pct_per_c: -0.37,
              inverter_efficiency: 0.96,
              irradiance_sensor: true,
              losses: {
                soiling: 2,
                shading: 0,
                mismatch: 2,
                wiring: 2,
                connections: 0.5,
                light_induced_degradation: 1.5,
              },
            },
          },
        ],
      },
    ],
  });
});
