import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import type { Polyline } from "./polyline.ts";

const BINS_MAX = 960;
const BIN_MINUTES = [1, 5, 15, 30, 60, 120, 180, 360, 720, 1440];

interface Period {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** Equal bins of a period, whole ones from midnight; the period may begin and end within a bin. */
export interface Bins {
  /** Start of the first bin, at or before the start of the period. */
  readonly startMs: EpochMs;
  readonly binMs: number;
  readonly count: number;
}

/** Bins of a given length. @param midnightMs  a midnight of the zone of the readers */
export function equalBins({ startMs, endMs }: Period, binMs: number, midnightMs: EpochMs): Bins {
  const firstMs = midnightMs + Math.floor((startMs - midnightMs) / binMs) * binMs;
  return { startMs: firstMs, binMs, count: Math.max(1, Math.ceil((endMs - firstMs) / binMs)) };
}

/** At most 960 bins of whole minutes (docs/model/report-files.md#envelope). */
export function binsOf(period: Period, midnightMs: EpochMs): Bins {
  for (const minutes of BIN_MINUTES) {
    const bins = equalBins(period, minutes * MS_PER_MINUTE, midnightMs);
    if (bins.count <= BINS_MAX) return bins;
  }
  const days = Math.ceil((period.endMs - period.startMs) / MS_PER_DAY / (BINS_MAX - 1));
  return equalBins(period, days * MS_PER_DAY, midnightMs);
}

/** The longest whole minutes, up to an hour, of which a bin has at least twelve, or one. */
export const unitOfBin = (binMs: number): number =>
  BIN_MINUTES.map((minutes) => minutes * MS_PER_MINUTE).findLast(
    (unitMs) => unitMs <= MS_PER_HOUR && 12 * unitMs <= binMs,
  ) ?? MS_PER_MINUTE;

/** Lowest value, mean over time and highest value in each bin; NaN without a value. */
export interface Envelope {
  readonly bins: Bins;
  readonly min: Float64Array;
  readonly mean: Float64Array;
  readonly max: Float64Array;
}

/** Collects the envelope of a curve of straight lines, point by point. Of a jump the value after it counts in its bin. */
export class EnvelopeRecorder extends Copyable {
  private readonly bins: Bins;
  private readonly min: Float64Array;
  private readonly max: Float64Array;
  /** Area under the curve, and the time that has one, in ms. */
  private readonly area: Float64Array;
  private readonly coveredMs: Float64Array;
  private lastMs = Number.NaN;
  private lastValue = Number.NaN;

  constructor(bins: Bins) {
    super();
    this.bins = bins;
    this.min = new Float64Array(bins.count).fill(Number.POSITIVE_INFINITY);
    this.max = new Float64Array(bins.count).fill(Number.NEGATIVE_INFINITY);
    this.area = new Float64Array(bins.count);
    this.coveredMs = new Float64Array(bins.count);
  }

  /** Adds the next point of the curve, not before the last one. */
  add(atMs: EpochMs, value: number): void {
    const { lastMs, lastValue } = this;
    const { startMs, binMs } = this.bins;
    this.lastMs = atMs;
    this.lastValue = value;
    const slope = (value - lastValue) / (atMs - lastMs);
    for (let fromMs = lastMs; fromMs < atMs; ) {
      const bin = Math.floor((fromMs - startMs) / binMs);
      const toMs = Math.min(atMs, startMs + (bin + 1) * binMs);
      const from = lastValue + slope * (fromMs - lastMs);
      const to = toMs === atMs ? value : lastValue + slope * (toMs - lastMs);
      if (from < this.min[bin]) this.min[bin] = from;
      if (to < this.min[bin]) this.min[bin] = to;
      if (this.max[bin] < from) this.max[bin] = from;
      if (this.max[bin] < to) this.max[bin] = to;
      this.area[bin] += 0.5 * (from + to) * (toMs - fromMs);
      this.coveredMs[bin] += toMs - fromMs;
      fromMs = toMs;
    }
  }

  finish(): Envelope {
    const { bins, area, coveredMs } = this;
    const orNaN = (values: Float64Array) => values.map((value) => (Number.isFinite(value) ? value : Number.NaN));
    return { bins, min: orNaN(this.min), mean: area.map((sum, k) => sum / coveredMs[k]), max: orNaN(this.max) };
  }
}

/** The lowest and the highest value of a curve over the whole of each bin, its value at the start of the bin included. */
export function envelope({ atMs, values }: Polyline, bins: Bins): Envelope {
  const recorder = new EnvelopeRecorder(bins);
  for (let k = 0; k < atMs.length; k++) recorder.add(atMs[k], values[k]);
  return recorder.finish();
}
