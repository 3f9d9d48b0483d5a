import fc from "fast-check";
import { expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { createGlobMatcher } from "../../src/inputs/scenario/parse/createGlobMatcher.ts";
import { nearestName } from "../../src/inputs/scenario/parse/nearestName.ts";
import { parseDuration } from "../../src/inputs/scenario/parse/readScalar.ts";
import { runs } from "../depth.ts";
import { hourlyCsv, readScenarioYaml } from "./scenarioFixtures.ts";

const HOUR = 3_600_000;

test.each<[string, number | null]>([
  ["PT90S", 90_000],
  ["PT0.25S", 250],
  ["PT0S", 0],
  ["PT2M", 120_000],
  ["PT1H30M", 1.5 * HOUR],
  ["P1DT12H", 36 * HOUR],
  ["P60D", 1440 * HOUR],
  ["P2W", 336 * HOUR],
  ["PT44009S", 44_009_000],
  ["P", null],
  ["PT", null],
  ["P1DT", null],
  ["P1Y", null],
  ["P1M", null],
  ["1D", null],
  ["PT5", null],
  ["-PT5S", null],
  ["PT-5S", null],
  ["P1W2D", null],
  ["pt5s", null],
  ["60 days", null],
  ["", null],
])("the duration %s is %s ms", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each<[string, string, boolean]>([
  ["b-1", "b-1", true],
  ["b-1", "b-12", false],
  ["b-*", "b-", true],
  ["b-*", "b-12", true],
  ["b-*", "ab-1", false],
  ["*-1", "b-1", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*b*c", "axxbyyc", true],
  ["a*b*c", "axxc", false],
  ["a*bc*c", "abc", false],
  ["*", "anything", true],
  ["b.*", "bx", false],
])("the glob %s on %s: %s", (glob, name, matches) => {
  expect(createGlobMatcher(glob)(name)).toBe(matches);
});

test("globs agree with the regular expression they stand for", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  const name = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
  fc.assert(
    fc.property(word, name, (glob, text) => {
      expect(createGlobMatcher(glob)(text)).toBe(new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(text));
    }),
  );
});

test.each<[string, string | null]>([
  ["rated_capp", "rated_cap"],
  ["nmae", "name"],
  ["delta", "delta_kw"],
  ["colour", null],
])("the known name nearest to %s is %s", (typed, name) => {
  expect(nearestName(typed, ["name", "rated_cap", "delta_kw", "link"])).toBe(name);
});

const VALID_SCENARIO = {
  version: 1,
  name: "good",
  timezone: "UTC",
  start: "2026-04-01T00:00:00Z",
  end: "2026-04-02T00:00:00Z",
  series: { s: { file: "s.csv", columns: { x: "x", ghi_w_m2: "ghi_w_m2" }, max_gap: "PT2H", shift: "P0D" } },
  frequency: { constant_hz: 50 },
  market: { energy_price: "s.x" },
  sites: [
    {
      name: "b-{n}",
      count: 2,
      components: [
        {
          component_id: "bat",
          component_type: "battery",
          rated_cap: 1,
          import_pwr_max: 1,
          export_pwr_max: 1,
          soc_op_min: 0,
          soc_op_max: 100,
          model: { power_taper: [{ soc: 1, import_fraction: 1, export_fraction: 1 }] },
        },
      ],
      baseline: { method: "series", series: "s.x" },
      maintenance: [{ start: "2026-04-01T01:00:00Z", end: "2026-04-01T02:00:00Z" }],
    },
    {
      name: "c",
      components: [
        { component_id: "c", component_type: "consumer", contract_kw: 1, max_demand_kw: 1, model: { load: "s.x" } },
      ],
    },
    {
      name: "pv",
      outages: { mtbf: "P60D", mttr: "PT6H" },
      baseline: { method: "perfect" },
      components: [
        {
          component_id: "c",
          component_type: "generator",
          generator_kind: "pv",
          rated_output_kw: 1,
          pv_capacity_kw: 1,
          model: { weather: "s", latitude: 35, longitude: 139, tilt_deg: 20, losses: { soiling: 1 } },
        },
      ],
    },
    {
      name: "pump",
      components: [
        {
          component_id: "c",
          component_type: "generator",
          generator_kind: "pumped_storage",
          rated_output_kw: 1,
          min_output_kw: 1,
          pump_input_max_kw: 1,
          upper_reservoir_capacity_kwh: 1,
          model: { initial_fill_pct: 1 },
        },
      ],
    },
  ],
  vpps: [{ name: "v", members: [{ site: "b-*", resource_type: "battery" }] }],
  awards: [
    { vpp: "v", sku: "rr", start: "2026-04-01T01:00:00Z", end: "2026-04-01T02:00:00Z", delta_kw: 1 },
    { file: "a.csv" },
  ],
  instructions: [{ vpp: "v", at: "2026-04-01T01:00:00Z", duration_minutes: 1, delta_kw: 1 }],
  events: [
    { at: "2026-04-01T01:00:00Z", kind: "outage", site: "c", duration: "PT1H" },
    { at: "2026-04-01T01:00:00Z", kind: "set_weight", vpp: "v", site: "c", allocation_weight: 1 },
  ],
  report: { interval: "PT30M", formats: ["csv"], omit: ["dispatch"] },
};

type Place = { readonly owner: Record<string, unknown>; readonly key: string };

function placesOf(value: unknown): Place[] {
  if (value === null || typeof value !== "object") return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((key) => [{ owner, key }, ...placesOf(owner[key])]);
}

test("any value at any key gives a scenario or a list of input errors", () => {
  const files = {
    "s.csv": hourlyCsv(24, { x: () => 0, ghi_w_m2: () => 0 }),
    "a.csv": "vpp,sku,start,end,delta_kw\nv,rr,2026-04-01T03:00:00Z,2026-04-01T04:00:00Z,1\n",
  };
  expect(readScenarioYaml(JSON.stringify(VALID_SCENARIO), files).world.sites).toHaveLength(5);
  const junk = fc.constantFrom<unknown>(
    undefined,
    null,
    0,
    -1,
    1e9,
    true,
    "",
    "x",
    "s.y",
    "a.csv",
    [],
    [null],
    {},
    { a: 1 },
    "P1D",
    "__proto__",
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), junk), { minLength: 1, maxLength: 3 }), (changes) => {
      const changed = structuredClone(VALID_SCENARIO);
      for (const [n, value] of changes) {
        const places = placesOf(changed);
        const { owner, key } = places[n % places.length];
        // A copy: one object in two places could hold itself.
        owner[key] = structuredClone(value);
      }
      try {
        readScenarioYaml(JSON.stringify(changed), files);
      } catch (error) {
        if (!(error instanceof InputErrors)) throw error;
        expect(error.errors.length).toBeGreaterThan(0);
        for (const { message } of error.errors) expect(message).not.toMatch(/undefined|NaN|\[object/);
      }
    }),
    { numRuns: runs(600, 100) },
  );
});
