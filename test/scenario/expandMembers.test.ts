import { expect, test } from "vitest";
import { createGlobMatcher } from "../../src/inputs/scenario/parse/createGlobMatcher.ts";
import { readScenarioYaml, SCENARIO_HEAD } from "./scenarioFixtures.ts";

const NAMES = ["b-10", "a", "b-2", "B-1", "b", "c-2-b", "b-1", "ab", "zz", "b_2"];
const yaml = (glob: string) => `${SCENARIO_HEAD}sites:
${NAMES.map(
  (name) =>
    `  - {name: ${name}, components: [{component_id: bat, component_type: battery, rated_cap: 10, import_pwr_max: 5, export_pwr_max: 5, soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 50}}]}
`,
).join("")}vpps:
  - {name: v, members: [{site: "${glob}", resource_type: battery, allocation_weight: 1}]}
`;

test.each(["*", "b*", "b-*", "*2", "b*2", "a", "b", "zz", "*b*", "a*b"])(
  "the members of the glob %s are the sites that match it, in the order of the scenario",
  (glob) => {
    const { world } = readScenarioYaml(yaml(glob));
    const members = world.vpps[0].members.map(({ site }) => world.sites[site].name);
    expect(members).toEqual(NAMES.filter(createGlobMatcher(glob)));
  },
);
