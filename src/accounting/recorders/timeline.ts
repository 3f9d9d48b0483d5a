import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { BatteryComponent } from "../../site/components/battery/batteryComponent.ts";
import type { Site } from "../../site/site.ts";
import { componentsOf } from "../../site/siteResource.ts";
import type { SocTimeline, VppTimeline } from "../runRecord.ts";
import type { DeliveryListener, DeliveryPiece } from "../settlement/awardSettlement.ts";
import { PolylineSum } from "./polyline.ts";

const BINS_MAX = 600;
/** Points of each curve of all VPPs together, and of one curve. */
const POINTS_TOTAL = 10_000;
const POINTS_RANGE = { min: 500, max: 5000 };
const BIN_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440];

interface VppCurves {
  readonly requested: PolylineSum;
  readonly delivered: PolylineSum;
  readonly uncovered: PolylineSum;
}

/** Power of VPPs, and the state of charge at equal intervals, for the charts of a report. */
export class Timeline extends Copyable implements DeliveryListener {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  private readonly binMs: number;
  private readonly binCount: number;
  private readonly vpps: readonly VppCurves[];
  private readonly batteries: readonly { readonly site: string; readonly battery: BatteryComponent }[];
  private readonly socPct: readonly Float64Array[];
  private nextSocIndex = 0;

  /** @param drawnVpps  number of VPPs that share the points of the charts */
  constructor(
    { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
    vppCount: number,
    sites: readonly Site[],
    drawnVpps: number,
  ) {
    super();
    const spanMinutes = (endMs - startMs) / MS_PER_MINUTE;
    const minutes =
      BIN_MINUTES.find((candidate) => spanMinutes / candidate <= BINS_MAX) ??
      Math.ceil(spanMinutes / BINS_MAX / 1440) * 1440;
    this.startMs = startMs;
    this.endMs = endMs;
    this.binMs = minutes * MS_PER_MINUTE;
    this.binCount = Math.max(1, Math.ceil((endMs - startMs) / this.binMs));
    const share = Math.floor(POINTS_TOTAL / Math.max(1, drawnVpps));
    const pointsMax = Math.min(POINTS_RANGE.max, Math.max(POINTS_RANGE.min, share));
    const curve = () => new PolylineSum(startMs, pointsMax);
    this.vpps = Array.from({ length: vppCount }, () => ({
      requested: curve(),
      delivered: curve(),
      uncovered: curve(),
    }));
    this.batteries = sites.flatMap(batteriesOf);
    this.socPct = this.batteries.map(() => new Float64Array(this.binCount + 1));
  }

  addDelivery(vpp: number, piece: DeliveryPiece): void {
    const { fromMs, toMs, requestedKw, fromKw, toKw, uncoveredKw } = piece;
    const { requested, delivered, uncovered } = this.vpps[vpp];
    requested.add(fromMs, toMs, requestedKw, requestedKw);
    delivered.add(fromMs, toMs, fromKw, toKw);
    uncovered.add(fromMs, toMs, uncoveredKw, uncoveredKw);
  }

  /** Reads SOC at the bin starts up to an instant through which the current trajectories hold. */
  recordThrough(untilMs: EpochMs): void {
    while (this.nextSocIndex <= this.binCount) {
      const atMs = Math.min(this.startMs + this.nextSocIndex * this.binMs, this.endMs);
      if (untilMs < atMs) return;
      this.batteries.forEach(({ battery }, k) => {
        this.socPct[k][this.nextSocIndex] = battery.socPctAt(atMs);
      });
      this.nextSocIndex++;
    }
  }

  vppTimelines(names: readonly string[]): VppTimeline[] {
    return names.map((vpp, k) => ({
      vpp,
      requestedKw: this.vpps[k].requested.finish(this),
      deliveredKw: this.vpps[k].delivered.finish(this),
      uncoveredKw: this.vpps[k].uncovered.finish(this),
    }));
  }

  socTimeline(): SocTimeline {
    const atMs = Float64Array.from({ length: this.binCount + 1 }, (_, bin) =>
      Math.min(this.startMs + bin * this.binMs, this.endMs),
    );
    const batteries = this.batteries.map(({ site, battery }, k) => ({
      site,
      componentId: battery.spec.componentId,
      socPct: this.socPct[k],
    }));
    return { atMs, batteries };
  }
}

const batteriesOf = ({ spec, resource }: Site) =>
  componentsOf(resource).flatMap((component) =>
    component.role === "storage" ? [{ site: spec.name, battery: component }] : [],
  );
