import { MS_PER_DAY, MS_PER_MINUTE } from "../base/time.ts";
import type { RandomStream, RandomStreams } from "../kernel/random.ts";
import { meanReverting } from "./meanReverting.ts";
import { clearSkyPlaneWm2, type Plane, SunOverPlane } from "./sun.ts";
import { sampleCount, type TimeGrid } from "./timeGrid.ts";

/** A PV array; `name` names its random streams. */
export interface PvArray extends Plane {
  readonly name: string;
  /** DC kW at 1000 W/m². */
  readonly capacityKw: number;
  /** AC kW, where the inverter clips. */
  readonly ratedOutputKw: number;
}

/** AC kW per DC kW at 1000 W/m²: heat, dirt, wiring and inverter together. */
const PERFORMANCE_RATIO = 0.82;

/** AC kW of an array under a cloudless sky, not clipped: one per instant of the grid, at least 0. */
export function clearSkyPv(grid: TimeGrid, array: PvArray): Float64Array {
  const sun = new SunOverPlane(array);
  const kwPerWm2 = (array.capacityKw * PERFORMANCE_RATIO) / 1000;
  const kw = new Float64Array(sampleCount(grid));
  for (let k = 0; k < kw.length; k++) {
    // A value holds for the step that it begins, so the sun is taken in the middle of it.
    sun.moveTo(grid.startMs + (k + 0.5) * grid.stepMs);
    kw[k] = kwPerWm2 * clearSkyPlaneWm2(sun, array.tiltDeg);
  }
  return kw;
}

const CLOUD_TIME_CONSTANT_MS = 15 * MS_PER_MINUTE;
/** Weather lasts: how much of a day's clearness the next day keeps. */
const KEPT_BY_NEXT_DAY = 0.45;
const DARKEST = 0.04;
/** Bright edges of clouds may add to the straight sun. */
const BRIGHTEST = 1.08;

/**
 * What clouds leave of the light, 0.04..1.08: mean-reverting around each day's own clearness. Clear and overcast days
 * are calm, days between them flicker.
 */
export function cloudFactor(grid: TimeGrid, name: string, random: RandomStreams): Float64Array {
  const count = sampleCount(grid);
  const noise = meanReverting(
    count,
    { stepMs: grid.stepMs, timeConstantMs: CLOUD_TIME_CONSTANT_MS },
    random.stream("clouds", name),
  );
  const firstDay = localDay(grid, 0);
  const clearness = dailyClearness(localDay(grid, count - 1) - firstDay + 1, random.stream("clearness", name));
  const factor = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const level = clearness[localDay(grid, k) - firstDay];
    const flicker = 0.02 + 0.6 * level * (1 - level);
    factor[k] = Math.max(DARKEST, Math.min(BRIGHTEST, level + flicker * noise[k]));
  }
  return factor;
}

const localDay = ({ startMs, stepMs, utcOffsetMs }: TimeGrid, k: number): number =>
  Math.floor((startMs + k * stepMs + utcOffsetMs) / MS_PER_DAY);

/** Mean cloud factor of each day, 0.15..0.98: many fair days, some dull ones, alike from one day to the next. */
function dailyClearness(days: number, random: RandomStream): Float64Array {
  const timeConstantMs = -MS_PER_DAY / Math.log(KEPT_BY_NEXT_DAY);
  return meanReverting(days, { stepMs: MS_PER_DAY, timeConstantMs }, random).map(
    (weather) => 0.15 + 0.83 / (1 + Math.exp(-(0.9 + 1.4 * weather))),
  );
}

/** AC kW of an array under passing clouds, clipped at its rating. */
export function pvTrace(grid: TimeGrid, array: PvArray, random: RandomStreams): Float64Array {
  const factor = cloudFactor(grid, array.name, random);
  return clearSkyPv(grid, array).map((clearKw, k) => Math.min(array.ratedOutputKw, clearKw * factor[k]));
}
