import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ScenarioEvent, WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../src/engine/site/siteSpec.ts";
import { createBoundProblems, outagePeriods, subtractPeriods } from "../../src/study/bound/boundProblem.ts";
import { aggregatedBoundKwh, exactBoundKwh } from "../../src/study/bound/exactBoundKwh.ts";
import { studyBound } from "../../src/study/bound/studyBound.ts";
import { runs, seedOr } from "../depth.ts";
import { createRandomDraw, type RandomDraw } from "../reference/manyComponents/randomSite.ts";
import { runWorld } from "../runWorld.ts";
import {
  at,
  battery,
  consumer,
  eastVpp,
  evenSeries,
  flat,
  losslessBattery,
  parseAwards,
  parseEvents,
  parseInstructions,
  pumped,
  pv,
  site,
  T0,
  thermal,
  world,
} from "../simulation/smallWorld.ts";
import { randomFleet } from "./randomFleet.ts";

const shortfallOf = (spec: WorldSpec): number =>
  runWorld(spec, { intervalMs: 1, timelines: false }).kpis.get("shortfall_kwh") as number;
const relaxed = (spec: WorldSpec): number =>
  createBoundProblems(spec).reduce((sum, one) => sum + aggregatedBoundKwh(one), 0);
const exact = async (spec: WorldSpec): Promise<number> => {
  let sum = 0;
  for (const one of createBoundProblems(spec)) sum += (await exactBoundKwh(one)) ?? Number.NaN;
  return sum;
};

const inline = { solve: exactBoundKwh, signal: new AbortController().signal };

describe("by hand:", () => {
  const two = (kwh: number): SiteSpec[] => [
    site("a", losslessBattery({ ratedCapKwh: 1000, importMaxKw: 100, exportMaxKw: 100 })),
    site("b", losslessBattery({ ratedCapKwh: kwh, importMaxKw: 300, exportMaxKw: 300 })),
  ];
  test.each<[string, SiteSpec[], string[], string[], number]>([
    // 100 kW and 300 kW against 350 kW: there is no shortfall if the energy suffices.
    ["power is enough", two(1000), ["01:00-02:00 -350"], [], 0],
    ["power is not", two(1000), ["01:00-02:00 -450"], [], 50],
    // b holds 100 kWh, half of 200: 100 + 100 of 350.
    ["energy is not", two(200), ["01:00-02:00 -350"], [], 150],
    // What the first leaves empty the second fills: 200 kWh of room, and 100 from a.
    ["a charge after a discharge", two(200), ["01:00-02:00 -200", "02:00-03:00 350"], [], 50],
    // a is out for a quarter: 75 + 250 of 300, with 300 kWh in b.
    ["an outage", two(600), ["01:00-02:00 -400"], ["outage 0 01:00-01:15"], 25],
    ["a planned one too", two(600), ["01:00-02:00 -400"], ["maintenance 0 01:00-01:15"], 25],
  ])("%s", async (_, sites, awards, events, kwh) => {
    const spec = world(sites, {
      vpps: [eastVpp(sites, [1, 1])],
      awards: parseAwards(...awards),
      events: parseEvents(...events),
      endMs: at("06:00"),
    });
    expect(await exact(spec)).toBeCloseTo(kwh, 6);
    expect(relaxed(spec)).toBeLessThanOrEqual(kwh + 1e-6);
  });

  test.each<[string, SiteSpec[], string[], string[], number[]]>([
    // As it is, without outages, with any energy, with any power.
    ["power is short", two(1000), ["01:00-02:00 -450"], [], [50, 50, 50, 0]],
    ["energy is short", two(200), ["01:00-02:00 -350"], [], [150, 150, 0, 0]],
    // Of b's 100 kWh nothing more can be had; a could give all of its 500 kWh, were it not for 100 kW.
    ["both are", two(200), ["01:00-02:00 -700"], [], [500, 500, 300, 100]],
    ["outages are", two(600), ["01:00-02:00 -400"], ["outage 0 01:00-01:15"], [25, 0, 25, 0]],
    [
      "somebody is away all the time, and power helps the other",
      two(600),
      ["01:00-02:00 -400"],
      ["outage 0 00:00"],
      [100, 0, 100, 100],
    ],
  ])("the parameter that would lower the bound, when %s", async (_, sites, awards, events, expected) => {
    const spec = world(sites, {
      vpps: [eastVpp(sites, [1, 1])],
      awards: parseAwards(...awards),
      events: parseEvents(...events),
      endMs: at("06:00"),
    });
    const bound = await studyBound(spec, [1, 2], inline);
    const found = [bound?.boundKwh, bound?.withoutOutagesKwh, bound?.unlimitedEnergyKwh, bound?.unlimitedPowerKwh];
    expect(found).toEqual(expected.map((kwh) => [expect.closeTo(kwh, 6), expect.closeTo(kwh, 6)]));
  });

  test("members without a store: sun, load and ratings", async () => {
    const sites = [
      site("sun", pv(evenSeries("g", 30, [0, 0, 100, 300, 0, 0, 0, 0]))),
      site("load", consumer(flat(500), { maxDrReductionKw: 200 }), { baseline: { method: "series", plan: flat(500) } }),
      site("plant", thermal({ ratedOutputKw: 50 })),
    ];
    // 01:00 to 02:00: sun 50 + 150, load 200, plant 50 = 450 kWh. Up, nobody can do anything.
    const spec = world(sites, {
      vpps: [eastVpp(sites, [1, 1, 1])],
      awards: parseAwards("01:00-02:00 -500", "02:00-02:30 40"),
      endMs: at("03:00"),
    });
    expect(await exact(spec)).toBeCloseTo(50 + 20, 6);
    expect(relaxed(spec)).toBeCloseTo(50 + 20, 6);
  });

  test("periods in which awards overlap, or an instruction may intervene, are excluded", async () => {
    const sites = two(200);
    const spec = world(sites, {
      vpps: [eastVpp(sites, [1, 1])],
      awards: parseAwards("00:30-01:30 -500 frr", "01:00-02:00 -500 rr", "03:00-04:00 -500", "05:00-05:30 -500"),
      instructions: parseInstructions("03:30 -10 10min"),
      endMs: at("06:00"),
    });
    // Of the last one alone: 250 kWh asked, 50 from a and 150 from b, in which any energy may be.
    expect(await exact(spec)).toBeCloseTo(50, 6);
    const bound = await studyBound(spec, [1], inline);
    expect(bound).toMatchObject({ boundKwh: [expect.closeTo(50, 6)], method: "exact", coveredRequestKwh: 250 });
  });

  test("times in service", () => {
    const sites = two(200);
    const spec = world(sites, {
      vpps: [],
      events: parseEvents("outage 0 00:30-01:00", "outage 0 00:45-02:00", "outage 0 03:00-04:00"),
      endMs: at("06:00"),
    });
    const [out] = outagePeriods(spec);
    const clock = (ms: number) => (ms - T0) / 60_000;
    expect(out.map(({ startMs, endMs }) => [clock(startMs), clock(endMs)])).toEqual([
      [30, 120],
      [180, 240],
    ]);
    const left = subtractPeriods({ startMs: at("00:15"), endMs: at("03:30") }, out);
    expect(left.map(({ startMs, endMs }) => [clock(startMs), clock(endMs)])).toEqual([
      [15, 30],
      [120, 180],
    ]);
  });
});

const HOURS = 10;
const kw = fc.integer({ min: 1, max: 60 }).map((tens) => 10 * tens);

const anySite = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("battery" as const),
      cap: fc.constantFrom(100, 300, 1000),
      power: kw,
      initial: fc.constantFrom(0, 10, 35, 50, 90, 100),
      efficiency: fc.constantFrom(1, 0.95, 0.8),
      odd: fc.constantFrom(
        "none",
        "none",
        "none",
        "ramp",
        "delay",
        "latency",
        "drain",
        "plan",
        "taper",
        "auxiliary",
        "loss",
      ),
      outages: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("pv" as const),
      power: kw,
      subsidy: fc.constantFrom("fit" as const, "none" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("consumer" as const),
      power: kw,
      track: fc.boolean(),
      planned: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("thermal" as const), power: kw }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pumped" as const), power: kw }) },
);
type AnySite = typeof anySite extends fc.Arbitrary<infer T> ? T : never;

function siteOf(given: AnySite, index: number): SiteSpec {
  const name = `s${index}`;
  if (given.kind === "pv")
    return site(
      name,
      pv(
        evenSeries(
          "g",
          20,
          Array.from({ length: 3 * HOURS }, (_, k) => (k * 37 * given.power) % 500),
        ),
        { subsidy: given.subsidy },
      ),
    );
  if (given.kind === "consumer") {
    const load = evenSeries(
      "l",
      15,
      Array.from({ length: 4 * HOURS }, (_, k) => 200 + ((k * 53 * given.power) % 400)),
    );
    return site(
      name,
      consumer(load, {
        maxDrReductionKw: given.power,
        control: given.track ? "track" : "drop_by",
        reboundFraction: 0.5,
        reboundMs: 1_800_000,
      }),
      { baseline: given.planned ? { method: "perfect" } : { method: "constant", kw: 350 } },
    );
  }
  if (given.kind === "thermal")
    return site(name, thermal({ ratedOutputKw: given.power, rampKwPerMin: 5 }), {
      baseline: { method: "constant", kw: -given.power / 2 },
    });
  if (given.kind === "pumped")
    return site(name, pumped({ capacityKwh: 300, pumpMaxKw: given.power }, { ratedOutputKw: given.power }));
  const { odd, cap, power, initial, efficiency } = given;
  return site(
    name,
    battery({
      ratedCapKwh: cap,
      importMaxKw: power,
      exportMaxKw: Math.ceil(power * 0.8),
      initialSocPct: initial,
      chargeEfficiency: efficiency,
      dischargeEfficiency: efficiency,
      ...(odd === "ramp" ? { rampKwPerS: 0.1 } : {}),
      ...(odd === "delay" ? { responseDelayMs: 600_000 } : {}),
      ...(odd === "drain" ? { selfDischargePctPerDay: 50 } : {}),
      ...(odd === "auxiliary" ? { auxiliaryKw: 7 } : {}),
      ...(odd === "taper"
        ? {
            powerTaper: [
              { socPct: 20, importFraction: 1, exportFraction: 0.2 },
              { socPct: 80, importFraction: 0.3, exportFraction: 1 },
            ],
          }
        : {}),
    }),
    {
      baseline: odd === "plan" ? { method: "constant", kw: power / 3 } : { method: "zero" },
      link: { lossProbability: odd === "loss" ? 0.6 : 0, latencyMs: odd === "latency" ? 300_000 : 0 },
      outages: given.outages ? { meanUpMs: 4 * 3_600_000, meanRepairMs: 1_200_000 } : null,
    },
  );
}

const pad = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** Awards one after the other with gaps between them; now and then one overlaps the next. */
const anyAwards = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0, 0, 10, 30, -10),
      minutes: fc.constantFrom(20, 30, 60, 90),
      kw: fc.integer({ min: -1200, max: 1200 }),
      sku: fc.constantFrom("frr", "frr", "rr", "exchange-da"),
    }),
    { minLength: 2, maxLength: 7 },
  )
  .map((awards) => {
    let fromMinutes = 10;
    return awards.map(({ gap, minutes, kw: delta, sku }) => {
      const start = fromMinutes + gap;
      fromMinutes = start + minutes;
      return `${pad(start)}-${pad(fromMinutes)} ${delta} ${sku}`;
    });
  });

const CASES = runs(400, 15);

test("no weights have less shortfall than the bound, and the relaxed bound never exceeds the exact one", async () => {
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anySite, { minLength: 1, maxLength: 4 }),
      anyAwards,
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 40, maxLength: 40 }),
      fc.integer({ min: 1, max: 99 }),
      fc.boolean(),
      async (given, awards, weights, seed, redistribute) => {
        const sites = given.map(siteOf);
        const listed = parseAwards(...awards);
        // New weights right before every award.
        const events: ScenarioEvent[] = listed.flatMap(({ startMs }, k) =>
          sites.map((_, index) => ({
            kind: "set_weight" as const,
            atMs: startMs,
            settled: false,
            vpp: 0,
            site: index,
            allocationWeight: weights[(k * sites.length + index) % weights.length],
          })),
        );
        const options = { deltaExcess: redistribute ? ("redistribute" as const) : ("uncovered" as const) };
        const spec = world(sites, {
          vpps: [
            eastVpp(
              sites,
              sites.map((_, k) => weights[39 - k] + 1),
              options,
            ),
          ],
          awards: listed,
          events: [...events, ...parseEvents("outage 0 01:10-01:25")],
          endMs: at(`${HOURS}:00`),
          seed,
        });
        const bound = await exact(spec);
        if (bound > 0) counted++;
        const shortfall = shortfallOf(spec);
        expect(shortfall).toBeGreaterThanOrEqual(bound - 1e-5 - 1e-9 * shortfall);
        expect(relaxed(spec)).toBeLessThanOrEqual(bound + 1e-5);
      },
    ),
    { seed: seedOr(145), numRuns: CASES },
  );
  // A bound of nothing is never beaten either.
  expect(counted).toBeGreaterThan(0.375 * CASES);
});

const FLEETS = runs(250, 10);

test("on fleets with everything that a scenario can hold, weights that climb down to it never pass it", async () => {
  let counted = 0;
  for (let seed = 0; seed < FLEETS; seed++) {
    let spec = randomFleet(seed);
    const bound = await exact(spec);
    expect(relaxed(spec), `fleet ${seed}`).toBeLessThanOrEqual(bound + 1e-5);
    let least = shortfallOf(spec);
    const draw = createRandomDraw(seed);
    // Some of the weights drawn anew, kept where less is short.
    for (let climb = 0; climb < 4 && bound < least; climb++) {
      const next = { ...spec, events: spec.events.map((event) => reweighted(event, draw)) };
      const shortfall = shortfallOf(next);
      if (shortfall <= least) [spec, least] = [next, shortfall];
    }
    if (bound > 0) counted++;
    expect(least, `fleet ${seed}`).toBeGreaterThanOrEqual(bound - 1e-5 - 1e-9 * least);
  }
  expect(counted).toBeGreaterThan(FLEETS / 2);
});

const reweighted = (event: ScenarioEvent, draw: RandomDraw): ScenarioEvent =>
  event.kind === "set_weight" && draw.chance(0.4)
    ? { ...event, allocationWeight: draw.chance(0.3) ? 0 : draw.integer(1, 1000) }
    : event;

test("a load beyond its site's limit counts as what it draws", async () => {
  const load = consumer(flat(300), { componentId: "load" });
  const one = site("a", losslessBattery({ importMaxKw: 100, exportMaxKw: 100 }), {
    baseline: { method: "constant", kw: 100 },
  });
  const sites = [
    {
      ...one,
      components: [...one.components, load],
      constraints: { ...one.constraints, siteImportMaxKw: 200 },
    },
  ];
  const spec = world(sites, {
    vpps: [
      {
        ...eastVpp(sites, [1]),
        members: [{ site: 0, label: "", resourceType: "multi_component", allocationWeight: 1 }],
      },
    ],
    awards: parseAwards("01:00-02:00 400"),
    endMs: at("06:00"),
  });
  // 300 kW flow, 200 above the plan, though no order may ask the site to draw more than 200 in all.
  expect(shortfallOf(spec)).toBeCloseTo(200, 6);
  // The battery's 100 kW cannot come on top of a load beyond the limit.
  expect(await exact(spec)).toBeCloseTo(200, 6);
});

test("an outage that may be ended early counts until then", async () => {
  const sites = [site("a", losslessBattery({ importMaxKw: 100, exportMaxKw: 100 }))];
  const spec = world(sites, {
    vpps: [eastVpp(sites, [1])],
    awards: parseAwards("01:00-02:00 -200"),
    events: [
      ...parseEvents("outage 0 00:30"),
      { kind: "fault_end", atMs: at("01:30"), settled: true, faultId: "fault-1" },
    ],
    endMs: at("06:00"),
  });
  // Back for half an hour: 50 of 200 kWh.
  expect(await exact(spec)).toBeCloseTo(150, 9);
  expect(shortfallOf(spec)).toBeGreaterThanOrEqual(150 - 1e-9);
});

describe("the bound is tight on small fleets:", () => {
  /** Least shortfall over all shares at every award: `runs` of them from 0 to 1. */
  function leastShortfall(sites: readonly SiteSpec[], lines: readonly string[]): { least: number; spec: WorldSpec } {
    const awards = parseAwards(...lines);
    const specWith = (shares: readonly number[]): WorldSpec =>
      world(sites, {
        vpps: [eastVpp(sites, [1, 1])],
        awards,
        events: awards.flatMap(({ startMs }, k) =>
          [shares[k], 1 - shares[k]].map((allocationWeight, index) => ({
            kind: "set_weight" as const,
            atMs: startMs,
            settled: false,
            vpp: 0,
            site: index,
            allocationWeight,
          })),
        ),
        endMs: at("08:00"),
      });
    let least = Number.POSITIVE_INFINITY;
    const steps = runs(21, 11);
    for (let code = 0; code < steps ** lines.length; code++) {
      const shares = lines.map((_, k) => (Math.floor(code / steps ** k) % steps) / (steps - 1));
      least = Math.min(least, shortfallOf(specWith(shares)));
    }
    return { least, spec: specWith([0.5, 0.5, 0.5]) };
  }

  test.each<[string, string[]]>([
    ["energy decides", ["01:00-02:00 -300", "02:00-03:00 -300"]],
    ["power decides", ["01:00-02:00 -380", "03:00-04:00 390"]],
    ["one fills what the other empties", ["01:00-02:00 -200", "02:00-03:30 333"]],
  ])("%s", async (_, lines) => {
    const sites = [
      site("a", losslessBattery({ ratedCapKwh: 400, importMaxKw: 100, exportMaxKw: 100 })),
      site(
        "b",
        losslessBattery({
          ratedCapKwh: 300,
          importMaxKw: 250,
          exportMaxKw: 250,
          chargeEfficiency: 0.9,
          dischargeEfficiency: 0.9,
        }),
      ),
    ];
    const { least, spec } = leastShortfall(sites, lines);
    const bound = await exact(spec);
    expect(bound).toBeGreaterThan(0);
    expect(least).toBeGreaterThanOrEqual(bound - 1e-6);
    // What the steps of the shares leave.
    expect(least).toBeLessThanOrEqual(bound + 0.02 * 300);
  });
});
