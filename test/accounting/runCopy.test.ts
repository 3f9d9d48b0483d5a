// A run copied in the middle: copy and original continue independently, and both end like an uninterrupted run.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { setFlagsFromString } from "node:v8";
import { describe, expect, test } from "vitest";
import { immutableInputsOf, type RunOptions, SimulationRun } from "../../src/accounting/simulationRun.ts";
import { BugError } from "../../src/base/assert.ts";
import { Copyable, reachableValues } from "../../src/base/copyState.ts";
import type { EpochMs } from "../../src/base/time.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import { buildWorld } from "../../src/inputs/scenario/loadScenario.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { createRequestHandler } from "../../src/report/createRequestHandler.ts";
import { IS_DEEP, runs, seedOr, seedsFrom } from "../depth.ts";
import { createRandomDraw, type RandomDraw } from "../reference/manyComponents/randomSite.ts";
import { randomWorld } from "../reference/stepper/randomWorld.ts";
import { randomFleet } from "../study/randomFleet.ts";
import { withPlainSites } from "./plainSites.ts";

const SEED = seedOr(31);
const WORLDS = runs(20, 3);

const ALL: RunOptions = { intervalMs: 0 };
const KPIS_ONLY: RunOptions = { intervalMs: 0, timelines: false, causes: false, rows: false };

/** Classes whose instances a copy may share although they are no input. */
const SHARED = ["Series", "MachineStepper", "AwardCatalogue", "AwardRegistrations", "Float64Array", "Uint8Array"];

/** Text of a record, exact to the last bit: JSON has no -0 and no NaN. */
const exactly = (record: unknown): string =>
  JSON.stringify(record, (_, value: unknown) => {
    // Without the caches of its integrals.
    if (value instanceof Series) return [value.name, value.timesMs, value.values, value.interpolation, value.untilMs];
    if (typeof value === "number") return Object.is(value, -0) ? "-0" : `${value}`;
    if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
    return value instanceof Map ? [...value] : value;
  });

const endOf = (run: SimulationRun): string => {
  run.advanceToShare(1);
  return exactly([run.finish(), run.eventCount]);
};

function runTo(spec: WorldSpec, options: RunOptions, atMs: EpochMs): SimulationRun {
  const run = new SimulationRun(spec, options);
  run.advanceUntil(atMs);
  return run;
}

/** A random instant, or one at which an event is due. */
function instantOf({ startMs, endMs, awards, events, instructions }: WorldSpec, draw: RandomDraw): EpochMs {
  const happens = [
    ...awards.flatMap((award) => [award.registeredMs, award.startMs, award.endMs]),
    ...events.map(({ atMs }) => atMs),
    ...instructions.map(({ atMs }) => atMs),
  ].filter((atMs) => startMs <= atMs && atMs <= endMs);
  return draw.chance(0.5) && happens.length > 0
    ? happens[draw.integer(0, happens.length - 1)]
    : startMs + draw.integer(0, endMs - startMs);
}

/** Tests both orders of advancing, interleaved slices, and a copy of a copy. */
function checkCopies(spec: WorldSpec, options: RunOptions, draw: RandomDraw): void {
  const whole = endOf(new SimulationRun(spec, options));
  const atMs = instantOf(spec, draw);
  const where = `copied at ${new Date(atMs).toISOString()}`;
  const input = immutableInputsOf(spec);
  const expectWhole = (runs: readonly SimulationRun[], what: string) => {
    for (const run of runs) expect(endOf(run) === whole, `${what}, ${where}`).toBe(true);
  };
  const first = runTo(spec, options, atMs);
  expectWhole([first.copy(input), first], "the copy goes on first");
  const second = runTo(spec, options, atMs);
  const late = second.copy(input);
  expectWhole([second, late], "the original goes on first");
  const third = runTo(spec, options, atMs);
  const inTurns = [third, third.copy(input)];
  inTurns.push(inTurns[1].copy(input));
  for (let share = 0; share < 1; share += 0.07)
    for (const run of inTurns) run.advanceUntil(Math.max(atMs, Math.floor(atMs + (spec.endMs - atMs) * share)));
  expectWhole(inTurns, "they go on in turns");
}

/** With a generated frequency and lossy links, so that the run has random draws of its own. */
const drawn = (spec: WorldSpec): WorldSpec => ({
  ...spec,
  frequencyHz: { meanHz: 50, sigmaHz: 0.1, timeConstantS: 90 },
  sites: spec.sites.map((site) => ({
    ...site,
    link: { ...site.link, lossProbability: 0.3 },
    outages: { meanUpMs: 3_600_000, meanRepairMs: 600_000 },
  })),
});

const worlds = seedsFrom(SEED * 1000, WORLDS);

describe("a run copied in the middle and its copy have the same end", () => {
  test("of random worlds", () => {
    for (const seed of worlds) checkCopies(randomWorld(seed), seed % 2 === 0 ? ALL : KPIS_ONLY, createRandomDraw(seed));
  });

  test("of random worlds with a generated frequency, outages and lossy links", () => {
    for (const seed of worlds) checkCopies(drawn(randomWorld(seed)), ALL, createRandomDraw(seed));
  });

  test("of random fleets with plants and sites of several components", () => {
    for (const seed of worlds)
      checkCopies(drawn(randomFleet(seed)), seed % 2 === 0 ? ALL : KPIS_ONLY, createRandomDraw(seed));
  });

  test("of random fleets whose batteries are batched", () => {
    for (const seed of worlds) checkCopies(withPlainSites(randomFleet(seed)), KPIS_ONLY, createRandomDraw(seed));
  });

  test("stepped by XState's own engine", () => {
    for (const seed of worlds.slice(0, 5))
      checkCopies(randomWorld(seed), { ...ALL, stepEngine: "xstate" }, createRandomDraw(seed));
  });

  const FEATURES = resolve(import.meta.dirname, "../../scenarios/features");
  test.each(readdirSync(FEATURES).sort())("of scenarios/features/%s", async (name) => {
    const spec = buildWorld(new ScenarioSource(join(FEATURES, name), diskFiles));
    const draw = createRandomDraw(SEED);
    const answerer = await createRequestHandler(spec);
    for (const options of IS_DEEP ? [ALL, KPIS_ONLY] : [ALL]) checkCopies(spec, { ...options, ...answerer }, draw);
  });
});

/** Walks both object graphs in step; `meet` is called once for each pair of objects. */
function walkBoth(original: unknown, copy: unknown, meet: (a: object, b: object) => void): void {
  const seen = new Set<unknown>();
  const waiting: [unknown, unknown][] = [[original, copy]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [a, b] = pair;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || a === b || seen.has(a)) continue;
    seen.add(a);
    meet(a, b);
    if (ArrayBuffer.isView(a)) continue;
    const [parts, others] = [a, b].map((value) =>
      value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value),
    );
    parts.forEach((part, k) => waiting.push([part, others[k]]));
  }
}

describe("a copy and its original", () => {
  const specs = worlds.slice(0, 24).flatMap((seed) => [randomWorld(seed), drawn(randomFleet(seed))]);
  const halfWay = (spec: WorldSpec, options: RunOptions): SimulationRun =>
    runTo(spec, options, Math.floor((spec.startMs + spec.endMs) / 2));

  test("share no mutable state", () => {
    for (const spec of specs) {
      const before = exactly(spec);
      const run = halfWay(spec, ALL);
      const own = reachableValues([run]);
      const input = immutableInputsOf(spec);
      const shared = [...reachableValues([run.copy()])].filter((value) => own.has(value) && !input.has(value));
      const kinds = new Set(shared.map((value) => (value as object).constructor.name));
      // The parts of series and tables belong to them.
      for (const kind of kinds)
        expect(["Object", "Function", "Array", "Map", "Set"].includes(kind) || SHARED.includes(kind), kind).toBe(true);
      for (const value of shared) expect(value).not.toBeInstanceOf(Copyable);
      endOf(run);
      expect(exactly(spec) === before, "the input is what it was").toBe(true);
    }
  });

  test("have only named, enumerable properties with values", () => {
    const others: string[] = [];
    for (const spec of specs.slice(0, 12))
      walkBoth(halfWay(spec, ALL), halfWay(spec, ALL), (a) => {
        if (ArrayBuffer.isView(a)) return;
        const names = Reflect.ownKeys(a).filter((name) => name !== "length" || !Array.isArray(a));
        const isPlain =
          isDeepStrictEqual(names, Object.keys(a)) &&
          (Array.isArray(a) || names.every((name) => "value" in Object.getOwnPropertyDescriptor(a, name)!));
        if (!isPlain) others.push([a.constructor.name, ...names.map(String)].join(" "));
      });
    expect(others).toEqual([]);
  });

  test("have the same hidden classes, so that both run equally fast", () => {
    setFlagsFromString("--allow-natives-syntax");
    const isAlike = new Function("a", "b", "return %HaveSameMap(a, b)");
    const met = new Map<string, boolean>();
    for (const spec of specs) {
      const run = halfWay(spec, KPIS_ONLY);
      walkBoth(run, run.copy(), (a, b) => {
        if (a instanceof Copyable) met.set(a.constructor.name, isAlike(a, b) && met.get(a.constructor.name) !== false);
      });
    }
    expect([...met].filter(([, alike]) => !alike)).toEqual([]);
    for (const name of ["World", "Site", "BatteryComponent", "Instruction", "AwardAccount", "EventQueue", "SiteRecord"])
      expect(met.has(name), name).toBe(true);
  });

  test("have separate weights", () => {
    let changed = 0;
    for (const spec of specs) {
      const whole = endOf(new SimulationRun(spec, ALL));
      const other = spec.vpps.map((vpp) => ({
        ...vpp,
        members: vpp.members.map((member, k) => ({ ...member, allocationWeight: 10 + 90 * k })),
      }));
      const alone = halfWay(spec, ALL);
      alone.adoptVppSpecs(other);
      const run = halfWay(spec, ALL);
      const copy = run.copy();
      copy.adoptVppSpecs(other);
      const copyEnd = endOf(copy);
      expect(endOf(run) === whole).toBe(true);
      expect(copyEnd === endOf(alone)).toBe(true);
      if (copyEnd !== whole) changed++;
    }
    expect(changed).toBeGreaterThan(specs.length / 10);
  });
});

test("a run that writes tables has no copy", () => {
  const run = new SimulationRun(randomWorld(SEED), { intervalMs: 60_000, energy: { write() {} } });
  expect(() => run.copy()).toThrow(BugError);
  expect(() => run.copy()).toThrow("a run that writes tables has no copy");
});
