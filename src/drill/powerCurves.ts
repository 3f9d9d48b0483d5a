import type { Polyline } from "../accounting/recorders/polyline.ts";
import { roundTo } from "../base/rounding.ts";
import { isoUtc } from "../base/time.ts";
import type { GradedDrill } from "./gradedDrill.ts";

/** Points joined by straight lines: an instant and kW. Two points of one instant are a jump. */
type CurveJson = readonly (readonly [string, number])[];

/** Power of one VPP in the period of a drill, import positive. */
interface PowerCurves {
  readonly vpp: string;
  readonly promised_kw: CurveJson;
  readonly delivered_kw: CurveJson;
  /** If nobody had done anything. */
  readonly delivered_without_trainee_kw: CurveJson;
}

/** The chart of a debriefing as data. */
export const powerCurves = ({ drill, nothing, played }: GradedDrill): PowerCurves[] =>
  nothing.played.record.timelines.map((without, k) => ({
    vpp: without.vpp,
    promised_kw: curveOf(without.requestedKw, drill),
    delivered_kw: curveOf(played.record.timelines[k].deliveredKw, drill),
    delivered_without_trainee_kw: curveOf(without.deliveredKw, drill),
  }));

/** The points of the period, and the last one before it at its start. */
function curveOf(
  { atMs, values }: Polyline,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): CurveJson {
  const points: [string, number][] = [];
  for (let k = 0; k < atMs.length; k++) {
    if (endMs < atMs[k]) break;
    if (k + 1 < atMs.length && atMs[k] < startMs && atMs[k + 1] <= startMs) continue;
    points.push([isoUtc(Math.max(startMs, atMs[k])), roundTo(valueAt(atMs, values, k, startMs), 3)]);
  }
  return points;
}

/** The value of a point, of one before an instant that at the instant. */
function valueAt(atMs: Float64Array, values: Float64Array, k: number, fromMs: number): number {
  if (fromMs <= atMs[k] || k + 1 === atMs.length) return values[k];
  return values[k] + ((values[k + 1] - values[k]) * (fromMs - atMs[k])) / (atMs[k + 1] - atMs[k]);
}
