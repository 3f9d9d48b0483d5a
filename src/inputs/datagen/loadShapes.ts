/** Loads of factories, offices and cold stores: a shape by hour, weekday and season, and noise on it. All kW. */
import { exp } from "../../base/elementary.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import { meanRevertingNoise } from "../../engine/kernel/meanRevertingNoise.ts";
import type { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { type CalendarTime, calendarTimeAt, sampleCount, type TimeGrid } from "./timeGrid.ts";

interface LoadShape {
  /** Names the random stream of the noise. */
  readonly name: string;
  /** Around the clock. */
  readonly baseKw: number;
  /** Standard deviation of the noise, of the load at the time. */
  readonly noisePct: number;
}

interface FactoryShape extends LoadShape {
  /** On top of the base while the shift works. */
  readonly shiftKw: number;
  readonly shiftStartHour: number;
  /** After the start; up to 24. */
  readonly shiftEndHour: number;
  /** Of the shift that works on Saturdays and Sundays, 0..1. */
  readonly weekendFraction: number;
}

interface OfficeShape extends LoadShape {
  /** Lights and machines at full occupancy. */
  readonly occupiedKw: number;
  /** Air conditioning on the hottest afternoon; half of it heats on the coldest morning. */
  readonly airConditioningKw: number;
}

interface ColdStorageShape extends LoadShape {
  /** Added by the heat outside on the hottest afternoon. */
  readonly heatKw: number;
  /** Added while doors open and goods come in, on market days from 4 to 9. */
  readonly intakeKw: number;
}

/** Expected load at an instant. */
type ExpectedLoadKw = (moment: CalendarTime) => number;

export const factoryLoad =
  (shape: FactoryShape): ExpectedLoadKw =>
  ({ localHour, isWeekend, seasonFactor }) => {
    const working =
      plateau(localHour, shape.shiftStartHour, shape.shiftEndHour, 0.4) * (1 - 0.25 * bump(localHour, 12.5, 0.4));
    const staffed = isWeekend ? shape.weekendFraction : 1;
    return (shape.baseKw + shape.shiftKw * working * staffed) * (1 + 0.06 * seasonFactor * seasonFactor);
  };

export const officeLoad =
  (shape: OfficeShape): ExpectedLoadKw =>
  ({ localHour, isWeekend, seasonFactor }) => {
    const occupied = plateau(localHour, 8.5, 19, 0.5) * (isWeekend ? 0.12 : 1);
    const cooling = Math.max(0, seasonFactor) * (0.6 + 0.4 * bump(localHour, 14.5, 3));
    const heating = 0.5 * Math.max(0, -seasonFactor) * (0.6 + 0.4 * bump(localHour, 9, 1.5));
    return shape.baseKw + occupied * (shape.occupiedKw + shape.airConditioningKw * (cooling + heating));
  };

export const coldStorageLoad =
  (shape: ColdStorageShape): ExpectedLoadKw =>
  ({ localHour, isWeekend, seasonFactor }) => {
    const heat = (0.55 + 0.45 * seasonFactor) * (0.5 + 0.5 * bump(localHour, 15, 4));
    const intake = plateau(localHour, 4, 9, 0.4) * (isWeekend ? 0.2 : 1);
    return shape.baseKw + shape.heatKw * heat + shape.intakeKw * intake;
  };

/** The expected load over the grid, without noise: what a planner would announce. */
export function expectedLoad(grid: TimeGrid, expectedKw: ExpectedLoadKw): Float64Array {
  // Each value holds for the step that it begins: its value in the middle represents the whole step.
  return new Float64Array(sampleCount(grid)).map((_, k) =>
    Math.max(0, expectedKw(calendarTimeAt(grid.startMs + (k + 0.5) * grid.stepMs, grid.utcOffsetMs))),
  );
}

const NOISE_TIME_CONSTANT_MS = 1.5 * MS_PER_HOUR;

/** The expected load with noise. */
export function noisyLoad(
  grid: TimeGrid,
  { name, noisePct }: LoadShape,
  expectedKw: ExpectedLoadKw,
  random: RandomStreams,
): Float64Array {
  const expected = expectedLoad(grid, expectedKw);
  const noise = meanRevertingNoise(
    expected.length,
    { stepMs: grid.stepMs, timeConstantMs: NOISE_TIME_CONSTANT_MS },
    random.getStream("load", name),
  );
  return expected.map((kw, k) => Math.max(0, kw * (1 + (noisePct / 100) * noise[k])));
}

/** Near 0 outside, near 1 between two hours, with soft edges of some hours. */
const plateau = (hour: number, from: number, to: number, softness: number): number =>
  1 / (1 + exp((from - hour) / softness)) - 1 / (1 + exp((to - hour) / softness));

/** 1 at an hour, falling off on both sides within some hours. */
const bump = (hour: number, at: number, width: number): number => exp(-0.5 * ((hour - at) / width) ** 2);
