import type { EpochMs } from "../../../base/time.ts";
import type { PowerProfile } from "../frequency/responseProfile.ts";
import { LinearPieces } from "./linearPieces.ts";

/** A power that follows a profile at a limited rate. */
export class RampLimitedProfile extends LinearPieces {
  /** Largest rate of the last `fill`. */
  private rampKwPerMs = Number.POSITIVE_INFINITY;

  /**
   * @param fromKw  what flows at the origin
   * @param path  where to go; `null`: to 0
   * @param rampKwPerMs  above 0; `Infinity`: at once
   */
  fill(originMs: EpochMs, fromKw: number, path: PowerProfile | null, rampKwPerMs: number): void {
    this.clear(originMs);
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
    this.clear(atMs);
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
    this.reserve(this.count);
    this.afterMs[k] = afterMs;
    this.kw[k] = kw;
    this.kwPerMs[k] = kwPerMs;
  }
}

const SAME_KW = 1e-9;
