import { MS_PER_HOUR } from "../base/time.ts";
import type { RandomStreams } from "../kernel/random.ts";
import { meanReverting } from "./meanReverting.ts";
import { momentAt, sampleCount, type TimeGrid } from "./timeGrid.ts";

/** Day-ahead prices in JPY/kWh, at least 0.01: dear in the morning and evening, cheap when the sun is high. */
export function spotPrice(grid: TimeGrid, name: string, random: RandomStreams): Float64Array {
  const count = sampleCount(grid);
  const noise = meanReverting(
    count,
    { stepMs: grid.stepMs, timeConstantMs: 2 * MS_PER_HOUR },
    random.stream("price", name),
  );
  return noise.map((deviation, k) => {
    const { hour, isWeekend } = momentAt(grid.startMs + (k + 0.5) * grid.stepMs, grid.utcOffsetMs);
    const peaks = 5 * near(hour, 8, 1.2) + 11 * near(hour, 18.5, 1.6) - 5 * near(hour, 12, 2);
    return Math.max(0.01, 11 + peaks * (isWeekend ? 0.7 : 1) + 0.8 * deviation);
  });
}

const near = (hour: number, at: number, width: number): number => Math.exp(-0.5 * ((hour - at) / width) ** 2);
