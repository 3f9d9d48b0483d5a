import { describe, expect, test } from "vitest";
import type { LoadOptions } from "../../src/inputs/scenario/loadScenario.ts";
import type { Patch } from "../../src/inputs/scenario/patch/patchValue.ts";
import { runWorld } from "../runWorld.ts";
import { openEvaluator, openStudy, STUDY_HEAD } from "../study/studyFixtures.ts";
import { BATTERY_YAML, readScenarioYaml, SCENARIO_HEAD, scenarioErrors } from "./scenarioFixtures.ts";
import { settingsOf } from "./settingsOf.ts";

const LOAD = Array.from({ length: 73 }, (_, h) => `${new Date(Date.UTC(2026, 2, 30, h)).toISOString()},500\n`);
const FILES = { "load.csv": `timestamp,kw\n${LOAD.join("")}` };

/** A load of 500 kW that reduces by 100 kW for six hours, and a battery, with these keys of their baselines. */
const plant = (load: string, battery = "method: zero") => `${SCENARIO_HEAD}seed: 1
series: {load: {file: load.csv}}
sites:
  - name: shop
    components: [{component_id: shop, component_type: consumer, consumer_kind: factory, contract_kw: 600, max_demand_kw: 600, dr_capable: true, max_dr_reduction_kw: 200, model: {load: load.kw}}]
    baseline: {${load}}
  - {name: bat, components: [${BATTERY_YAML}], baseline: {${battery}}}
vpps: [{name: v, members: [{site: shop, resource_type: consumer}]}]
awards: [{vpp: v, start: 2026-04-01T06:00:00Z, end: 2026-04-01T12:00:00Z, delta_kw: -100}]
`;

const read = (yaml: string, options: LoadOptions = {}) => readScenarioYaml(yaml, FILES, options);
const errorsOf = (yaml: string, options: LoadOptions = {}) =>
  read(yaml, options).world.sites.map(({ baselineError }) => baselineError);
const shortfallKwh = (yaml: string, options: LoadOptions = {}) =>
  runWorld(read(yaml, options).world, { intervalMs: 3_600_000 }).awards[0].shortfallKwh;

const PERFECT = plant("method: perfect");

describe("baseline.error", () => {
  test.each(["perfect", "constant, kw: 500", "series, series: load.kw", "average_of_days, days: 1"])(
    "stands beside method %s",
    (method) => {
      const yaml = plant(`method: ${method}, error: {bias_kw: -10, spread_kw: 20, correlation_minutes: 90}`);
      expect(errorsOf(yaml)[0]).toEqual({ biasKw: -10, spreadKw: 20, correlationMs: 90 * 60_000 });
    },
  );

  test("of 0 is none: the world and its hash are those without the key", () => {
    const none = plant("method: perfect, error: {correlation_minutes: 60}", "method: zero, error: {}");
    expect(errorsOf(none)).toEqual([undefined, undefined]);
    expect(read(none).hash).toBe(read(PERFECT).hash);
    expect(settingsOf(read(PERFECT)).filter(([path]) => path.includes("error"))).toEqual([]);
    expect(read(plant("method: perfect, error: {bias_kw: 1}")).hash).not.toBe(read(PERFECT).hash);
  });

  test("of a battery may stand beside zero, and of a consumer it may not", () => {
    expect(errorsOf(plant("method: perfect", "method: zero, error: {bias_kw: 3}"))[1]?.biasKw).toBe(3);
    expect(scenarioErrors(plant("method: zero, error: {bias_kw: 3}"), FILES)).toEqual([
      "scenario.yaml:10:37: sites.0.baseline.error: found an error of a baseline zero, which registers no slots for a consumer, allowed another method, such as perfect, or no error",
    ]);
    expect(scenarioErrors(plant("method: perfect, error: {spread_kw: -1}"), FILES)).toHaveLength(1);
    expect(scenarioErrors(plant("method: perfect, error: {correlation_minutes: 10081}"), FILES)).toHaveLength(1);
    expect(scenarioErrors(plant("method: perfect, error: {sigma_kw: 1}"), FILES)).toHaveLength(1);
  });

  test("has the errors of the whole run in a part of it, and others with another seed", () => {
    const yaml = plant("method: perfect, error: {spread_kw: 30, correlation_minutes: 120}");
    const whole = shortfallKwh(yaml);
    expect(shortfallKwh(yaml, { fromMs: Date.UTC(2026, 3, 1, 5, 20), toMs: Date.UTC(2026, 3, 1, 13, 10) })).toBe(whole);
    expect(shortfallKwh(yaml, { seed: 2 })).not.toBe(whole);
  });
});

describe("a path of baseline.error", () => {
  const patched = (yaml: string, patch: Patch) => errorsOf(yaml, { patch })[0];

  test("sets its keys, also where the file has none", () => {
    expect(patched(PERFECT, { "sites.shop.baseline.error.spread_kw": 20 })).toEqual({
      biasKw: 0,
      spreadKw: 20,
      correlationMs: 0,
    });
    const given = plant("method: perfect, error: {bias_kw: 2, spread_kw: 10}");
    const patch = { "sites.*.baseline.error.spread_kw": "*2", "sites.shop.baseline.error.correlation_minutes": 60 };
    expect(patched(given, patch)).toEqual({ biasKw: 2, spreadKw: 20, correlationMs: 3_600_000 });
    expect(errorsOf(PERFECT)).toEqual([undefined, undefined]);
  });

  test("in a patch has the figures of the file with the key", () => {
    const written = plant("method: perfect, error: {spread_kw: 20}");
    expect(shortfallKwh(PERFECT, { patch: { "sites.shop.baseline.error.spread_kw": 20 } })).toBe(shortfallKwh(written));
    expect(shortfallKwh(PERFECT)).toBe(0);
    expect(shortfallKwh(written)).toBeGreaterThan(0);
  });

  test("is refused where its value, its key or its site is wrong", () => {
    const refusals = (patch: Patch) => scenarioErrors(PERFECT, FILES, { patch });
    expect(refusals({ "sites.shop.baseline.error.spread_kw": -1 })).toEqual([
      "patch: sites.shop.baseline.error.spread_kw: found -1, allowed a number, at least 0",
    ]);
    expect(refusals({ "sites.shop.baseline.error.sigma_kw": 1 })).toEqual([
      'patch: sites.shop.baseline.error.sigma_kw: found a path that does not exist, allowed one of bias_kw, spread_kw, correlation_minutes in place of "sigma_kw" (in site shop)',
    ]);
    expect(refusals({ "sites.shop.baseline.errors.spread_kw": 1 })[0]).toContain('in place of "errors"');
    // A mapping with required keys is not made up.
    expect(refusals({ "sites.shop.outages.mtbf": 1 })[0]).toContain('a key that exists in place of "outages"');
  });

  test("is a parameter of a grid, each candidate with the same draws by seed", async () => {
    const parameter = '{name: spread, path: "sites.bat.baseline.error.spread_kw", values: [0, 40]}';
    const battery = plant("method: constant, kw: 0", "method: zero")
      .replace("{site: shop, resource_type: consumer}", "{site: bat, resource_type: battery}")
      .replace(/series:.*\n/, "")
      .replace(/ {2}- name: shop\n.*\n.*\n/, "");
    const study = openStudy(
      `${STUDY_HEAD}method: grid\nseeds: [1, 2]\nobjective: {minimise: shortfall_kwh}\nparameters: [${parameter}]\n`,
      battery,
    );
    const evaluator = await openEvaluator(study);
    const kpi = (spreadKw: number, seed: number) =>
      evaluator.run({ "sites.bat.baseline.error.spread_kw": spreadKw }, seed).kpis;
    expect(kpi(0, 1)).toEqual(kpi(0, 2));
    expect(kpi(40, 1)).toEqual(kpi(40, 1));
    expect(kpi(40, 1)).not.toEqual(kpi(40, 2));
    expect(kpi(40, 1)).not.toEqual(kpi(0, 1));
  });
});
