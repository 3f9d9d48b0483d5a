// Curves for charts: every instant at which a curve changes is a point, so a zoomed chart shows the exact curve.
import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";

/** Points joined by straight lines, in order of time. Two points at one instant are a jump. */
export interface Polyline {
  readonly atMs: Float64Array;
  readonly values: Float64Array;
  /** 0: every point. Otherwise the first, lowest, highest and last point of each period of this length. */
  readonly thinnedMs: number;
}

/** The part of a curve in a period: a line that crosses the start begins at it, with its value there. */
export function cutCurve(
  { atMs, values, thinnedMs }: Polyline,
  { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
): Polyline {
  const points: [atMs: EpochMs, value: number][] = [];
  for (let k = 0; k < atMs.length && atMs[k] <= endMs; k++) {
    if (k + 1 < atMs.length && atMs[k] < startMs && atMs[k + 1] <= startMs) continue;
    points.push([Math.max(startMs, atMs[k]), valueFrom(atMs, values, k, startMs)]);
  }
  const column = (index: 0 | 1) => Float64Array.from(points, (point) => point[index]);
  return { atMs: column(0), values: column(1), thinnedMs };
}

/** The value of a point, of one before an instant that at the instant. */
function valueFrom(atMs: Float64Array, values: Float64Array, k: number, fromMs: EpochMs): number {
  if (fromMs <= atMs[k] || k + 1 === atMs.length) return values[k];
  return values[k] + ((values[k + 1] - values[k]) * (fromMs - atMs[k])) / (atMs[k + 1] - atMs[k]);
}

/** Lengths to which a polyline is thinned, each a multiple of the one before; longer ones double. */
const THINNED_SECONDS = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400];

function longerPeriod(thinnedMs: number): number {
  const longer = THINNED_SECONDS.find((seconds) => thinnedMs < 1000 * seconds);
  return longer === undefined ? 2 * thinnedMs : 1000 * longer;
}

/**
 * Collects a polyline of at most `pointsMax` points.
 *
 * A longer one is thinned to the first, lowest, highest and last point of equal periods from `originMs` on, which become longer
 * until the points fit. Thinning a thinned polyline to a multiple of its period gives the points of thinning the original, so no
 * extreme is lost, and the envelope of such periods stays exact. @see docs/model/report-files.md#charts
 */
export class PolylineRecorder extends Copyable {
  private readonly originMs: EpochMs;
  private readonly pointsMax: number;
  private atMs: Float64Array;
  private values: Float64Array;
  private count = 0;
  private thinnedMs = 0;

  constructor(originMs: EpochMs, pointsMax: number) {
    super();
    this.originMs = originMs;
    this.pointsMax = pointsMax;
    this.atMs = new Float64Array(16);
    this.values = new Float64Array(16);
  }

  /** Adds a point, not before the last one. */
  add(atMs: EpochMs, value: number): void {
    const { count, values } = this;
    if (count > 0 && values[count - 1] === value) {
      if (this.atMs[count - 1] === atMs) return;
      // The middle one of three equal values in a row.
      if (count > 1 && values[count - 2] === value) {
        this.atMs[count - 1] = atMs;
        return;
      }
    }
    // The middle one of three values at one instant holds for no time.
    if (count > 1 && this.atMs[count - 1] === atMs && this.atMs[count - 2] === atMs) {
      values[count - 1] = value;
      return;
    }
    if (count === this.atMs.length) this.makeSpace();
    this.atMs[this.count] = atMs;
    this.values[this.count] = value;
    this.count++;
  }

  finish(): Polyline {
    // Points that were added since the last thinning.
    if (this.thinnedMs > 0) this.thin();
    while (this.pointsMax < this.count) this.thinFurther();
    return {
      atMs: this.atMs.slice(0, this.count),
      values: this.values.slice(0, this.count),
      thinnedMs: this.thinnedMs,
    };
  }

  private makeSpace(): void {
    if (this.atMs.length < 2 * this.pointsMax) {
      this.atMs = resized(this.atMs, 2 * this.atMs.length);
      this.values = resized(this.values, 2 * this.values.length);
      return;
    }
    if (this.thinnedMs > 0) this.thin();
    while (this.pointsMax < this.count) this.thinFurther();
  }

  private thinFurther(): void {
    this.thinnedMs = longerPeriod(this.thinnedMs);
    this.thin();
  }

  private thin(): void {
    const { atMs, values } = this;
    let kept = 0;
    for (let from = 0; from < this.count; ) {
      const endMs = this.periodEndMs(from);
      let to = from + 1;
      // The value before a jump at the end of a period belongs to it.
      while (
        to < this.count &&
        (atMs[to] < endMs || (atMs[to] === endMs && atMs[to + 1] === endMs && to + 1 < this.count))
      )
        to++;
      const { low, high } = extremesOf(values, from, to);
      const picked = [from, Math.min(low, high), Math.max(low, high), to - 1];
      picked.forEach((k, n) => {
        if (n > 0 && picked[n - 1] === k) return;
        atMs[kept] = atMs[k];
        values[kept++] = values[k];
      });
      from = to;
    }
    this.count = kept;
  }

  /** End of the period of a point; of a point before a jump at the start of a period that start. */
  private periodEndMs(k: number): EpochMs {
    const { originMs, thinnedMs } = this;
    const startMs = originMs + Math.floor((this.atMs[k] - originMs) / thinnedMs) * thinnedMs;
    const isBeforeJump = this.atMs[k] === startMs && k + 1 < this.count && this.atMs[k + 1] === startMs;
    return isBeforeJump ? startMs : startMs + thinnedMs;
  }
}

/** A polyline with at most `pointsMax` points. @param originMs  start of the periods, that of earlier thinning */
export function thinned({ atMs, values, thinnedMs }: Polyline, pointsMax: number, originMs = atMs[0]): Polyline {
  if (atMs.length <= pointsMax) return { atMs, values, thinnedMs };
  const recorder = new PolylineRecorder(originMs, pointsMax);
  for (let k = 0; k < atMs.length; k++) recorder.add(atMs[k], values[k]);
  const shorter = recorder.finish();
  return { ...shorter, thinnedMs: Math.max(thinnedMs, shorter.thinnedMs) };
}

function extremesOf(values: Float64Array, from: number, to: number): { low: number; high: number } {
  let low = from;
  let high = from;
  for (let k = from + 1; k < to; k++) {
    if (values[k] < values[low]) low = k;
    if (values[high] < values[k]) high = k;
  }
  return { low, high };
}

/** Pieces of straight lines are collected up to this number before they are summed. */
const PIECES_MAX = 1 << 17;

/**
 * The sum of straight pieces, each with a period of its own; 0 where there is none.
 *
 * The pieces may come in any order. Many pieces are replaced by those of their thinned sum, which bounds the memory.
 */
export class PolylineSum extends Copyable {
  private readonly originMs: EpochMs;
  private readonly pointsMax: number;
  private readonly piecesMax: number;
  /** `[from, to, value at from, value at to]` of each piece. */
  private pieces = new Float64Array(64);
  private count = 0;

  constructor(originMs: EpochMs, pointsMax: number, piecesMax = PIECES_MAX) {
    super();
    this.originMs = originMs;
    this.pointsMax = pointsMax;
    this.piecesMax = piecesMax;
  }

  add(fromMs: EpochMs, toMs: EpochMs, fromValue: number, toValue: number): void {
    if (toMs <= fromMs || (fromValue === 0 && toValue === 0)) return;
    if (this.count === this.piecesMax) this.sumUp();
    if (4 * this.count === this.pieces.length) this.pieces = resized(this.pieces, 2 * this.pieces.length);
    const { pieces } = this;
    const at = 4 * this.count++;
    pieces[at] = fromMs;
    pieces[at + 1] = toMs;
    pieces[at + 2] = fromValue;
    pieces[at + 3] = toValue;
  }

  /** @param periodMs of the sum, outside of which it is 0 */
  finish(period: { readonly startMs: EpochMs; readonly endMs: EpochMs }): Polyline {
    const sum = new PolylineRecorder(this.originMs, this.pointsMax);
    sum.add(period.startMs, 0);
    this.walk(sum);
    sum.add(period.endMs, 0);
    return sum.finish();
  }

  private sumUp(): void {
    const sum = new PolylineRecorder(this.originMs, Math.floor(this.piecesMax / 4));
    this.walk(sum);
    const { atMs, values } = sum.finish();
    this.count = 0;
    for (let k = 1; k < atMs.length; k++) this.add(atMs[k - 1], atMs[k], values[k - 1], values[k]);
  }

  /** Adds the value before and after every begin and end of a piece. */
  private walk(sum: PolylineRecorder): void {
    const { pieces, count } = this;
    const begins = Uint32Array.from({ length: count }, (_, k) => k).sort(
      (a, b) => pieces[4 * a] - pieces[4 * b] || a - b,
    );
    const ends = begins.slice().sort((a, b) => pieces[4 * a + 1] - pieces[4 * b + 1] || a - b);
    let [begun, ended, level, perMs, lastMs] = [0, 0, 0, 0, this.originMs];
    while (ended < count) {
      const endMs = pieces[4 * ends[ended] + 1];
      const atMs = begun < count ? Math.min(pieces[4 * begins[begun]], endMs) : endMs;
      level += perMs * (atMs - lastMs);
      lastMs = atMs;
      sum.add(atMs, rounded(level));
      for (; ended < count && pieces[4 * ends[ended] + 1] === atMs; ended++) {
        const at = 4 * ends[ended];
        level -= pieces[at + 3];
        perMs -= slopeOf(pieces, at);
      }
      // Rounding errors of earlier pieces end here.
      if (begun === ended) [level, perMs] = [0, 0];
      for (; begun < count && pieces[4 * begins[begun]] === atMs; begun++) {
        const at = 4 * begins[begun];
        level += pieces[at + 2];
        perMs += slopeOf(pieces, at);
      }
      sum.add(atMs, rounded(level));
    }
  }
}

const slopeOf = (pieces: Float64Array, at: number): number =>
  (pieces[at + 3] - pieces[at + 2]) / (pieces[at + 1] - pieces[at]);

/** Removes what the order of additions leaves in the last digits. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6 || 0;

function resized(array: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(length);
  longer.set(array);
  return longer;
}
