import { curveSlope, curveValue, turningPointMs } from "../curve/curve.ts";
import { positivePartIntegral } from "../curve/curveIntegrals.ts";

/**
 * What a device really gives of the frequency response that it is asked for, while limits, bounds or a ramp keep it from
 * its target, as an integral in kW·ms.
 *
 * Deltas give way first, down to nothing (docs/model/frequency-response.md#yielding-deltas): the response is what lies between the power and the baseline
 * less (for a response up: plus) the deltas that may be lost, but neither beyond what is asked nor against it.
 *
 * @param power  of the device as a curve (curve.ts) over the span
 * @param asked  kW and kW per ms, of one sign throughout the span
 * @param responseReferenceKw  baseline with all deltas below 0 for a response up, with all deltas above 0 for one down
 * @returns of the sign of `asked`
 */
export function deliveredResponseKwMs(
  power: {
    readonly kw: number;
    readonly kwPerMs: number;
    readonly kwPerMs2: number;
    readonly ratePerMs: number;
  },
  asked: { readonly kw: number; readonly kwPerMs: number },
  roomFromKw: number,
  spanMs: number,
): number {
  const sign = asked.kw + asked.kw + asked.kwPerMs * spanMs < 0 ? -1 : 1;
  const { ratePerMs } = power;
  const bend = sign * power.kwPerMs2;
  const givenKw = sign * (power.kw - roomFromKw);
  const givenSlope = sign * power.kwPerMs;
  const beyondKw = givenKw - sign * asked.kw;
  const beyondSlope = givenSlope - sign * asked.kwPerMs;
  const given = positivePartKwMs(givenKw, givenSlope, bend, ratePerMs, spanMs);
  return sign * (given - positivePartKwMs(beyondKw, beyondSlope, bend, ratePerMs, spanMs));
}

/** Integral of max(0, f) for a curve that may turn once. */
function positivePartKwMs(level: number, slope: number, bend: number, ratePerMs: number, spanMs: number): number {
  if (slope === 0 && bend === 0) return level <= 0 ? 0 : level * spanMs;
  const turnMs = turningPointMs(slope, bend, ratePerMs);
  if (!(0 < turnMs && turnMs < spanMs)) return positivePartIntegral(level, slope, bend, ratePerMs, spanMs);
  const there = curveValue(level, slope, bend, ratePerMs, turnMs);
  const bendThere = bend * Math.exp(-ratePerMs * turnMs);
  return (
    positivePartIntegral(level, slope, bend, ratePerMs, turnMs) +
    positivePartIntegral(there, curveSlope(slope, bend, ratePerMs, turnMs), bendThere, ratePerMs, spanMs - turnMs)
  );
}
