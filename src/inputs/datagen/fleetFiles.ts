import {
  type EpochMs,
  isoDuration,
  isoUtc,
  MS_PER_DAY,
  MS_PER_HALF_HOUR,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  MS_PER_SECOND,
} from "../../base/time.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { awardPatternKw } from "./awardPattern.ts";
import { rowsCsv, seriesCsv } from "./csvText.ts";
import type { GeneratedFiles } from "./disk/writeFiles.ts";
import { fleetScenario, fleetSiteNames, LOAD_TRACES, PV_TRACES } from "./fleetScenario.ts";
import { coldStorageLoad, factoryLoad, noisyLoad, officeLoad } from "./loadShapes.ts";
import { pvTraceKw } from "./pvTrace.ts";
import type { GeoLocation } from "./solarGeometry.ts";
import { JST_OFFSET_MS, type TimeGrid } from "./timeGrid.ts";

export interface Outage {
  readonly atMs: EpochMs;
  readonly site: string;
  readonly durationMs: number;
}

interface OutageRates {
  readonly meanUptimeMs: number;
  readonly meanRepairMs: number;
}

/**
 * Outages of sites that are up at the start: exponential up and repair times, rounded up to whole seconds, the last
 * repair cut at the end. By time, then in the order of the sites.
 */
export function drawOutages(
  { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
  sites: readonly string[],
  { meanUptimeMs, meanRepairMs }: OutageRates,
  random: RandomStreams,
): Outage[] {
  const outages: (Outage & { readonly order: number })[] = [];
  sites.forEach((site, order) => {
    const stream = random.getStream("outages", site);
    const wholeSeconds = (meanMs: number) =>
      Math.max(1, Math.ceil(stream.nextExponential(meanMs) / MS_PER_SECOND)) * MS_PER_SECOND;
    for (let atMs = startMs + wholeSeconds(meanUptimeMs); atMs < endMs; atMs += wholeSeconds(meanUptimeMs)) {
      const durationMs = wholeSeconds(meanRepairMs);
      outages.push({ atMs, site, durationMs: Math.min(durationMs, endMs - atMs), order });
      atMs += durationMs;
    }
  });
  outages.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
  return outages.map(({ atMs, site, durationMs }) => ({ atMs, site, durationMs }));
}

/** Days of each fleet scenario, by its name. */
export const FLEET_DAYS: ReadonlyMap<string, number> = new Map([
  ["fleet-week", 7],
  ["fleet-year", 365],
]);

/** Seed of all random streams of the fleet. */
const SEED = 2026;
/** 2025-04-01T00:00+09:00, a fiscal year's begin. */
const START_MS: EpochMs = Date.UTC(2025, 2, 31, 15);

/** All files of a fleet scenario. A week is the first week of the year, outages under way cut at its end. */
export function fleetFiles(name: string, days: number): GeneratedFiles {
  const random = new RandomStreams(SEED);
  const period = { startMs: START_MS, endMs: START_MS + days * MS_PER_DAY, utcOffsetMs: JST_OFFSET_MS };
  const halfHours = { ...period, stepMs: MS_PER_HALF_HOUR };
  return new Map<string, string | Uint8Array>([
    ["scenario.yaml", fleetScenario(name, period.startMs, period.endMs)],
    ["pv.csv", pvCsv({ ...period, stepMs: MS_PER_MINUTE }, random)],
    ["load.csv", loadCsv(halfHours, random)],
    ["awards.csv", awardsCsv(halfHours, random)],
    ["events.csv", eventsCsv(halfHours, random)],
  ]);
}

const PLACES: Record<(typeof PV_TRACES)[number], GeoLocation> = {
  kanto: { latitudeDeg: 36.15, longitudeDeg: 139.38 },
  tokai: { latitudeDeg: 34.71, longitudeDeg: 137.73 },
  kansai: { latitudeDeg: 34.69, longitudeDeg: 135.19 },
  kyushu: { latitudeDeg: 31.56, longitudeDeg: 130.56 },
};

function pvCsv(grid: TimeGrid, random: RandomStreams): Uint8Array {
  const array = { tiltDeg: 20, azimuthDeg: 180, capacityKw: 1200, ratedOutputKw: 1000 };
  return seriesCsv(
    grid,
    new Map(PV_TRACES.map((name) => [name, pvTraceKw(grid, { ...array, ...PLACES[name], name }, random)])),
  );
}

function loadCsv(grid: TimeGrid, random: RandomStreams): Uint8Array {
  const noisePct = 6;
  const mill = {
    name: "mill",
    noisePct,
    baseKw: 180,
    shiftKw: 560,
    shiftStartHour: 8,
    shiftEndHour: 18,
    weekendFraction: 0.3,
  };
  const foundry = {
    name: "foundry",
    noisePct,
    baseKw: 260,
    shiftKw: 480,
    shiftStartHour: 6,
    shiftEndHour: 22,
    weekendFraction: 0.6,
  };
  const office = { name: "office", noisePct, baseKw: 120, occupiedKw: 380, airConditioningKw: 260 };
  const coldstore = { name: "coldstore", noisePct, baseKw: 240, heatKw: 260, intakeKw: 90 };
  const expected = {
    mill: factoryLoad(mill),
    foundry: factoryLoad(foundry),
    office: officeLoad(office),
    coldstore: coldStorageLoad(coldstore),
  };
  const shapes = { mill, foundry, office, coldstore };
  return seriesCsv(
    grid,
    new Map(LOAD_TRACES.map((trace) => [trace, noisyLoad(grid, shapes[trace], expected[trace], random)])),
  );
}

function awardsCsv(grid: TimeGrid, random: RandomStreams): Uint8Array {
  const pattern = {
    name: "fleet",
    amplitudeKw: 15_500,
    amplitudeSpreadKw: 5_000,
    offsetKw: -600,
    noiseKw: 2_500,
    minKw: 50,
    maxKw: 25_000,
  };
  const deltasKw = awardPatternKw(grid, pattern, random);
  const rows = Array.from(deltasKw, (deltaKw, k) => {
    const startMs = grid.startMs + k * grid.stepMs;
    const awardId = `A-${String(k + 1).padStart(5, "0")}`;
    return [awardId, "fleet", "frr", isoUtc(startMs), isoUtc(startMs + grid.stepMs), deltaKw.toFixed(1)];
  });
  return rowsCsv(["award_id", "vpp", "sku", "start", "end", "delta_kw"], rows);
}

/** A site fails about fifteen times a year, for four hours in the mean. */
const OUTAGE_RATES = { meanUptimeMs: 584 * MS_PER_HOUR, meanRepairMs: 4 * MS_PER_HOUR };

function eventsCsv(grid: TimeGrid, random: RandomStreams): Uint8Array {
  const rows = drawOutages(grid, fleetSiteNames(), OUTAGE_RATES, random).map(({ atMs, site, durationMs }) => [
    isoUtc(atMs),
    "outage",
    site,
    isoDuration(durationMs),
  ]);
  return rowsCsv(["at", "kind", "site", "duration"], rows);
}
