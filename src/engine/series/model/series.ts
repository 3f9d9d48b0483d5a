import { assert } from "../../../base/assert.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";

export type Interpolation = "step" | "linear";

interface SeriesEnds {
  /** First instant without data. */
  readonly untilMs: EpochMs;
  /**
   * Whether the first stamp only repeats the value of the second one, from the start of that one's interval
   * (docs/model/series.md#labels).
   */
  readonly isFirstRepeated: boolean;
}

/**
 * An input as a function of time: a value holds to the next stamp (`step`) or moves linearly to the next (`linear`).
 * Immutable and shared. Stamps rise strictly; values are finite. The last sample holds until `untilMs`
 * (docs/model/series.md#last-sample). The loader checks coverage, so a query outside the covered period is a bug of the
 * caller.
 */
export class Series {
  readonly name: string;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly interpolation: Interpolation;
  /** First instant without data. */
  readonly untilMs: EpochMs;
  readonly isFirstRepeated: boolean;
  /** Spacing when it is the same throughout, else 0: an even grid is indexed without a search. */
  readonly stepMs: number;
  // Caches: no part of the value that runs share.
  /** Value·ms from the first stamp to every stamp of a number that SUM_SPACING divides; created by the first integral. */
  private runningSums: Float64Array | null = null;
  /** Last result: sites that share a series mostly integrate the same period. */
  private integralFromMs = Number.NaN;
  private integralToMs = Number.NaN;
  private integral = Number.NaN;
  /** The sum up to `integralToMs`, where the next period mostly starts. */
  private runningSumAtTo = Number.NaN;

  constructor(
    name: string,
    timesMs: Float64Array,
    values: Float64Array,
    interpolation: Interpolation,
    ends: EpochMs | SeriesEnds,
  ) {
    const { untilMs, isFirstRepeated } = typeof ends === "number" ? { untilMs: ends, isFirstRepeated: false } : ends;
    assert(
      timesMs.length > 0 && timesMs.length === values.length,
      "a series has as many values as stamps, at least one",
    );
    const last = timesMs.length - 1;
    assert(timesMs[last] <= untilMs, () => `series ${name} ends at or after its last stamp, not at ${untilMs}`);
    this.stepMs = evenSpacing(timesMs);
    // Stamps that are evenly spaced rise.
    for (let k = 0; k < last && this.stepMs === 0; k++) {
      if (!(timesMs[k] < timesMs[k + 1])) assert(false, `stamps of series ${name} rise strictly, also at index ${k}`);
    }
    this.name = name;
    this.timesMs = timesMs;
    this.values = values;
    // An interned constant: comparing a string from a file takes longer at each query.
    this.interpolation = interpolation === "linear" ? "linear" : "step";
    this.untilMs = untilMs;
    this.isFirstRepeated = isFirstRepeated;
  }

  get startMs(): EpochMs {
    return this.timesMs[0];
  }

  /** Index of the sample in force at an instant of the covered period. */
  indexAt(atMs: EpochMs): number {
    const { timesMs } = this;
    if (!(timesMs[0] <= atMs && atMs <= this.untilMs)) outOfPeriod(this, atMs);
    if (this.stepMs > 0) {
      const k = Math.floor((atMs - timesMs[0]) / this.stepMs);
      return k < timesMs.length ? k : timesMs.length - 1;
    }
    let low = 0;
    let high = timesMs.length;
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if (timesMs[middle] <= atMs) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Right-continuous value at an instant. */
  valueAt(atMs: EpochMs): number {
    const k = this.indexAt(atMs);
    return this.values[k] + this.slopeAt(k) * (atMs - this.timesMs[k]);
  }

  /** Value per ms from sample k to the next one; 0 for a step series and after the last sample. */
  slopeAt(k: number): number {
    if (this.interpolation === "step" || k + 1 >= this.timesMs.length) return 0;
    return (this.values[k + 1] - this.values[k]) / (this.timesMs[k + 1] - this.timesMs[k]);
  }

  /** The first stamp after an instant; `Infinity` when there is none. */
  nextChangeMs(atMs: EpochMs): EpochMs {
    if (atMs < this.timesMs[0]) return this.timesMs[0];
    const k = this.indexAt(Math.min(atMs, this.untilMs)) + 1;
    return k < this.timesMs.length ? this.timesMs[k] : Number.POSITIVE_INFINITY;
  }

  /** Integral over a covered period, in value·hours. */
  integrate(fromMs: EpochMs, toMs: EpochMs): number {
    if (fromMs !== this.integralFromMs || toMs !== this.integralToMs) {
      const sumFrom = fromMs === this.integralToMs ? this.runningSumAtTo : this.runningSumAt(fromMs);
      this.runningSumAtTo = this.runningSumAt(toMs);
      this.integral = (this.runningSumAtTo - sumFrom) / MS_PER_HOUR;
      this.integralFromMs = fromMs;
      this.integralToMs = toMs;
    }
    return this.integral;
  }

  private runningSumAt(atMs: EpochMs): number {
    const sums = (this.runningSums ??= runningSums(this));
    const k = this.indexAt(atMs);
    const elapsedMs = atMs - this.timesMs[k];
    const known = k - (k % SUM_SPACING);
    const sum = addedTo(sums[known / SUM_SPACING], this, known, k);
    return sum + (this.values[k] + 0.5 * this.slopeAt(k) * elapsedMs) * elapsedMs;
  }
}

/** Separate from the look-up, which runs millions of times. */
function outOfPeriod(series: Series, atMs: EpochMs): never {
  assert(false, `series ${series.name} has no value at ${atMs}; it covers ${series.timesMs[0]} to ${series.untilMs}`);
}

/** A sum for each stamp would take as much memory as the values. */
const SUM_SPACING = 32;

function runningSums(series: Series): Float64Array {
  const sums = new Float64Array(Math.ceil(series.timesMs.length / SUM_SPACING));
  for (let n = 1; n < sums.length; n++) sums[n] = addedTo(sums[n - 1], series, (n - 1) * SUM_SPACING, n * SUM_SPACING);
  return sums;
}

/** A sum with the value·ms from one stamp to another added, one after the other, so that it is the same by any way. */
function addedTo(sum: number, { timesMs, values, interpolation }: Series, from: number, to: number): number {
  const linear = interpolation === "linear";
  for (let k = from + 1; k <= to; k++) {
    const height = linear ? 0.5 * (values[k - 1] + values[k]) : values[k - 1];
    sum += height * (timesMs[k] - timesMs[k - 1]);
  }
  return sum;
}

/** Spacing of stamps, which no longer change, where it is the same throughout; else 0. */
export function evenSpacing(timesMs: Float64Array): number {
  let stepMs = spacings.get(timesMs);
  if (stepMs === undefined) spacings.set(timesMs, (stepMs = findEvenSpacing(timesMs)));
  return stepMs;
}

/** The columns of a file share their stamps. */
const spacings = new WeakMap<Float64Array, number>();

function findEvenSpacing(timesMs: Float64Array): number {
  if (timesMs.length < 2) return 0;
  const stepMs = timesMs[1] - timesMs[0];
  if (!(stepMs > 0)) return 0;
  for (let k = 2; k < timesMs.length; k++) if (timesMs[k] - timesMs[k - 1] !== stepMs) return 0;
  return stepMs;
}
