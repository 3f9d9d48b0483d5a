// Values by study path that are set, or changed as they are written, by files of paths.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readPatch } from "../../src/inputs/scenario/patch/applyPatch.ts";
import { factorText, type Patch, patchedNumber } from "../../src/inputs/scenario/patch/patchValue.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { BATTERY_YAML, hourlyCsv, readScenarioYaml, SCENARIO_HEAD, scenarioErrors } from "./scenarioFixtures.ts";
import { settingsOf } from "./settingsOf.ts";

const PRICED = `${SCENARIO_HEAD}series: {loads: {file: loads.csv}}
market: {reserve_price_per_kw_30min: {frr: 2}}
settlement: {market: jp, parameters: set.yaml, values: {jepx_fee_kwh: 1.3}}
sites:
  - {name: "b{n}", count: 2, components: [${BATTERY_YAML}]}
  - {name: big, components: [${BATTERY_YAML.replace("2000", "5000")}]}
  - {name: shop, components: [{component_id: shop, component_type: consumer, consumer_kind: factory, contract_kw: 50, max_demand_kw: 50, dr_capable: false, model: {load: loads.kw}}]}
vpps: [{name: v, members: [{site: "b*", resource_type: battery}]}]
`;

const FILES = {
  "loads.csv": hourlyCsv(24, { kw: () => 30 }),
  "set.yaml": readFileSync("data/markets/jp/fy2026.yaml", "utf8"),
};

const caps = (patch: Patch | readonly Patch[], yaml = PRICED): (number | null)[] =>
  readScenarioYaml(yaml, FILES, { patch }).world.sites.flatMap(({ components }) =>
    components.map((component) => (component.kind === "battery" ? component.ratedCapKwh : null)),
  );

test.each<[string | number, number, number]>([
  [7, 2000, 7],
  [-500, 2000, -500],
  ["*1.2", 2000, 2400],
  ["*0", 2000, 0],
  ["*1.1", 3, 3.3],
  ["+20%", 2000, 2400],
  ["-12.5%", 80, 70],
  ["+0.1", 0.2, 0.3],
  ["-500", 2000, 1500],
  ["+500", 2000, 2500],
  ["*3", 1 / 3, 1],
  ["*1.0000000000004", 1, 1],
])("%j makes of %d %d", (value, written, expected) => {
  expect(patchedNumber(value, written)).toBe(expected);
});

test.each([
  [1.2, "*1.2"],
  [1e-7, "*0.0000001"],
  [2, "*2"],
])("the factor %d is the text %s", (factor, text) => {
  expect(factorText(factor)).toBe(text);
  expect(Number(text.slice(1))).toBe(factor);
});

describe("a change", () => {
  test("applies to the value of each match, after count and in components of every name", () => {
    expect(caps({ "sites.*.components.*.rated_cap": "*1.2" })).toEqual([2400, 2400, 6000, null]);
    expect(caps({ "sites.b*.components.bat.rated_cap": "-500" })).toEqual([1500, 1500, 4500, null]);
  });

  test("applies to what earlier patches made", () => {
    const half = { "sites.b1.components.bat.rated_cap": "*0.5" };
    expect(caps([{ "sites.*.components.*.rated_cap": 3000 }, half, half])).toEqual([750, 3000, 3000, null]);
  });

  test("applies to a default of the schema, to weights, prices and parameters of the settlement", () => {
    const scenario = readScenarioYaml(PRICED, FILES, {
      patch: {
        "weights.v.*": "-50%",
        "sites.big.components.bat.model.initial_soc": "+10",
        "market.reserve_price_per_kw_30min.frr": "*1.5",
        "settlement.values.jepx_fee_kwh": "+1",
        "frequency.constant_hz": "-0.1",
      },
    });
    expect(scenario.world.vpps[0].members.map(({ allocationWeight }) => allocationWeight)).toEqual([50, 50, 50]);
    expect(scenario.world.frequencyHz).toBe(49.9);
    expect(scenario.reservePrices.get("frr")).toBe(3);
    expect(Object.fromEntries(settingsOf(scenario))).toMatchObject({
      "settlement.values.jepx_fee_kwh": 2.3,
      "market.reserve_price_per_kw_30min.frr": 3,
      "sites.big.components.bat.model.initial_soc": 60,
    });
    const written = PRICED.replace("{jepx_fee_kwh: 1.3}", "{jepx_fee_kwh: 2.3}");
    expect(readScenarioYaml(PRICED, FILES, { patch: { "settlement.values.jepx_fee_kwh": "+1" } }).hash).toBe(
      readScenarioYaml(written, FILES).hash,
    );
  });

  test.each<[Patch, string]>([
    [
      { "sites.b1.components.bat.model.ramp_kw_per_s": "+20%" },
      'patch: sites.b1.components.bat.model.ramp_kw_per_s: found "+20%"; there is no value to scale; set one',
    ],
    [
      { "settlement.values.loss_pct": "*2" },
      'patch: settlement.values.loss_pct: found "*2"; there is no value to scale; set one',
    ],
    [
      { "sites.*.components.*.rated_cap": "-2000" },
      'patch: sites.*.components.*.rated_cap: found "-2000" (0), allowed a number from 0.001 to',
    ],
    [
      { "sites.*.components.*.rated_cap": "full" },
      'patch: sites.*.components.*.rated_cap: found "full"; expected a number',
    ],
    [
      { "sites.big.fcr_config.deadband_form": "fuller" },
      'patch: sites.big.fcr_config.deadband_form: found "fuller", allowed one of subtract, full',
    ],
    [
      { "sites.big.fcr_config.deadband_form": 1 },
      "patch: sites.big.fcr_config.deadband_form: found 1, allowed one of subtract, full",
    ],
    [{ "market.energy_price": 3 }, "patch: market.energy_price: found 3, allowed a numeric key"],
    [
      { "settlement.area": 3 },
      "patch: settlement.area: found a path that does not exist, allowed settlement.values.<key>",
    ],
    [
      { "sites.*.components.x*.rated_cap": "*2" },
      'patch: sites.*.components.x*.rated_cap: found a path that does not exist, allowed a glob that matches a component_id in place of "x*" (in site b1)',
    ],
    [
      { "sites.*.components.*.rated_kap": "*2" },
      "patch: sites.*.components.*.rated_kap: found a path that does not exist, allowed one of ",
    ],
  ])("%o is refused", (patch, start) => {
    const errors = scenarioErrors(PRICED, FILES, { patch });
    expect(errors).toHaveLength(1);
    expect(errors[0].slice(0, start.length)).toBe(start);
  });

  test("sets the word of a key that has words, where it is absent too", () => {
    const forms = (patch: Patch) =>
      readScenarioYaml(PRICED, FILES, { patch }).world.sites.map(({ fcr }) => fcr.deadbandForm ?? null);
    expect(forms({ "sites.b*.fcr_config.deadband_form": "full" })).toEqual(["full", "full", "full", null]);
    const { world } = readScenarioYaml(PRICED, FILES, { patch: { "vpps.v.delta_excess": "redistribute" } });
    expect(world.vpps[0].options.deltaExcess).toBe("redistribute");
  });

  test("of settlement without a settlement is refused", () => {
    const yaml = PRICED.replace(/settlement:.*\n/, "");
    expect(scenarioErrors(yaml, FILES, { patch: { "settlement.values.jepx_fee_kwh": 1 } })).toEqual([
      "patch: settlement.values.jepx_fee_kwh: found a path that does not exist, allowed a scenario with the key settlement",
    ]);
  });
});

test("a file of a patch has numbers and changes, and all else is refused with its place", () => {
  const read = (text: string) => readPatch("/p.yaml", memoryFiles(new Map([["/p.yaml", text]])));
  expect(read('a.b: "*1.2"\na.c: -500\na.d: "-500"\na.e: +20%\na.f: full\n')).toEqual({
    "a.b": "*1.2",
    "a.c": -500,
    "a.d": "-500",
    "a.e": "+20%",
    "a.f": "full",
  });
  const found = (value: string) =>
    `/p.yaml:1:4: a: found ${value}; expected a number, "*factor", "+20%", "-500" or a word of the key`;
  for (const text of ['"*1.2%"', '"1.2"', '"*-1"', '"*1e3"', '"+ 20%"', '"× 2"'])
    expect(() => read(`a: ${text}\n`)).toThrow(found(text));
  expect(() => read("a: .nan\n")).toThrow(found("NaN"));
  expect(() => read("a: true\n")).toThrow(found("true"));
});

test("a report of changes equals that of the numbers, byte for byte", async () => {
  const folder = createTemporaryFolder("patch");
  const run = async (name: string, patch: Patch | readonly Patch[]) => {
    const out = join(folder, name);
    const scenario = loadScenario("scenarios/quickstart/scenario.yaml", { patch });
    const { files } = await runScenario(scenario, { out });
    return new Map(
      files.filter((file) => file !== "run.json").map((file) => [file, readFileSync(join(out, file), "hex")]),
    );
  };
  const { world } = loadScenario("scenarios/quickstart/scenario.yaml");
  const set = Object.fromEntries(
    world.sites.flatMap(({ name, components }) =>
      components.flatMap((component) =>
        component.kind === "battery"
          ? [
              [
                `sites.${name}.components.${component.componentId}.rated_cap`,
                Number((component.ratedCapKwh * 1.2).toPrecision(12)),
              ],
            ]
          : [],
      ),
    ),
  );
  expect(Object.keys(set).length).toBeGreaterThan(0);
  const changed = await run("changed", [
    { "sites.*.components.*.rated_cap": "+10%" },
    { "sites.*.components.*.rated_cap": "*1.09090909090909" },
  ]);
  expect(await run("once", { "sites.*.components.*.rated_cap": "*1.2" })).toEqual(await run("set", set));
  expect(changed.size).toBeGreaterThan(5);
});
