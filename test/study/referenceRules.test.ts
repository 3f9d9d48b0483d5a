import { expect, test } from "vitest";
import { buildWorld } from "../../src/inputs/scenario/loadScenario.ts";
import { buildReferenceRules } from "../../src/study/referenceRules.ts";
import { openStudy, STUDY_HEAD } from "./studyFixtures.ts";

const battery = (name: string, kw: number, kwh: number) =>
  `  - {name: ${name}, components: [{component_id: bat, component_type: battery, rated_cap: ${kwh}, import_pwr_max: ${kw}, export_pwr_max: ${kw}, soc_op_min: 0, soc_op_max: 100}]}`;

/** Batteries of 100, 200 and 400 kW; the weight of the last one is no parameter. */
function rulesOf(parameters: Record<string, string>, fixedWeight: number) {
  const lines = Object.entries(parameters).map(
    ([glob, domain], k) => `  - {name: p${k}, path: "weights.v.${glob}", ${domain}}`,
  );
  const { study, source } = openStudy(
    `${STUDY_HEAD}parameters:\n${lines.join("\n")}\nobjective: {minimise: shortfall_kwh}\n`,
    `version: 1
name: two
start: 2026-04-01T00:00:00Z
end: 2026-04-01T01:00:00Z
sites:
${[battery("a", 100, 500), battery("b", 200, 500), battery("c", 400, 250)].join("\n")}
vpps:
  - name: v
    members:
      - {site: a, resource_type: battery}
      - {site: b, resource_type: battery}
      - {site: c, resource_type: battery, allocation_weight: ${fixedWeight}}
`,
  );
  return buildReferenceRules(study, buildWorld(source)).map(({ name, patch, unexpressed }) => ({
    name,
    weights: Object.values(patch),
    unexpressed,
  }));
}

test("the weights of a rule are in its ratio to members whose weight is no parameter", () => {
  expect(rulesOf({ a: "values: [30, 50, 200]", b: "values: [30, 50, 200]" }, 80)).toEqual([
    { name: "equal weights", weights: [80, 80], unexpressed: [] },
    // 400 kW have 80, so 100 kW should have 20.
    { name: "by rated power", weights: [30, 40], unexpressed: ["a"] },
    { name: "by energy", weights: [160, 160], unexpressed: [] },
  ]);
});

test("fixed weights that contradict a rule are named, and their mean sets the scale", () => {
  expect(rulesOf({ a: "range: [0, 500], steps: 2" }, 80)).toEqual([
    { name: "equal weights", weights: [90], unexpressed: ["b", "c"] },
    { name: "by rated power", weights: [30], unexpressed: ["b", "c"] },
    { name: "by energy", weights: [120], unexpressed: ["b", "c"] },
  ]);
  // A member without weight has no share, whatever the others have.
  expect(rulesOf({ a: "range: [0, 500], steps: 2", b: "range: [0, 400], steps: 2" }, 0)[0]).toEqual({
    name: "equal weights",
    weights: [400, 400],
    unexpressed: ["c"],
  });
});

test("members that share a parameter have their mean", () => {
  const [equal, byPower] = rulesOf({ "*": "range: [10, 70], steps: 2" }, 80);
  expect(equal).toMatchObject({ weights: [70], unexpressed: [] });
  expect(byPower).toMatchObject({ weights: [70], unexpressed: ["a", "b", "c"] });
});
