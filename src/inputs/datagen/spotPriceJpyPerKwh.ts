import { exp } from "../../base/elementary.ts";
import { MS_PER_HOUR } from "../../base/time.ts";
import { meanRevertingNoise } from "../../engine/kernel/meanRevertingNoise.ts";
import type { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { calendarTimeAt, sampleCount, type TimeGrid } from "./timeGrid.ts";

/** Day-ahead prices in JPY/kWh, at least 0.01: dear in the morning and evening, cheap when the sun is high. */
export function spotPriceJpyPerKwh(grid: TimeGrid, name: string, random: RandomStreams): Float64Array {
  const count = sampleCount(grid);
  const noise = meanRevertingNoise(
    count,
    { stepMs: grid.stepMs, timeConstantMs: 2 * MS_PER_HOUR },
    random.getStream("price", name),
  );
  return noise.map((deviation, k) => {
    const { localHour, isWeekend } = calendarTimeAt(grid.startMs + (k + 0.5) * grid.stepMs, grid.utcOffsetMs);
    const peaks = 5 * bump(localHour, 8, 1.2) + 11 * bump(localHour, 18.5, 1.6) - 5 * bump(localHour, 12, 2);
    return Math.max(0.01, 11 + peaks * (isWeekend ? 0.7 : 1) + 0.8 * deviation);
  });
}

const bump = (hour: number, at: number, width: number): number => exp(-0.5 * ((hour - at) / width) ** 2);
