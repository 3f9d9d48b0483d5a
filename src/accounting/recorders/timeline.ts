import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { VppTimeline } from "../runRecord.ts";
import type { DeliveryListener, DeliveryPiece } from "../settlement/awardSettlement.ts";
import { PolylineSum } from "./polyline.ts";

/** Points of each curve of all VPPs together, and of one curve. */
const POINTS_TOTAL = 10_000;
const POINTS_RANGE = { min: 500, max: 5000 };

interface VppCurves {
  readonly requested: PolylineSum;
  readonly delivered: PolylineSum;
  readonly uncovered: PolylineSum;
}

/** Power of VPPs, for the charts of a report. */
export class Timeline extends Copyable implements DeliveryListener {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  private readonly vpps: readonly VppCurves[];

  /** @param drawnVpps  number of VPPs that share the points of the charts */
  constructor(
    { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
    vppCount: number,
    drawnVpps: number,
  ) {
    super();
    this.startMs = startMs;
    this.endMs = endMs;
    const share = Math.floor(POINTS_TOTAL / Math.max(1, drawnVpps));
    const pointsMax = Math.min(POINTS_RANGE.max, Math.max(POINTS_RANGE.min, share));
    const curve = () => new PolylineSum(startMs, pointsMax);
    this.vpps = Array.from({ length: vppCount }, () => ({
      requested: curve(),
      delivered: curve(),
      uncovered: curve(),
    }));
  }

  addDelivery(vpp: number, piece: DeliveryPiece): void {
    const { fromMs, toMs, requestedKw, fromKw, toKw, uncoveredKw } = piece;
    const { requested, delivered, uncovered } = this.vpps[vpp];
    requested.add(fromMs, toMs, requestedKw, requestedKw);
    delivered.add(fromMs, toMs, fromKw, toKw);
    uncovered.add(fromMs, toMs, uncoveredKw, uncoveredKw);
  }

  vppTimelines(names: readonly string[]): VppTimeline[] {
    return names.map((vpp, k) => ({
      vpp,
      requestedKw: this.vpps[k].requested.finish(this),
      deliveredKw: this.vpps[k].delivered.finish(this),
      uncoveredKw: this.vpps[k].uncovered.finish(this),
    }));
  }
}
