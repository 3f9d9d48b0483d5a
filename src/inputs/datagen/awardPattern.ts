import { cos } from "../../base/elementary.ts";
import { roundKw } from "../../base/rounding.ts";
import type { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { calendarTimeAt, sampleCount, type TimeGrid } from "./timeGrid.ts";

interface AwardPattern {
  readonly name: string;
  /** Swing of the day's two cycles: its mean over the days, and how far a day may lie from it. */
  readonly amplitudeKw: number;
  readonly amplitudeSpreadKw: number;
  /** Added to every award: below 0 sells more than is bought back. */
  readonly offsetKw: number;
  /** Standard deviation from one award to the next. */
  readonly noiseKw: number;
  /** Least and greatest size of an award. */
  readonly minKw: number;
  readonly maxKw: number;
}

/**
 * One award for each step of the grid, in kW with one decimal, import positive: charging before dawn and at noon,
 * discharging in the morning and the evening.
 */
export function awardPatternKw(grid: TimeGrid, pattern: AwardPattern, random: RandomStreams): Float64Array {
  const swings = random.getStream("swing", pattern.name);
  const noise = random.getStream("awards", pattern.name);
  const deltasKw = new Float64Array(sampleCount(grid));
  let today = Number.NaN;
  let swingKw = 0;
  for (let k = 0; k < deltasKw.length; k++) {
    const { dayNumber, localHour } = calendarTimeAt(grid.startMs + (k + 0.5) * grid.stepMs, grid.utcOffsetMs);
    if (dayNumber !== today) {
      today = dayNumber;
      swingKw = pattern.amplitudeKw + pattern.amplitudeSpreadKw * (2 * swings.nextUniform() - 1);
    }
    const wave = cos((2 * Math.PI * (localHour - CHARGING_HOUR)) / 12);
    deltasKw[k] = withinSizes(swingKw * wave + pattern.offsetKw + pattern.noiseKw * noise.nextNormal(), pattern);
  }
  return deltasKw;
}

/** Middle of the first charging phase; the second one is half a day later. */
const CHARGING_HOUR = 1.5;

function withinSizes(kw: number, { minKw, maxKw }: AwardPattern): number {
  const size = Math.max(minKw, Math.min(maxKw, Math.abs(kw)));
  return roundKw(kw < 0 ? -size : size);
}
