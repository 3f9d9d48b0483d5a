import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { VppTimeline } from "../runRecord.ts";
import type { DeliveryListener, DeliveryPiece } from "../settlement/awardSettlement.ts";
import { CAUSES } from "../settlement/causes.ts";
import type { ShortfallAttribution } from "../settlement/shortfallAttribution.ts";
import { missingAreas } from "./missingAreas.ts";
import { PolylineSum, thinned } from "./polyline.ts";

/** Points of a curve until the areas between curves are known. */
const POINTS_KEPT = 50_000;
/** Points of each curve of all VPPs together, and of one curve. */
const POINTS_TOTAL = 10_000;
const POINTS_RANGE = { min: 500, max: 5000 };

interface VppCurves {
  readonly requested: PolylineSum;
  readonly delivered: PolylineSum;
  /** By index into CAUSES; causes that do not occur are absent. */
  readonly missing: Map<number, PolylineSum>;
}

/** Power of VPPs, for the charts of a report. */
export class Timeline extends Copyable implements DeliveryListener {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  private readonly pointsMax: number;
  private readonly vpps: readonly VppCurves[];
  private readonly causesKwh = new Float64Array(CAUSES.length);

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
    this.pointsMax = Math.min(POINTS_RANGE.max, Math.max(POINTS_RANGE.min, share));
    this.vpps = Array.from({ length: vppCount }, () => ({
      requested: this.newCurve(),
      delivered: this.newCurve(),
      missing: new Map(),
    }));
  }

  private newCurve(): PolylineSum {
    return new PolylineSum(this.startMs, POINTS_KEPT);
  }

  addDelivery(vpp: number, piece: DeliveryPiece, attribution: ShortfallAttribution | null): void {
    const { fromMs, toMs, requestedKw, fromKw, toKw } = piece;
    const { requested, delivered } = this.vpps[vpp];
    requested.add(fromMs, toMs, requestedKw, requestedKw);
    delivered.add(fromMs, toMs, fromKw, toKw);
    if (attribution !== null && 0 < piece.shortfallKwh) this.addMissing(vpp, piece, attribution);
  }

  /** Divides what is missing from the request in proportion to the gaps of the members, as the shortfall is. */
  private addMissing(vpp: number, piece: DeliveryPiece, attribution: ShortfallAttribution): void {
    const { fromMs, toMs, requestedKw, fromKw, toKw, pieceHours } = piece;
    const { missing } = this.vpps[vpp];
    const limit = requestedKw < 0 ? Math.min : Math.max;
    const gapsKwh = attribution.addPieceGaps(pieceHours, this.causesKwh.fill(0));
    this.causesKwh.forEach((kwh, cause) => {
      if (kwh <= 0) return;
      const curve = missing.get(cause) ?? this.newCurve();
      missing.set(cause, curve);
      const share = kwh / gapsKwh;
      curve.add(fromMs, toMs, share * limit(0, requestedKw - fromKw), share * limit(0, requestedKw - toKw));
    });
  }

  vppTimelines(names: readonly string[]): VppTimeline[] {
    return names.map((vpp, k) => {
      const { requested, delivered, missing } = this.vpps[k];
      const requestedKw = requested.finish(this);
      const missingKw = new Map([...missing].map(([cause, curve]) => [cause, curve.finish(this)]));
      return {
        vpp,
        requestedKw: thinned(requestedKw, this.pointsMax),
        deliveredKw: thinned(delivered.finish(this), this.pointsMax),
        missing: missingAreas(requestedKw, missingKw),
      };
    });
  }
}
