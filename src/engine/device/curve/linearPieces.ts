import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";

/** A power in kW as linear pieces from `originMs` on, the last one open-ended. Refilled in place, to avoid allocations. */
export abstract class LinearPieces extends Copyable {
  originMs: EpochMs = 0;
  count = 0;
  /** Start of each piece, real ms after the origin. */
  afterMs = new Float64Array(8);
  /** Power at the start of each piece. */
  kw = new Float64Array(8);
  kwPerMs = new Float64Array(8);
  /** Piece of the last query: queries mostly move forward. */
  private cursor = 0;

  protected clear(originMs: EpochMs): void {
    this.originMs = originMs;
    this.count = 0;
    this.cursor = 0;
  }

  /** Makes room for `count` pieces. */
  reserve(count: number): void {
    if (count <= this.kw.length) return;
    this.afterMs = grown(this.afterMs, count);
    this.kw = grown(this.kw, count);
    this.kwPerMs = grown(this.kwPerMs, count);
  }

  /** Adds a piece, which starts at or after the last one. @returns its index */
  protected append(afterMs: number, kw: number, kwPerMs: number): number {
    const k = this.count++;
    this.reserve(this.count);
    this.afterMs[k] = afterMs;
    this.kw[k] = kw;
    this.kwPerMs[k] = kwPerMs;
    return k;
  }

  /** Whether the last piece has this constant power already. */
  protected repeatsLast(kw: number, kwPerMs: number): boolean {
    const last = this.count - 1;
    return 0 <= last && kwPerMs === 0 && this.kwPerMs[last] === 0 && this.kw[last] === kw;
  }

  /** Index of the piece in force at an instant from the origin on. */
  indexAt(atMs: EpochMs): number {
    const { originMs, afterMs } = this;
    let k = this.cursor;
    // As `endMs` says it, so that the end of one piece is in the next one whatever rounding does.
    while (k + 1 < this.count && originMs + afterMs[k + 1] <= atMs) k++;
    while (0 < k && atMs < originMs + afterMs[k]) k--;
    this.cursor = k;
    return k;
  }

  /** Start of the piece after k; `Infinity` after the last one. */
  endMs(k: number): EpochMs {
    return k + 1 < this.count ? this.originMs + this.afterMs[k + 1] : Number.POSITIVE_INFINITY;
  }

  kwAt(atMs: EpochMs): number {
    const k = this.indexAt(atMs);
    return this.kw[k] + this.kwPerMs[k] * (atMs - this.originMs - this.afterMs[k]);
  }
}

/** A copy with room for twice as many values, and for at least `count`. */
export function grown(values: Float64Array, count = 0): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(Math.max(count, 2 * values.length));
  copy.set(values);
  return copy;
}
