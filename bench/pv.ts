/**
 * The PV chain, from weather to AC power, over one year of hours and one of minutes.
 *
 * The hash of the AC power, rounded to whole watts, is printed beside the time. Run with `npx tsx bench/pv.ts`.
 */
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { MS_PER_HOUR, MS_PER_MINUTE } from "../src/base/time.ts";
import { type PvSystem, pvModelChain, type WeatherSamples } from "../src/engine/device/pv/pvModelChain.ts";
import { defaultPvLosses } from "../src/engine/device/pv/pvwattsLosses.ts";
import { solarPosition } from "../src/engine/device/pv/solarPosition.ts";
import { sunOverIntervals } from "../src/engine/device/pv/sunOverIntervals.ts";

export interface PvBenchResult {
  readonly name: string;
  readonly sunMs: number;
  readonly chainMs: number;
  /** First 16 hex digits of the SHA-256 of the AC power in whole watts. */
  readonly hash: string;
}

const PV_SYSTEM: PvSystem = {
  latitudeDeg: 35.68,
  longitudeDeg: 139.77,
  altitudeM: 40,
  tiltDeg: 20,
  azimuthDeg: 180,
  albedo: 0.25,
  dcCapacityKw: 1200,
  gammaPerC: -0.0037,
  ratedOutputKw: 1000,
  nominalEfficiency: 0.96,
  losses: defaultPvLosses(false),
};

/** @param days  from the start of 2026 */
export function run(days: number): PvBenchResult[] {
  return [
    measure(`${days} days of hours`, days * 24, MS_PER_HOUR),
    measure(`${days} days of minutes`, days * 1440, MS_PER_MINUTE),
  ];
}

function measure(name: string, count: number, stepMs: number): PvBenchResult {
  const timesMs = Float64Array.from({ length: count }, (_, k) => Date.UTC(2026, 0) + k * stepMs);
  const weather = generateWeather(timesMs);
  const intervals = { middlesMs: timesMs, lengthsMs: new Float64Array(count).fill(stepMs) };
  let sunMs = Number.POSITIVE_INFINITY;
  let chainMs = Number.POSITIVE_INFINITY;
  let acKw = new Float64Array();
  for (let round = 0; round < 3; round++) {
    const startedMs = performance.now();
    solarPosition(timesMs, PV_SYSTEM);
    const betweenMs = performance.now();
    acKw = Float64Array.from(pvModelChain(sunOverIntervals(intervals, PV_SYSTEM), weather, PV_SYSTEM).acKw);
    chainMs = Math.min(chainMs, performance.now() - betweenMs);
    sunMs = Math.min(sunMs, betweenMs - startedMs);
  }
  const watts = Int32Array.from(acKw, (kw) => Math.round(1000 * kw));
  const hash = createHash("sha256").update(new Uint8Array(watts.buffer)).digest("hex").slice(0, 16);
  return { name, sunMs, chainMs, hash };
}

/** Only global irradiance, so that the decomposition runs too; the daily course with clouds of several lengths. */
function generateWeather(timesMs: Float64Array): WeatherSamples {
  const { apparentZenithDeg } = solarPosition(timesMs, PV_SYSTEM);
  const ghiWm2 = apparentZenithDeg.map((deg, k) => {
    const cloud = 0.6 + 0.2 * Math.sin(timesMs[k] / 4.1e7) + 0.15 * Math.sin(timesMs[k] / 7.3e6);
    return Math.max(0, 1100 * Math.cos((deg * Math.PI) / 180) * cloud);
  });
  const airC = timesMs.map((atMs) => 15 + 10 * Math.sin(atMs / 5.02e9));
  return { ghiWm2, dniWm2: null, dhiWm2: null, airTemperatureC: airC, windSpeedMPerS: null };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, sunMs, chainMs, hash } of run(365)) {
    console.log(`${name}: sun ${sunMs.toFixed(1)} ms, whole chain ${chainMs.toFixed(1)} ms, AC power ${hash}`);
  }
}
