// Runs whose plain batteries stand in a bank come to what they come to by themselves, to the last bit.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { batteryYear } from "../../src/generate/batteryYear.ts";
import { writeFiles } from "../../src/generate/writeFiles.ts";
import { Recorder } from "../../src/record/recorder.ts";
import type { RunRecord } from "../../src/record/runRecord.ts";
import { buildWorld } from "../../src/scenario/loadScenario.ts";
import { diskFiles } from "../../src/scenario/scenarioFiles.ts";
import { ScenarioSource } from "../../src/scenario/scenarioSource.ts";
import { Series } from "../../src/series/series.ts";
import type { BankObserver, PlainBank } from "../../src/site/plainBank.ts";
import type { Site } from "../../src/site/site.ts";
import { World } from "../../src/world/world.ts";
import type { WorldSpec } from "../../src/world/worldSpec.ts";
import { randomWorld } from "../reference/stepper/randomWorld.ts";
import { randomFleet } from "../study/boundFleets.ts";
import { plain } from "./plainSites.ts";

/** Other worlds, or more of them: FC_SEED and FC_RUNS (test/README.md). */
const SEED = Number(process.env.FC_SEED ?? 41);
const WORLDS = Number(process.env.FC_RUNS ?? 150);

const KPIS_ONLY = { intervalMs: 0, timelines: false, causes: false, rows: false };

/** Counts how often batteries come in and how often laws end there. */
class Watched implements BankObserver {
  private readonly book: BankObserver;
  keptCount = 0;
  closedCount = 0;

  constructor(book: BankObserver) {
    this.book = book;
  }

  opened(bank: PlainBank): void {
    this.book.opened(bank);
  }

  kept(site: Site): void {
    this.keptCount++;
    this.book.kept(site);
  }

  close(indices: Int32Array, count: number, atMs: number): void {
    this.closedCount += count;
    this.book.close(indices, count, atMs);
  }

  givenBack(site: Site, lawBeganMs: number): void {
    this.book.givenBack(site, lawBeganMs);
  }
}

class RecorderOfSites extends Recorder {
  override bankObserver(): null {
    return null;
  }
}

class WatchedRecorder extends Recorder {
  watched: Watched | null = null;

  override bankObserver(): BankObserver | null {
    const book = super.bankObserver();
    this.watched = book === null ? null : new Watched(book);
    return this.watched;
  }
}

function recordOf(spec: WorldSpec, recorder: Recorder): RunRecord & { eventCount: number } {
  const world = new World(spec, recorder, { endedAreForgotten: true });
  world.runBefore(spec.endMs);
  return { ...recorder.finish(), eventCount: world.eventCount };
}

/** @returns what the bank had to do */
function checkBank(spec: WorldSpec, what: string): Watched {
  const recorder = new WatchedRecorder(spec, KPIS_ONLY);
  const banked = recordOf(spec, recorder);
  const single = recordOf(spec, new RecorderOfSites(spec, KPIS_ONLY));
  expect(banked.kpis, what).toEqual(single.kpis);
  expect(banked.sites, what).toEqual(single.sites);
  expect(banked, what).toEqual(single);
  if (recorder.watched === null) throw new Error(`${what}: key figures alone have a bank`);
  return recorder.watched;
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

const worlds = Array.from({ length: WORLDS }, (_, k) => SEED * 1000 + k);

describe("batteries in a bank do what they do by themselves", () => {
  test("in random worlds", () => {
    let used = 0;
    for (const seed of worlds) {
      const spec = seed % 4 === 0 ? randomWorld(seed) : plain(randomWorld(seed));
      if (checkBank(spec, `world ${seed}`).closedCount > 0) used++;
    }
    expect(used).toBeGreaterThan(WORLDS / 8);
  });

  test("in random fleets, with outages and links that lose messages", () => {
    let used = 0;
    for (const seed of worlds) {
      const spec = plain(randomFleet(seed));
      const sites = spec.sites.map((site, k) => ({
        ...site,
        link: { ...site.link, lossProbability: (seed + k) % 5 === 0 ? 0.3 : 0 },
        outages: seed % 2 === 0 ? { meanUpMs: 3_600_000, meanRepairMs: 600_000 } : site.outages,
      }));
      const energyPriceJpyPerKwh = seed % 3 === 0 ? priceOf(spec) : spec.energyPriceJpyPerKwh;
      if (checkBank({ ...spec, sites, energyPriceJpyPerKwh }, `fleet ${seed}`).closedCount > 0) used++;
    }
    expect(used).toBeGreaterThan(WORLDS / 2);
  });

  const FEATURES = resolve(import.meta.dirname, "../../scenarios/features");
  test.each(readdirSync(FEATURES).sort())("in scenarios/features/%s", (name) => {
    const spec = buildWorld(new ScenarioSource(join(FEATURES, name), diskFiles));
    const events = spec.events.filter(({ kind }) => kind !== "request");
    checkBank({ ...spec, events }, name);
  });

  test("from award to award, without leaving the bank", () => {
    const folder = mkdtempSync(join(tmpdir(), "vppsim-bank-"));
    writeFiles(folder, batteryYear(28));
    const spec = buildWorld(new ScenarioSource(join(folder, "scenario.yaml"), diskFiles));
    rmSync(folder, { recursive: true });
    const { keptCount, closedCount } = checkBank(spec, "ten batteries");
    expect(closedCount).toBeGreaterThan(20 * keptCount);
  });
});
