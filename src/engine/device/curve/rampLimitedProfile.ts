import type { EpochMs } from "../../../base/time.ts";
import type { PowerProfile } from "../frequency/responseProfile.ts";
import { LinearPieces } from "./linearPieces.ts";

/** A power that follows a profile at a limited rate. */
export class RampLimitedProfile extends LinearPieces {
  /** Of each piece: whether it is on the way to the goal, or follows it too slowly. */
  readonly isRamping: boolean[] = [];
  private rampKwPerMs = Number.POSITIVE_INFINITY;

  /** Begins without pieces. @param rampKwPerMs  largest rate, above 0; `Infinity`: at once */
  begin(originMs: EpochMs, rampKwPerMs: number): void {
    this.clear(originMs);
    this.rampKwPerMs = rampKwPerMs;
  }

  /**
   * @param fromKw  what flows at the origin
   * @param path  where to go; `null`: to 0
   * @param rampKwPerMs  as in `begin`
   */
  fill(originMs: EpochMs, fromKw: number, path: PowerProfile | null, rampKwPerMs: number): void {
    this.begin(originMs, rampKwPerMs);
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
    this.addPiece(0, kw, 0, false);
  }

  /** Ramps to a goal that moves linearly from `goalKw` on, then follows it. Times count from the origin. @returns kW at the end */
  addRampTowards(fromMs: number, untilMs: number, fromKw: number, goalKw: number, goalSlope: number): number {
    const ramp = this.rampKwPerMs;
    let atMs = fromMs;
    let kw = ramp === Number.POSITIVE_INFINITY ? goalKw : fromKw;
    if (SAME_KW < Math.abs(goalKw - kw)) {
      const rate = kw < goalKw ? ramp : -ramp;
      const meetMs = (goalKw - kw) / (rate - goalSlope);
      const endMs = 0 < meetMs ? Math.min(fromMs + meetMs, untilMs) : untilMs;
      this.addPiece(fromMs, kw, rate, true);
      if (untilMs <= endMs) return kw + rate * (endMs - fromMs);
      atMs = endMs;
      kw = goalKw + goalSlope * (endMs - fromMs);
    }
    const slope = Math.max(-ramp, Math.min(ramp, goalSlope));
    this.addPiece(atMs, kw, slope, slope !== goalSlope);
    return untilMs === Number.POSITIVE_INFINITY ? kw : kw + slope * (untilMs - atMs);
  }

  private addPiece(afterMs: number, kw: number, kwPerMs: number, isRamping: boolean): void {
    this.isRamping[this.append(afterMs, kw, kwPerMs)] = isRamping;
  }
}

const SAME_KW = 1e-9;
