import { cutCurve, type Polyline } from "../../accounting/recorders/polyline.ts";
import { roundTo } from "../../base/rounding.ts";
import { isoUtc } from "../../base/time.ts";
import type { GradedDrill } from "./gradedDrill.ts";

/** Points joined by straight lines: an instant and kW. Two points of one instant are a jump. */
type CurveJson = readonly (readonly [string, number])[];

/** Power of one VPP in the period of a drill, import positive. */
interface PowerCurves {
  readonly vpp: string;
  readonly promised_kw: CurveJson;
  readonly delivered_kw: CurveJson;
  /** Delivered power of the run without a trainee. */
  readonly delivered_without_trainee_kw: CurveJson;
}

/** The chart of a debriefing as data. */
export const powerCurves = ({ drill, nothing, run }: GradedDrill): PowerCurves[] =>
  nothing.run.record.timelines.map((without, k) => ({
    vpp: without.vpp,
    promised_kw: curveOf(without.requestedKw, drill),
    delivered_kw: curveOf(run.record.timelines[k].deliveredKw, drill),
    delivered_without_trainee_kw: curveOf(without.deliveredKw, drill),
  }));

function curveOf(curve: Polyline, period: { readonly startMs: number; readonly endMs: number }): CurveJson {
  const { atMs, values } = cutCurve(curve, period);
  return Array.from(atMs, (at, k) => [isoUtc(at), roundTo(values[k], 3)]);
}
