import { type EpochMs, MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../../../base/time.ts";
import { Series } from "../../../series/model/series.ts";
import { ComponentMeter } from "../../meters/componentMeter.ts";
import type { MeteredSite, TrajectoryEnergy } from "../../meters/resourceMeter.ts";
import { newSegment } from "../segment.ts";
import type { ConsumerComponent } from "./consumerComponent.ts";

export class ConsumerMeter<S extends MeteredSite> extends ComponentMeter<S> {
  private readonly component: ConsumerComponent;
  /** Instant up to which the trajectory has been integrated: its start or a segment end. */
  private walkedMs: EpochMs;
  private consumedKwh = 0;
  private drDeliveredKwh = 0;
  private readonly segment = newSegment();

  constructor(site: S, component: ConsumerComponent, startMs: EpochMs, from: Float64Array | null) {
    super(site, startMs, from);
    this.component = component;
    this.walkedMs = startMs;
  }

  protected override measure(atMs: EpochMs, energy: TrajectoryEnergy): void {
    const { segment } = this;
    const isReducing = this.site.reduction.reducing && this.site.isInService;
    while (this.walkedMs < atMs) {
      this.component.segmentAt(this.walkedMs, segment);
      const endMs = isReducing ? Math.min(segment.endMs, baselineSlotEndMs(this.site, this.walkedMs)) : segment.endMs;
      const spanMs = Math.min(atMs, endMs) - this.walkedMs;
      const kwh = ((segment.kw + 0.5 * segment.kwPerMs * spanMs) * spanMs) / MS_PER_HOUR;
      const drKwh = isReducing
        ? positiveLineKwh(this.site.baselineSlotKwAt(this.walkedMs) - segment.kw, -segment.kwPerMs, spanMs)
        : 0;
      if (atMs < endMs) {
        energy.importKwh = this.consumedKwh + kwh;
        energy.drDeliveredKwh = this.drDeliveredKwh + drKwh;
        return;
      }
      this.consumedKwh += kwh;
      this.drDeliveredKwh += drKwh;
      this.walkedMs = endMs;
    }
    energy.importKwh = this.consumedKwh;
    energy.drDeliveredKwh = this.drDeliveredKwh;
  }

  protected override restart(atMs: EpochMs): void {
    this.walkedMs = atMs;
    this.consumedKwh = 0;
    this.drDeliveredKwh = 0;
  }
}

function baselineSlotEndMs(site: MeteredSite, atMs: EpochMs): EpochMs {
  return site.baseline.slotsKw instanceof Series
    ? (Math.floor(atMs / MS_PER_HALF_HOUR) + 1) * MS_PER_HALF_HOUR
    : Number.POSITIVE_INFINITY;
}

/** Energy of the positive part of a linear power, in kWh. */
function positiveLineKwh(kw: number, kwPerMs: number, spanMs: number): number {
  const endKw = kw + kwPerMs * spanMs;
  if (kw >= 0 && endKw >= 0) return ((kw + endKw) * 0.5 * spanMs) / MS_PER_HOUR;
  if (kw <= 0 && endKw <= 0) return 0;
  const positiveKw = Math.max(kw, endKw);
  return (positiveKw * positiveKw) / (2 * Math.abs(kwPerMs)) / MS_PER_HOUR;
}
