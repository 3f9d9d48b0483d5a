import { describe, expect, test } from "vitest";
import { remarkText } from "../../src/inputs/scenario/checks/remark.ts";
import { BATTERY_YAML, readScenarioYaml, SCENARIO_HEAD, scenarioErrors } from "./scenarioFixtures.ts";

const ALLOWED =
  "letters and digits of any script, _ and -, at most 200 bytes, starting with a letter or digit; {n} or {n:03} for the number";
const siteYaml = (name: string) => `  - name: ${JSON.stringify(name)}\n    components: [${BATTERY_YAML}]\n`;
const sitesYaml = (...names: string[]) => `${SCENARIO_HEAD}sites:\n${names.map(siteYaml).join("")}`;
const vppYaml = (name: string, ...sites: string[]) =>
  `vpps:\n  - name: ${name}\n    members: [${sites.map((site) => `{site: ${JSON.stringify(site)}, resource_type: battery}`).join(", ")}]\n`;
/** A letter with its mark as one character, and as two. */
const [COMPOSED, SEPARATE] = ["ガス", "カ\u3099ス"];

describe("names of any script", () => {
  test("are those of sites, VPPs and awards, also in tables and globs", () => {
    const { world } = readScenarioYaml(
      `${sitesYaml("川崎蓄電所", "Čeladná-2", "مصنع", "支店-{n:02}").replace(/(支店.*)/, "$1\n    count: 2")}${vppYaml("関東", "川*", "支店*")}awards: [{file: a.csv}]\n`,
      {
        "a.csv":
          "vpp,award_id,sku,start,end,delta_kw\n関東,約定１,frr,2026-04-01T02:00:00Z,2026-04-01T03:00:00Z,-100\n",
      },
    );
    expect(world.sites.map(({ name }) => name)).toEqual(["川崎蓄電所", "Čeladná-2", "مصنع", "支店-01", "支店-02"]);
    expect(world.vpps.map(({ name, members }) => [name, members.length])).toEqual([["関東", 3]]);
  });

  test("are the same with combined and with separate marks", () => {
    const { world } = readScenarioYaml(`${sitesYaml(SEPARATE)}${vppYaml("v", COMPOSED)}`);
    expect(world.sites[0].name).toBe(COMPOSED);
    expect(scenarioErrors(sitesYaml(SEPARATE, COMPOSED))).toEqual([
      'scenario.yaml:8:11: sites.1.name: found "ガス" again, allowed each site name once',
    ]);
  });

  test.each(["a/b", "a b", "蓄電 池", "🔋", "a\u0007", "-a", "\u3099", "a.b"])("%j is refused", (name) => {
    const [error] = scenarioErrors(sitesYaml(name));
    expect(error).toMatch(/^scenario\.yaml:6:11: sites\.0\.name: found /);
    expect(error.endsWith(`, allowed ${ALLOWED}`)).toBe(true);
  });

  test("have at most 200 bytes, so 66 characters of three bytes", () => {
    expect(readScenarioYaml(sitesYaml(`${"電".repeat(66)}ab`)).world.sites).toHaveLength(1);
    expect(scenarioErrors(sitesYaml("電".repeat(67)))).toHaveLength(1);
    expect(scenarioErrors(`${sitesYaml("a")}${vppYaml("電".repeat(67), "a")}`)).toEqual([
      expect.stringMatching(/^scenario\.yaml:9:11: vpps\.0\.name: found .*at most 200 bytes/),
    ]);
  });

  test("that differ in width alone are warned of", () => {
    const { remarks } = readScenarioYaml(`${sitesYaml("ＡＢ", "AB")}${vppYaml("v", "*")}`);
    expect(remarks.map(remarkText)).toEqual([
      "warning: /s/scenario.yaml:8:11: sites.1.name: site AB and site ＡＢ differ only in case, width, - or _; rename one if they are not the same",
    ]);
  });
});
