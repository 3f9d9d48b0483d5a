import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR, MS_PER_MINUTE } from "../../base/time.ts";
import type { BatteryComponent } from "../../site/components/battery/batteryComponent.ts";
import type { Site } from "../../site/site.ts";
import { componentsOf } from "../../site/siteResource.ts";
import type { SocTimeline, VppTimeline } from "../runRecord.ts";

const BINS_MAX = 600;
const BIN_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440];

/** Mean power of VPPs in equal bins, and SOC at the bin starts, for the charts of a report. */
export class Timeline extends Copyable {
  private readonly startMs: EpochMs;
  private readonly endMs: EpochMs;
  private readonly binMs: number;
  private readonly binCount: number;
  private readonly requestedKwh: readonly Float64Array[];
  private readonly deliveredKwh: readonly Float64Array[];
  private readonly batteries: readonly { readonly site: string; readonly battery: BatteryComponent }[];
  private readonly socPct: readonly Float64Array[];
  private nextSocIndex = 0;

  constructor(startMs: EpochMs, endMs: EpochMs, vppCount: number, sites: readonly Site[]) {
    super();
    const spanMinutes = (endMs - startMs) / MS_PER_MINUTE;
    const minutes =
      BIN_MINUTES.find((candidate) => spanMinutes / candidate <= BINS_MAX) ??
      Math.ceil(spanMinutes / BINS_MAX / 1440) * 1440;
    this.startMs = startMs;
    this.endMs = endMs;
    this.binMs = minutes * MS_PER_MINUTE;
    this.binCount = Math.max(1, Math.ceil((endMs - startMs) / this.binMs));
    const perVpp = () => Array.from({ length: vppCount }, () => new Float64Array(this.binCount));
    this.requestedKwh = perVpp();
    this.deliveredKwh = perVpp();
    this.batteries = sites.flatMap(batteriesOf);
    this.socPct = this.batteries.map(() => new Float64Array(this.binCount + 1));
  }

  /** Distributes the energy of an interval over the bins that it overlaps. */
  addDelivery(vpp: number, fromMs: EpochMs, toMs: EpochMs, requestedKw: number, deliveredKwh: number): void {
    const requestedKwh = this.requestedKwh[vpp];
    const binKwh = this.deliveredKwh[vpp];
    const deliveredKw = (deliveredKwh * MS_PER_HOUR) / (toMs - fromMs);
    let atMs = fromMs;
    for (let bin = Math.floor((fromMs - this.startMs) / this.binMs); atMs < toMs; bin++) {
      const untilMs = Math.min(toMs, this.startMs + (bin + 1) * this.binMs);
      const hours = (untilMs - atMs) / MS_PER_HOUR;
      requestedKwh[bin] += requestedKw * hours;
      binKwh[bin] += deliveredKw * hours;
      atMs = untilMs;
    }
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
    const binStartMs = Float64Array.from({ length: this.binCount }, (_, bin) => this.startMs + bin * this.binMs);
    const mean = (kwh: Float64Array) =>
      kwh.map(
        (value, bin) => (value * MS_PER_HOUR) / (Math.min(binStartMs[bin] + this.binMs, this.endMs) - binStartMs[bin]),
      );
    return names.map((vpp, k) => ({
      vpp,
      binStartMs,
      endMs: this.endMs,
      requestedKw: mean(this.requestedKwh[k]),
      deliveredKw: mean(this.deliveredKwh[k]),
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
