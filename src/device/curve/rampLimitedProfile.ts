import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { PowerProfile } from "../frequency/responseProfile.ts";

/** A power that follows a profile at a limited rate: linear pieces, the last one open-ended. */
export class RampLimitedProfile extends Copyable {
  originMs: EpochMs = 0;
  count = 0;
  afterMs = new Float64Array(8);
  kw = new Float64Array(8);
  kwPerMs = new Float64Array(8);
  private cursor = 0;
  /** Largest rate of the last `fill`. */
  private rampKwPerMs = Number.POSITIVE_INFINITY;

  /**
   * @param fromKw  what flows at the origin
   * @param path  where to go; `null`: to 0
   * @param rampKwPerMs  above 0; `Infinity`: at once
   */
  fill(originMs: EpochMs, fromKw: number, path: PowerProfile | null, rampKwPerMs: number): void {
    this.originMs = originMs;
    this.count = 0;
    this.cursor = 0;
    this.rampKwPerMs = rampKwPerMs;
    if (path === null) {
      this.addRampTowards(0, Number.POSITIVE_INFINITY, fromKw, 0, 0);
      return;
    }
    let kw = fromKw;
    for (let k = 0; k < path.count; k++) {
      const untilMs = k + 1 < path.count ? path.afterMs[k + 1] : Number.POSITIVE_INFINITY;
      kw = this.addRampTowards(path.afterMs[k], untilMs, kw, path.kw[k], path.kwPerMs[k]);
    }
  }

  /** Constant power from an instant on. */
  hold(atMs: EpochMs, kw: number): void {
    this.originMs = atMs;
    this.count = 0;
    this.cursor = 0;
    this.addPiece(0, kw, 0);
  }

  /** Ramps to a linearly moving target, then follows it. @returns kW at the end */
  private addRampTowards(fromMs: number, untilMs: number, fromKw: number, goalKw: number, goalSlope: number): number {
    const ramp = this.rampKwPerMs;
    let atMs = fromMs;
    let kw = ramp === Number.POSITIVE_INFINITY ? goalKw : fromKw;
    if (SAME_KW < Math.abs(goalKw - kw)) {
      const rate = kw < goalKw ? ramp : -ramp;
      const meetMs = (goalKw - kw) / (rate - goalSlope);
      const endMs = 0 < meetMs ? Math.min(fromMs + meetMs, untilMs) : untilMs;
      this.addPiece(fromMs, kw, rate);
      if (untilMs <= endMs) return kw + rate * (endMs - fromMs);
      atMs = endMs;
      kw = goalKw + goalSlope * (endMs - fromMs);
    }
    const slope = Math.max(-ramp, Math.min(ramp, goalSlope));
    this.addPiece(atMs, kw, slope);
    return untilMs === Number.POSITIVE_INFINITY ? kw : kw + slope * (untilMs - atMs);
  }

  private addPiece(afterMs: number, kw: number, kwPerMs: number): void {
    const k = this.count++;
    if (k === this.kw.length) {
      this.afterMs = doubled(this.afterMs);
      this.kw = doubled(this.kw);
      this.kwPerMs = doubled(this.kwPerMs);
    }
    this.afterMs[k] = afterMs;
    this.kw[k] = kw;
    this.kwPerMs[k] = kwPerMs;
  }

  /** Index of the piece in force at an instant from the origin on. */
  indexAt(atMs: EpochMs): number {
    const { originMs, afterMs } = this;
    let k = Math.min(this.cursor, this.count - 1);
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

const SAME_KW = 1e-9;

function doubled(values: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * values.length);
  larger.set(values);
  return larger;
}
