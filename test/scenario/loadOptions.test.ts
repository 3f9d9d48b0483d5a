import { describe, expect, test } from "vitest";
import type { LoadOptions } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readPatch } from "../../src/inputs/scenario/patch/applyPatch.ts";
import { hourlyCsv, readScenarioYaml, SCENARIO_HEAD, SMALL_SCENARIO, scenarioErrors } from "./scenarioFixtures.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 3, 1);
const at = (hour: number) => new Date(START + hour * HOUR).toISOString().replace(".000Z", "Z");
const award = (from: number, to: number) => `  - {vpp: v, start: "${at(from)}", end: "${at(to)}", delta_kw: ${from}}\n`;

describe("a part of the run", () => {
  const yaml = `${SMALL_SCENARIO}vpps: [{name: v, members: [{site: b, resource_type: battery}]}]
awards:
${award(1, 7)}${award(7, 8)}${award(9, 10)}instructions:
  - {vpp: v, at: "${at(2)}", duration_minutes: 5, delta_kw: 1}
  - {vpp: v, at: "${at(11)}", duration_minutes: 5, delta_kw: 1}
events:
  - {at: "${at(2)}", kind: outage, site: b, duration: PT1H}
  - {at: "${at(3)}", kind: outage, site: b, duration: PT5H}
  - {at: "${at(3)}", kind: maintenance, site: b}
  - {at: "${at(3)}", kind: link_down, site: b}
  - {at: "${at(12)}", kind: warning, site: b}
`;

  test("keeps outages in progress and counts earlier items", () => {
    const { world, warnings } = readScenarioYaml(yaml, {}, { fromMs: START + 6 * HOUR, toMs: START + 12 * HOUR });
    expect(world).toMatchObject({ startMs: START + 6 * HOUR, endMs: START + 12 * HOUR, streamsFromMs: START });
    // The award of hour 7 would be registered at 6:00, that of hour 9 at 8:00; ids are those of the full run.
    expect(world.awards.map(({ awardId, registeredMs }) => [awardId, (registeredMs - START) / HOUR])).toEqual([
      ["A-2", 6],
      ["A-3", 8],
    ]);
    expect(world.instructions.map(({ awardId }) => awardId)).toEqual(["I-2"]);
    expect(world.events.map(({ kind, atMs }) => [kind, (atMs - START) / HOUR])).toEqual([
      ["outage", 6],
      ["maintenance", 6],
      ["warning", 12],
    ]);
    expect(warnings).toEqual([
      "Left out because they come before 2026-04-01T06:00:00Z: 2 awards and instructions and 2 events",
    ]);
  });

  test("needs data for that part only", () => {
    const series = `${SCENARIO_HEAD}series: {s: {file: s.csv}}\nmarket: {energy_price: s.jpy}\n${SMALL_SCENARIO.slice(SCENARIO_HEAD.length)}`;
    const files = { "s.csv": hourlyCsv(6, { jpy: (hour) => hour }) };
    expect(scenarioErrors(series, files)).toHaveLength(1);
    expect(
      readScenarioYaml(series, files, { fromMs: START + HOUR, toMs: START + 6 * HOUR }).world.energyPriceJpyPerKwh,
    ).not.toBeNull();
  });

  test.each<[string, LoadOptions, string]>([
    [
      "--from before the start",
      { fromMs: START - 1 },
      "--from: found 2026-03-31T23:59:59.999Z, allowed an instant from 2026-04-01T00:00:00Z until before 2026-04-02T00:00:00Z",
    ],
    [
      "--to beyond the end",
      { toMs: START + 25 * HOUR },
      "--to: found 2026-04-02T01:00:00Z, allowed an instant after 2026-04-01T00:00:00Z until 2026-04-02T00:00:00Z",
    ],
    [
      "--to before --from",
      { fromMs: START + 2 * HOUR, toMs: START + HOUR },
      "--to: found 2026-04-01T01:00:00Z, allowed an instant after 2026-04-01T02:00:00Z until 2026-04-02T00:00:00Z",
    ],
    ["a negative seed", { seed: -1 }, "--seed: found -1, allowed a whole number from 0 to 9007199254740991"],
    [
      "a seed that no double has",
      { seed: 2 ** 53 },
      "--seed: found 9007199254740992, allowed a whole number from 0 to 9007199254740991",
    ],
  ])("%s is refused", (_what, options, error) => {
    expect(scenarioErrors(SMALL_SCENARIO, {}, options)).toEqual([error]);
  });

  test("a later start beyond the end is refused with a message where a plant has a series", () => {
    const pv =
      "{component_id: pv, component_type: generator, generator_kind: pv, pv_capacity_kw: 5, rated_output_kw: 5, model: {generation: s.kw}}";
    const yaml = `${SCENARIO_HEAD}series: {s: {file: s.csv}}\nsites:\n  - {name: roof, components: [${pv}]}\n`;
    const files = { "s.csv": hourlyCsv(25, { kw: () => 1 }) };
    expect(scenarioErrors(yaml, files, { fromMs: START + 48 * HOUR })).toEqual([
      "--from: found 2026-04-03T00:00:00Z, allowed an instant from 2026-04-01T00:00:00Z until before 2026-04-02T00:00:00Z",
    ]);
  });

  test("seed and formats", () => {
    const { world, report } = readScenarioYaml(SMALL_SCENARIO, {}, { seed: 42, formats: ["parquet"] });
    expect([world.seed, report.formats]).toEqual([42, ["parquet"]]);
  });
});

describe("a patch", () => {
  const yaml = `${SMALL_SCENARIO.replace("name: b", "name: b{n}")}    count: 3
vpps: [{name: v, members: [{site: "b*", resource_type: battery}]}]
awards:
${award(1, 2)}`;

  test("changes the sites, members and awards of a path, and no others", () => {
    const patch = {
      "weights.v.b2": 7,
      "sites.b*.components.bat.rated_cap": 500,
      "sites.b3.components.bat.model.ramp_kw_per_s": 2,
      "sites.b1.link.latency_ms": 50,
      "vpps.v.fcr_energy_test_minutes": 15,
      "awards.A-1.delta_kw": -3,
      "frequency.constant_hz": 49.9,
    };
    const { world } = readScenarioYaml(yaml, {}, { patch });
    expect(world.vpps[0].members.map(({ allocationWeight }) => allocationWeight)).toEqual([100, 7, 100]);
    expect(world.vpps[0].options.fcrEnergyTestMinutes).toBe(15);
    expect(
      world.sites.map(({ components: [b], link }) => [
        b.kind === "battery" && b.ratedCapKwh,
        b.kind === "battery" && b.rampKwPerS,
        link.latencyMs,
      ]),
    ).toEqual([
      [500, null, 50],
      [500, null, 0],
      [500, 2, 0],
    ]);
    expect(world.awards[0].deltaKw).toBe(-3);
    expect(world.frequencyHz).toBe(49.9);
    expect(readScenarioYaml(yaml).world.vpps[0].members[1].allocationWeight).toBe(100);
  });

  test("gives the hash of a scenario with the same values", () => {
    const written = yaml.replace("resource_type: battery", "resource_type: battery, allocation_weight: 5");
    expect(readScenarioYaml(yaml, {}, { patch: { "weights.v.*": 5 } }).hash).toBe(readScenarioYaml(written).hash);
  });

  test.each<[Record<string, number>, string]>([
    [{ "weights.w.b1": 1 }, "patch: weights.w.b1: found a path that does not exist, allowed one of the VPPs v"],
    [
      { "weights.v.c*": 1 },
      "patch: weights.v.c*: found a path that does not exist, allowed a glob that matches a member of v",
    ],
    [{ "weights.v.b1": -1 }, "patch: weights.v.b1: found -1, allowed a number from 0 to 999999.9"],
    [
      { "sites.c.count": 1 },
      "patch: sites.c.count: found a path that does not exist, allowed a glob that matches a site (b1, b2, b3)",
    ],
    [{ "sites.b1.name": 1 }, "patch: sites.b1.name: found 1, allowed a numeric key"],
    [
      { "sites.b1.link.delay": 1 },
      'patch: sites.b1.link.delay: found a path that does not exist, allowed one of loss_probability, latency_ms in place of "delay" (in site b1)',
    ],
    [
      { "sites.b1.components.pv.rated_cap": 1 },
      'patch: sites.b1.components.pv.rated_cap: found a path that does not exist, allowed a key that exists in place of "pv" (in site b1)',
    ],
    [
      { "awards.A-2.delta_kw": 1 },
      "patch: awards.A-2.delta_kw: found a path that does not exist, allowed the award_id of an award",
    ],
    [
      { "weights.v.b*": 1, "weights.v.b3": 2 },
      "patch: weights.v.b3: found a target that weights.v.b* sets too, allowed one path for each target",
    ],
    [
      { seed: 1 },
      "patch: seed: found a path that does not exist, allowed weights.<vpp>.<site glob>, sites.<glob>.<key>, vpps.<name>.<key>, awards.<award_id>.<key>, bids.<bid_id glob>.<key>, frequency.<key>, market.<key>, settlement.values.<key> or investment.<key>",
    ],
  ])("%o is refused", (patch, error) => {
    expect(scenarioErrors(yaml, {}, { patch })).toEqual([error]);
  });

  test("that breaks a rule between keys is refused at the key", () => {
    expect(scenarioErrors(yaml, {}, { patch: { "sites.b2.components.bat.soc_op_max": 5 } })).toEqual([
      "scenario.yaml:7:135: sites.0.components.0.soc_op_min: found 10, allowed a number below soc_op_max, 5",
    ]);
  });
});

describe("the hash", () => {
  const series = `${SCENARIO_HEAD}series: {s: {file: s.csv}}\nmarket: {energy_price: s.jpy}\n${SMALL_SCENARIO.slice(SCENARIO_HEAD.length)}`;
  const files = (price: number, hours = 24) => ({
    "s.csv": hourlyCsv(hours, { jpy: (hour) => (hour === 23 ? price : 1) }),
  });
  const base = readScenarioYaml(series, files(5)).hash;

  test("does not depend on names of files and series, comments, descriptions, formats or data after the end", () => {
    const renamed = series.replace("{s: {file: s.csv}}", "{t: {file: d/u.csv}}").replace("s.jpy", "t.jpy");
    expect(readScenarioYaml(`# hello\n${renamed}description: other\n`, { "d/u.csv": files(5)["s.csv"] }).hash).toBe(
      base,
    );
    expect(readScenarioYaml(series, files(5, 30), { formats: ["html"] }).hash).toBe(base);
    expect(readScenarioYaml(`${series}language: ja\n`, files(5)).hash).toBe(base);
  });

  test.each<[string, string, Record<string, string>, LoadOptions]>([
    ["a value of a series", series, files(6), {}],
    ["the seed", series, files(5), { seed: 2 }],
    ["the end", series, files(5), { toMs: START + 23 * HOUR }],
    ["an award", `${series}vpps: [{name: v}]\nawards:\n${award(1, 2)}`, files(5), {}],
    ["a rating", series.replace("2000", "2001"), files(5), {}],
    ["the interval of records", `${series}report: {interval: PT1H}\n`, files(5), {}],
  ])("depends on %s", (_what, yaml, contents, options) => {
    expect(readScenarioYaml(yaml, contents, options).hash).not.toBe(base);
  });
});

test.each(["__proto__", "constructor", "sites.b.__proto__.x", "weights.v.__proto__"])(
  "a patch of %s is a path that does not exist",
  (path) => {
    const patch = readPatch("/p.yaml", memoryFiles(new Map([["/p.yaml", `${JSON.stringify(path)}: 5\n`]])));
    expect(scenarioErrors(SMALL_SCENARIO, {}, { patch })).toEqual([
      expect.stringContaining(`patch: ${path}: found a path that does not exist`),
    ]);
  },
);
