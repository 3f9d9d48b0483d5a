import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";

const BINS_MAX = 600;
const BIN_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440];

/** Equal bins of a period, at most 600; the last one may be shorter. */
export function binLengthMs({ startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs }): number {
  const spanMinutes = (endMs - startMs) / MS_PER_MINUTE;
  const minutes =
    BIN_MINUTES.find((candidate) => spanMinutes / candidate <= BINS_MAX) ??
    Math.ceil(spanMinutes / BINS_MAX / 1440) * 1440;
  return minutes * MS_PER_MINUTE;
}

/** Lowest value, mean over time and highest value in each bin. */
export interface BinnedValues {
  readonly low: Float64Array;
  readonly mean: Float64Array;
  readonly high: Float64Array;
}

/** Collects lowest value, mean and highest value in each bin of a curve of straight lines. */
export class BinnedRange extends Copyable {
  private readonly period: { readonly startMs: EpochMs; readonly endMs: EpochMs };
  private readonly binMs: number;
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  /** Area under the curve, per ms. */
  private readonly area: Float64Array;
  private lastMs = Number.NaN;
  private lastValue = Number.NaN;

  constructor(period: { readonly startMs: EpochMs; readonly endMs: EpochMs }) {
    super();
    const { startMs, endMs } = period;
    this.period = period;
    this.binMs = binLengthMs(period);
    const count = Math.max(1, Math.ceil((endMs - startMs) / this.binMs));
    this.low = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.high = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    this.area = new Float64Array(count);
  }

  /** Adds the next point of the curve, not before the last one. */
  add(atMs: EpochMs, value: number): void {
    const { lastMs, lastValue } = this;
    this.lastMs = atMs;
    this.lastValue = value;
    const slope = (value - lastValue) / (atMs - lastMs);
    for (let fromMs = lastMs; fromMs < atMs; ) {
      const bin = Math.floor((fromMs - this.period.startMs) / this.binMs);
      const toMs = Math.min(atMs, this.period.startMs + (bin + 1) * this.binMs);
      const from = lastValue + slope * (fromMs - lastMs);
      const to = toMs === atMs ? value : lastValue + slope * (toMs - lastMs);
      this.low[bin] = Math.min(this.low[bin], from, to);
      this.high[bin] = Math.max(this.high[bin], from, to);
      this.area[bin] += 0.5 * (from + to) * (toMs - fromMs);
      fromMs = toMs;
    }
  }

  finish(): BinnedValues {
    const { low, high, area, binMs } = this;
    const { startMs, endMs } = this.period;
    const lengthMs = (bin: number): number => Math.min(binMs, endMs - startMs - bin * binMs);
    return { low, mean: area.map((sum, bin) => sum / lengthMs(bin)), high };
  }
}
