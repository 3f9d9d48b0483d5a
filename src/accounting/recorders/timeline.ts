import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_DAY } from "../../base/time.ts";
import type { VppTimeline } from "../runRecord.ts";
import type { DeliveryListener, DeliveryPiece } from "../settlement/awardSettlement.ts";
import { CAUSES } from "../settlement/causes.ts";
import type { ShortfallAttribution } from "../settlement/shortfallAttribution.ts";
import { type Bins, binsOf, envelope, equalBins, unitOfBin } from "./envelope.ts";
import { missingAreas } from "./missingAreas.ts";
import { PolylineSum, thinned } from "./polyline.ts";
import { EnergySummer } from "./powerSums.ts";

/** Longer runs, and longer periods of a zoom, are drawn by their envelope (docs/model/report-files.md#envelope). */
export const LONG_RUN_MS = 10 * MS_PER_DAY;

/** Points of a curve until the areas between curves are known. */
const POINTS_KEPT = 50_000;
/** Points of each curve of all VPPs together, and of one curve. */
const POINTS_TOTAL = { short: 10_000, long: 40_000 };
const POINTS_RANGE = { min: 500, max: { short: 5000, long: 40_000 } };

interface VppCurves {
  readonly requested: PolylineSum;
  readonly delivered: PolylineSum;
  /** By index into CAUSES; causes that do not occur are absent. */
  readonly missing: Map<number, PolylineSum>;
  readonly energy: EnergySummer;
}

/** Power of VPPs, for the charts of a report. */
export class Timeline extends Copyable implements DeliveryListener {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  private readonly bins: Bins;
  private readonly pointsMax: number;
  private readonly vpps: readonly VppCurves[];
  private readonly causesKwh = new Float64Array(CAUSES.length);

  /** @param drawnVpps  number of VPPs that share the points of the charts */
  constructor(
    { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
    vppCount: number,
    drawnVpps: number,
    midnightMs: EpochMs,
  ) {
    super();
    this.startMs = startMs;
    this.endMs = endMs;
    this.bins = binsOf(this, midnightMs);
    const length = LONG_RUN_MS < endMs - startMs ? "long" : "short";
    const share = Math.floor(POINTS_TOTAL[length] / Math.max(1, drawnVpps));
    this.pointsMax = Math.min(POINTS_RANGE.max[length], Math.max(POINTS_RANGE.min, share));
    const units = equalBins(this, unitOfBin(this.bins.binMs), midnightMs);
    this.vpps = Array.from({ length: vppCount }, () => ({
      requested: this.newCurve(),
      delivered: this.newCurve(),
      missing: new Map(),
      energy: new EnergySummer(units),
    }));
  }

  private newCurve(): PolylineSum {
    return new PolylineSum(this.bins.startMs, POINTS_KEPT);
  }

  addDelivery(vpp: number, piece: DeliveryPiece, attribution: ShortfallAttribution | null): void {
    const { fromMs, toMs, requestedKw, fromKw, toKw, pieceHours, shortfallKwh } = piece;
    const { requested, delivered, energy } = this.vpps[vpp];
    requested.add(fromMs, toMs, requestedKw, requestedKw);
    delivered.add(fromMs, toMs, fromKw, toKw);
    const hasGaps = attribution !== null && 0 < shortfallKwh;
    const gapsKwh = hasGaps ? attribution.addPieceGaps(pieceHours, this.causesKwh.fill(0)) : 0;
    energy.add(piece, this.causesKwh, gapsKwh);
    if (hasGaps) this.addMissing(vpp, piece, gapsKwh);
  }

  /** Divides what is missing from the request in proportion to the gaps of the members, as the shortfall is. */
  private addMissing(vpp: number, { fromMs, toMs, requestedKw, fromKw, toKw }: DeliveryPiece, gapsKwh: number): void {
    const { missing } = this.vpps[vpp];
    const limit = requestedKw < 0 ? Math.min : Math.max;
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
      const { requested, delivered, missing, energy } = this.vpps[k];
      const requestedKw = requested.finish(this);
      const deliveredKw = delivered.finish(this);
      const missingKw = new Map([...missing].map(([cause, curve]) => [cause, curve.finish(this)]));
      return {
        vpp,
        requestedKw: thinned(requestedKw, this.pointsMax, this.bins.startMs),
        deliveredKw: thinned(deliveredKw, this.pointsMax, this.bins.startMs),
        delivered: envelope(deliveredKw, this.bins),
        energy: energy.finish(),
        missing: missingAreas(requestedKw, missingKw),
      };
    });
  }
}
