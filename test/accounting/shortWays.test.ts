// What is computed once for several sites, or without the general planner, changes no bit of a run.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { batteryYearFiles } from "../../bench/batteryYearFiles.ts";
import type { SiteLedger } from "../../src/accounting/meters/siteLedger.ts";
import { RunRecorder } from "../../src/accounting/recorders/runRecorder.ts";
import type { RunRecord } from "../../src/accounting/runRecord.ts";
import { hexId } from "../../src/base/ids.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import { World } from "../../src/engine/simulation/world.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { ComponentSpec } from "../../src/engine/site/components/registry.ts";
import type { Site } from "../../src/engine/site/site.ts";
import type { AwardSpec } from "../../src/engine/vpp/instructions/instructionSpec.ts";
import { writeFiles } from "../../src/inputs/datagen/disk/writeFiles.ts";
import { buildWorld } from "../../src/inputs/scenario/loadScenario.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { IS_DEEP, runs, seedOr, seedsFrom } from "../depth.ts";
import { createRandomDraw } from "../reference/manyComponents/randomSite.ts";
import {
  at,
  award,
  battery,
  consumer,
  evenSeries,
  flat,
  instruction,
  pv,
  site,
  T0,
  vpp,
  world,
} from "../reference/stepper/build.ts";
import { randomWorld } from "../reference/stepper/randomWorld.ts";
import { randomFleet } from "../study/randomFleet.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { withPlainSites } from "./plainSites.ts";

const SEED = seedOr(41);
const WORLDS = runs(60, 8);

const KPIS_ONLY = { intervalMs: 0, timelines: false, causes: false, rows: false };
const ALL_RECORDS = { intervalMs: 1_800_000, chronology: true };
/** The quick set has one, since every world runs twice with each. */
const RECORDINGS = IS_DEEP ? [ALL_RECORDS, KPIS_ONLY] : [ALL_RECORDS];

/** Counts the trajectories that end in a short way. */
class WatchedRecorder extends RunRecorder {
  /** Of batteries that follow one order. */
  batteryCount = 0;
  /** Of plants and loads that others may share. */
  sharableCount = 0;
  /** Of those, the ones that ended together with an equal one of another site. */
  sharedCount = 0;
  private readonly ended = new Set<string>();

  override onSiteChange(site: Site, atMs: number): void {
    const { store, order, trajectoryNumber } = site.record;
    if (store?.hasFlow && order !== null) this.batteryCount++;
    if (trajectoryNumber > 0) {
      const key = `${trajectoryNumber} until ${atMs}`;
      this.sharableCount++;
      if (this.ended.has(key)) this.sharedCount++;
      this.ended.add(key);
    }
    super.onSiteChange(site, atMs);
  }
}

/** Makes every site take the general way. */
function forbidShortWays({ sites }: World): void {
  for (const { record } of sites) {
    Object.defineProperty(record, "store", { value: null });
    Object.defineProperty(record, "isRestricted", { get: () => true, set: () => {} });
  }
}

/** Includes the meters' registers, which rows round to thousandths. */
function recordOf(
  spec: WorldSpec,
  recorder: RunRecorder,
  ways: "short" | "general",
): RunRecord & { eventCount: number; registers: number[][] } {
  const world = new World(spec, recorder, { canDiscardEnded: true });
  if (ways === "general") forbidShortWays(world);
  world.runBefore(spec.endMs);
  const record = recorder.finish();
  const { meters } = Reflect.get(recorder, "siteLedger") as SiteLedger;
  const registers = meters.map((meter) => [...meter.read(spec.endMs)]);
  return { ...record, eventCount: world.eventCount, registers };
}

/** @returns the recorder of the short ways */
function checkShortWays(spec: WorldSpec, what: string): WatchedRecorder {
  const [watched] = RECORDINGS.map((options) => {
    const recorder = new WatchedRecorder(spec, options);
    const short = recordOf(spec, recorder, "short");
    const general = recordOf(spec, new RunRecorder(spec, options), "general");
    // The assertion takes three times as long as the comparison: it only words a difference.
    if (!isDeepStrictEqual(short, general)) {
      expect(short.kpis, what).toEqual(general.kpis);
      expect(short.sites, what).toEqual(general.sites);
      expect(short, what).toStrictEqual(general);
    }
    return recorder;
  });
  return watched;
}

/** A price that changes every seven minutes. */
function priceOf({ startMs, endMs }: WorldSpec): Series {
  const count = Math.ceil((endMs - startMs) / 420_000);
  const timesMs = Float64Array.from({ length: count }, (_, k) => startMs + 420_000 * k);
  return new Series(
    "price",
    timesMs,
    Float64Array.from(timesMs, (_, k) => 10 + ((7 * k) % 13)),
    "step",
    endMs,
  );
}

const HALF_HOUR = 1_800_000;
const PERFECT = { method: "perfect" } as const;

/** Nine PV plants, nine loads and three batteries with a new request every half hour of two days. */
function mixedDays(): WorldSpec {
  const count = 98;
  const waveOf = (name: string, k: number, mostKw: number) =>
    evenSeries(
      name,
      k % 3 === 0 ? 30 : 15,
      Array.from({ length: count * (k % 3 === 0 ? 1 : 2) }, (_, j) => (mostKw * ((7 * j + 3 * k) % 11)) / 11),
      k % 2 === 0 ? "step" : "linear",
    );
  const sites = Array.from({ length: 21 }, (_, k) => {
    if (k % 7 === 3) return site(`battery-${k}`, battery({ auxiliaryKw: k % 2 }));
    const baseline = k % 5 === 0 ? ({ method: "constant", kw: k % 2 === 0 ? -90 : 90 } as const) : PERFECT;
    return k % 2 === 0
      ? site(`array-${k}`, pv(waveOf("sun", k, 300), { ratedOutputKw: 250 }), { baseline })
      : site(`load-${k}`, consumer(waveOf("load", k, 500), { maxDrReductionKw: 20 * k }), { baseline });
  });
  const skus = ["frr", "frr", "negawatt-spot", null, "compound", "rr"] as const;
  const awards = Array.from({ length: 94 }, (_, k) => {
    const sku = skus[k % skus.length];
    const deltaKw = (sku !== "negawatt-spot" && k % 4 === 1 ? 1 : -1) * (37.3 * ((5 * k) % 17));
    const startMs = T0 + k * HALF_HOUR + (k % 8 === 5 ? 300_000 : 0);
    return award(`A${k}`, [startMs, T0 + (k + 1) * HALF_HOUR], deltaKw, { sku });
  });
  const events = Array.from({ length: 30 }, (_, k) => ({
    kind: "set_weight" as const,
    atMs: T0 + 3 * k * HALF_HOUR,
    settled: k % 4 === 0,
    vpp: 0,
    site: (5 * k) % sites.length,
    allocationWeight: k % 3 === 0 ? 0 : 20 * k,
  }));
  return world(sites, { endMs: T0 + 46.7 * 3_600_000, awards, events });
}

/**
 * An instruction is dispatched again at the very instant at which an award replaces it, to a battery and a PV plant
 * that take no part in the award.
 */
function immediateOverlap(): WorldSpec {
  const sites = [
    site("battery", battery()),
    site("array", pv(flat(200)), { baseline: PERFECT }),
    site("load", consumer(flat(300)), { baseline: PERFECT }),
  ];
  const without = (index: number) => ({
    kind: "set_weight" as const,
    atMs: at("00:10"),
    settled: false,
    vpp: 0,
    site: index,
    allocationWeight: 0,
  });
  return world(sites, {
    instructions: [instruction("I1", at("00:05"), 30, -150)],
    awards: [award("A1", [at("00:10"), at("00:40")], -60)],
    events: [
      { kind: "outage", site: 2, atMs: at("00:08:30"), untilMs: at("00:09:30"), settled: false },
      without(0),
      without(1),
    ],
  });
}

/** Each site three times, identical; an event of one site affects only the first copy. */
function tripled(spec: WorldSpec): WorldSpec {
  const { length } = spec.sites;
  const sites = [0, 1, 2].flatMap((round) =>
    spec.sites.map((one) => {
      const name = round === 0 ? one.name : `${one.name}-${round}`;
      return { ...one, name, emsId: hexId(`site:${name}`) };
    }),
  );
  const vpps = spec.vpps.map((vpp) => ({
    ...vpp,
    members: [0, 1, 2].flatMap((round) => vpp.members.map((one) => ({ ...one, site: one.site + round * length }))),
  }));
  return { ...spec, sites, vpps };
}

const TEN_MINUTES = 600_000;

/**
 * PV plants and loads of a few types in up to three VPPs, with one of two request amounts on a grid of ten minutes:
 * trajectories often differ only in their start, end, baseline or limit.
 */
function lookalikes(seed: number): WorldSpec {
  const draw = createRandomDraw(seed);
  const pick = <T>(list: readonly T[]): T => list[draw.integer(0, list.length - 1)];
  const wave = (name: string, mostKw: number) =>
    evenSeries(
      name,
      10,
      Array.from({ length: 36 }, () => mostKw - 20 * draw.integer(0, 4)),
      draw.chance(0.7) ? "step" : "linear",
    );
  const steady = flat(300);
  const components: ComponentSpec[] = [pv(wave("sun", 300)), pv(steady), consumer(wave("load", 300)), consumer(steady)];
  const anySite = (k: number) => {
    const component = pick(components);
    const baseline = draw.chance(0.7)
      ? PERFECT
      : ({ method: "constant", kw: component.kind === "consumer" && draw.chance(0.5) ? 290 : -210 } as const);
    const one = site(`s${k}`, component, { baseline });
    return draw.chance(0.8) ? one : { ...one, constraints: { ...one.constraints, siteExportMaxKw: 270 } };
  };
  const sites = Array.from({ length: 9 }, (_, k) => anySite(k));
  const count = draw.integer(1, 3);
  const vpps = Array.from({ length: count }, (_, v) => {
    const members = sites.flatMap((_, k) => (k % count === v ? [[k, 1] as const] : []));
    return vpp(`v${v}`, sites, members);
  });
  const awards = vpps.flatMap((_, v) => {
    const list: AwardSpec[] = [];
    for (let from = draw.integer(0, 1); from < 34; ) {
      const until = from + draw.integer(1, 4);
      const deltaKw = pick([-120, 120]) * vpps[v].members.length;
      list.push(
        award(`A${v}-${from}`, [T0 + from * TEN_MINUTES, T0 + until * TEN_MINUTES], deltaKw, {
          vpp: v,
          sku: deltaKw < 0 ? pick(["frr", "negawatt-spot"]) : "frr",
        }),
      );
      from = until + draw.integer(0, 1);
    }
    return list;
  });
  const events = Array.from({ length: draw.integer(0, 6) }, () => {
    // The site returns to the grid; the others then get their initial set-point again.
    const untilMs = T0 + draw.integer(2, 32) * TEN_MINUTES - 30_000;
    const atMs = untilMs - TEN_MINUTES;
    return { kind: "outage", site: draw.integer(0, 8), atMs, untilMs, settled: false } as const;
  });
  return world(sites, { vpps, awards, events, endMs: T0 + 35 * TEN_MINUTES });
}

const worlds = seedsFrom(SEED * 1000, WORLDS);

/** A load that takes part only in the FCR capacity of a compound, and can hold none: nothing is credited to it. */
function zeroFcrCapacity(): WorldSpec {
  const sites = [
    site("battery", battery()),
    site("load", consumer(flat(300), { fcrCapable: true, contractKw: 250 }), {
      baseline: { method: "constant", kw: 250 },
    }),
  ];
  const awards = [award("A1", [at("00:10"), at("00:40")], 60, { sku: "compound", fcrResponseKw: 20 })];
  return world(sites, { awards });
}

describe("short ways have the results of the general way", () => {
  test("in random worlds", () => {
    let used = 0;
    for (const seed of worlds) {
      const spec = seed % 4 === 0 ? randomWorld(seed) : withPlainSites(randomWorld(seed));
      if (checkShortWays(spec, `world ${seed}`).batteryCount > 0) used++;
    }
    expect(used).toBeGreaterThan(WORLDS / 8);
  });

  test("in random fleets, with outages and links that lose messages", () => {
    let used = 0;
    for (const seed of worlds) {
      const spec = withPlainSites(randomFleet(seed));
      const sites = spec.sites.map((site, k) => ({
        ...site,
        link: { ...site.link, lossProbability: (seed + k) % 5 === 0 ? 0.3 : 0 },
        outages: seed % 2 === 0 ? { meanUpMs: 3_600_000, meanRepairMs: 600_000 } : site.outages,
      }));
      const energyPriceJpyPerKwh = seed % 3 === 0 ? priceOf(spec) : spec.energyPriceJpyPerKwh;
      if (checkShortWays({ ...spec, sites, energyPriceJpyPerKwh }, `fleet ${seed}`).batteryCount > 0) used++;
    }
    expect(used).toBeGreaterThan(WORLDS / 2);
  });

  const FEATURES = resolve(import.meta.dirname, "../../scenarios/features");
  test.each(readdirSync(FEATURES).sort())("in scenarios/features/%s", (name) => {
    const spec = buildWorld(new ScenarioSource(join(FEATURES, name), diskFiles));
    const events = spec.events.filter(({ kind }) => kind !== "request");
    checkShortWays({ ...spec, events }, name);
  });

  test("ten batteries from award to award", () => {
    const days = runs(28, 4);
    const folder = createTemporaryFolder("batch");
    writeFiles(folder, batteryYearFiles(days));
    const spec = buildWorld(new ScenarioSource(join(folder, "scenario.yaml"), diskFiles));
    expect(checkShortWays(spec, "ten batteries").batteryCount).toBeGreaterThan(350 * days);
  });

  test("PV plants and loads from award to award", () => {
    const spec = mixedDays();
    for (const energyPriceJpyPerKwh of IS_DEEP ? [null, priceOf(spec)] : [priceOf(spec)])
      for (const pvSetpoint of ["hold", "follow"] as const)
        for (const deltaExcess of ["uncovered", "redistribute"] as const) {
          const vpps = spec.vpps.map((vpp) => ({ ...vpp, options: { ...vpp.options, pvSetpoint, deltaExcess } }));
          const what = `${pvSetpoint}, ${deltaExcess}`;
          checkShortWays({ ...spec, vpps, energyPriceJpyPerKwh }, what);
        }
  });

  test("identical sites, with equal set-points and with one of them out of service", () => {
    const spec = tripled(mixedDays());
    // Those of a kind share the half-hour awards by equal weights, up to tenths of kW.
    const weights = spec.events.flatMap((event) => (event.kind === "set_weight" ? [event] : []));
    const { length } = spec.sites;
    const outages = Array.from({ length: 24 }, (_, k) => ({
      kind: "outage" as const,
      site: (5 * k) % length,
      atMs: T0 + (3 * k + 0.3) * HALF_HOUR,
      untilMs: T0 + (3 * k + 2.1) * HALF_HOUR,
      settled: k % 3 === 0,
    }));
    const both = [...outages, ...weights];
    for (const energyPriceJpyPerKwh of IS_DEEP ? [null, priceOf(spec)] : [priceOf(spec)])
      for (const events of IS_DEEP ? [[], outages, weights, both] : [both]) {
        const { sharedCount, sharableCount } = checkShortWays(
          { ...spec, events, energyPriceJpyPerKwh },
          `${events.length} events`,
        );
        expect(sharedCount).toBeGreaterThan(0.25 * sharableCount);
        expect(sharedCount).toBeLessThan(sharableCount);
      }
  });

  test("identical sites in random worlds and fleets", () => {
    let shared = 0;
    for (const seed of worlds) {
      const spec = tripled(withPlainSites(seed % 4 === 0 ? randomFleet(seed) : randomWorld(seed)));
      const energyPriceJpyPerKwh = seed % 3 === 0 ? priceOf(spec) : spec.energyPriceJpyPerKwh;
      shared += checkShortWays({ ...spec, energyPriceJpyPerKwh }, `world ${seed}`).sharedCount;
    }
    expect(shared).toBeGreaterThan(WORLDS / 8);
  });

  test("sites with nearly the same set-point", () => {
    // Eight times as many seeds, because two of the differences between trajectories are rare.
    for (let seed = 8 * worlds[0]; seed < 8 * (worlds[0] + WORLDS); seed++) {
      const spec = lookalikes(seed);
      const energyPriceJpyPerKwh = seed % 3 === 0 ? priceOf(spec) : null;
      checkShortWays({ ...spec, energyPriceJpyPerKwh }, `lookalikes ${seed}`);
    }
  });

  test("where an instruction is suspended at the instant at which it is dispatched again", () => {
    const spec = immediateOverlap();
    // The price requires energies at its changes, also within a trajectory.
    const priced = { ...spec, energyPriceJpyPerKwh: priceOf(spec) };
    checkShortWays(priced, "gives way");
  });

  test("where a load has an order for no FCR capacity", () => {
    checkShortWays(zeroFcrCapacity(), "no FCR capacity");
  });
});
