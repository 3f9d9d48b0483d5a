import { exp, log } from "../../base/elementary.ts";
import { MS_PER_DAY, MS_PER_MINUTE } from "../../base/time.ts";
import { meanRevertingNoise } from "../../engine/kernel/meanRevertingNoise.ts";
import type { RandomStream, RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { clearSkyPlaneWm2, SolarGeometry, type TiltedPlane } from "./solarGeometry.ts";
import { sampleCount, type TimeGrid } from "./timeGrid.ts";

/** A PV array; `name` names its random streams. */
interface PvSystemShape extends TiltedPlane {
  readonly name: string;
  /** DC kW at 1000 W/m². */
  readonly capacityKw: number;
  /** AC kW, where the inverter clips. */
  readonly ratedOutputKw: number;
}

/** AC kW per DC kW at 1000 W/m²: heat, dirt, wiring and inverter together. */
const PERFORMANCE_RATIO = 0.82;

/** AC kW of an array under a cloudless sky, not clipped: one per instant of the grid, at least 0. */
export function clearSkyPvKw(grid: TimeGrid, array: PvSystemShape): Float64Array {
  const sun = new SolarGeometry(array);
  const kwPerWm2 = (array.capacityKw * PERFORMANCE_RATIO) / 1000;
  const kw = new Float64Array(sampleCount(grid));
  for (let k = 0; k < kw.length; k++) {
    // A value holds for the step that it begins, so the sun is taken in the middle of it.
    sun.setTime(grid.startMs + (k + 0.5) * grid.stepMs);
    kw[k] = kwPerWm2 * clearSkyPlaneWm2(sun, array.tiltDeg);
  }
  return kw;
}

const CLOUD_TIME_CONSTANT_MS = 15 * MS_PER_MINUTE;
/** Weather lasts: how much of a day's clearness the next day keeps. */
const CLEARNESS_PERSISTENCE = 0.45;
const CLOUD_FACTOR_MIN = 0.04;
/** Bright edges of clouds may add to the straight sun. */
const CLOUD_FACTOR_MAX = 1.08;

/**
 * What clouds leave of the light, 0.04..1.08: mean-reverting around each day's own clearness. Clear and overcast days
 * are calm, days between them flicker.
 */
export function cloudFactor(grid: TimeGrid, name: string, random: RandomStreams): Float64Array {
  const count = sampleCount(grid);
  const noise = meanRevertingNoise(
    count,
    { stepMs: grid.stepMs, timeConstantMs: CLOUD_TIME_CONSTANT_MS },
    random.getStream("clouds", name),
  );
  const firstDay = localDay(grid, 0);
  const clearness = dailyClearness(localDay(grid, count - 1) - firstDay + 1, random.getStream("clearness", name));
  const factor = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const level = clearness[localDay(grid, k) - firstDay];
    const flicker = 0.02 + 0.6 * level * (1 - level);
    factor[k] = Math.max(CLOUD_FACTOR_MIN, Math.min(CLOUD_FACTOR_MAX, level + flicker * noise[k]));
  }
  return factor;
}

const localDay = ({ startMs, stepMs, utcOffsetMs }: TimeGrid, k: number): number =>
  Math.floor((startMs + k * stepMs + utcOffsetMs) / MS_PER_DAY);

/** Mean cloud factor of each day, 0.15..0.98: many fair days, some dull ones, alike from one day to the next. */
function dailyClearness(days: number, random: RandomStream): Float64Array {
  const timeConstantMs = -MS_PER_DAY / log(CLEARNESS_PERSISTENCE);
  return meanRevertingNoise(days, { stepMs: MS_PER_DAY, timeConstantMs }, random).map(
    (weather) => 0.15 + 0.83 / (1 + exp(-(0.9 + 1.4 * weather))),
  );
}

/** AC kW of an array under passing clouds, clipped at its rating. */
export function pvTraceKw(grid: TimeGrid, array: PvSystemShape, random: RandomStreams): Float64Array {
  const factor = cloudFactor(grid, array.name, random);
  return clearSkyPvKw(grid, array).map((clearKw, k) => Math.min(array.ratedOutputKw, clearKw * factor[k]));
}
