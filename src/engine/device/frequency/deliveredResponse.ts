import { type Curve, curveSlope, curveValue, decayedCurvature, turningPointMs } from "../curve/curve.ts";
import { positivePartIntegral } from "../curve/curveIntegrals.ts";

/**
 * Delivered part of the requested frequency response, as an integral in kW·ms, of a device that limits, bounds or a ramp
 * prevent from reaching its target.
 *
 * Deltas are reduced first, down to 0 (docs/model/frequency-response.md#reduced-deltas). The delivered response is the
 * power minus `responseReferenceKw`, limited to between 0 and the request.
 *
 * @param power  of the device as a curve (curve.ts) over the span
 * @param requested  kW and kW per ms, of one sign throughout the span
 * @param responseReferenceKw  baseline with all deltas below 0 for a response up, with all deltas above 0 for one down
 * @returns with the sign of `requested`
 */
export function deliveredResponseKwMs(
  power: Readonly<Curve>,
  requested: { readonly kw: number; readonly kwPerMs: number },
  responseReferenceKw: number,
  spanMs: number,
): number {
  const sign = requested.kw + requested.kw + requested.kwPerMs * spanMs < 0 ? -1 : 1;
  const { ratePerMs } = power;
  const curvature = sign * power.kwPerMs2;
  const deliveredKw = sign * (power.kw - responseReferenceKw);
  const deliveredSlope = sign * power.kwPerMs;
  const excessKw = deliveredKw - sign * requested.kw;
  const excessSlope = deliveredSlope - sign * requested.kwPerMs;
  const positiveKwMs = positivePartKwMs(deliveredKw, deliveredSlope, curvature, ratePerMs, spanMs);
  return sign * (positiveKwMs - positivePartKwMs(excessKw, excessSlope, curvature, ratePerMs, spanMs));
}

/** Integral of max(0, f) for a curve with at most one turning point. */
function positivePartKwMs(level: number, slope: number, curvature: number, ratePerMs: number, spanMs: number): number {
  if (slope === 0 && curvature === 0) return level <= 0 ? 0 : level * spanMs;
  const turnMs = turningPointMs(slope, curvature, ratePerMs);
  if (!(0 < turnMs && turnMs < spanMs)) return positivePartIntegral(level, slope, curvature, ratePerMs, spanMs);
  const turnLevel = curveValue(level, slope, curvature, ratePerMs, turnMs);
  return (
    positivePartIntegral(level, slope, curvature, ratePerMs, turnMs) +
    positivePartIntegral(
      turnLevel,
      curveSlope(slope, curvature, ratePerMs, turnMs),
      decayedCurvature(curvature, ratePerMs, turnMs),
      ratePerMs,
      spanMs - turnMs,
    )
  );
}
