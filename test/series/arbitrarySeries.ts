import fc from "fast-check";
import { type Interpolation, Series } from "../../src/engine/series/model/series.ts";

/** Uneven stamps up to 20 s apart and values in ±100; small enough that stepping through milliseconds stays cheap. */
export const arbitrarySeries: fc.Arbitrary<Series> = fc
  .record({
    interpolation: fc.constantFrom<Interpolation>("step", "linear"),
    startMs: fc.integer({ min: -50_000, max: 50_000 }),
    samples: fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: -100, max: 100 })), {
      minLength: 1,
      maxLength: 8,
    }),
    tailMs: fc.integer({ min: 1, max: 5_000 }),
  })
  .map(({ interpolation, startMs, samples, tailMs }) => {
    const timesMs: number[] = [];
    let atMs = startMs;
    for (const [spacingMs] of samples) timesMs.push((atMs += spacingMs));
    const values = samples.map(([, value]) => value);
    return new Series("s", Float64Array.from(timesMs), Float64Array.from(values), interpolation, atMs + tailMs);
  });

/** Two instants of the covered period, in order, picked by two natural numbers. */
export function instantsIn(series: Series, a: number, b: number): [number, number] {
  const span = series.untilMs - series.startMs + 1;
  const first = series.startMs + (a % span);
  const second = series.startMs + (b % span);
  return [Math.min(first, second), Math.max(first, second)];
}

/** Midpoint rule over whole milliseconds, in value·hours: exact but for the milliseconds that hold a corner. */
export function steppedIntegral(
  series: Series,
  fromMs: number,
  toMs: number,
  shape: (value: number) => number,
): number {
  let sum = 0;
  for (let atMs = fromMs; atMs < toMs; atMs++) sum += shape(series.valueAt(atMs + 0.5));
  return sum / 3_600_000;
}
