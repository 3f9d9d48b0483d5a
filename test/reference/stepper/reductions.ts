// The demand-response events of consumers: what their sites refuse, what goes on over a boundary, when one is over.
import type { Sku } from "../../../src/base/sku.ts";
import { hasSlots } from "./plan.ts";
import { isInService, type ReferencePlant, releaseReduction, sendSetpoint } from "./referencePlant.ts";

/** The latest reduction of one consumer. */
interface Reduction {
  readonly sku: Sku | null;
  /** `null` while it goes on. */
  endedMs: number | null;
}

/** What is to be after this instant; 0 kW: no reduction, the one in force being over since `endedMs`. */
interface ReductionRequest {
  readonly sku: Sku | null;
  readonly deltaKw: number;
  readonly endedMs: number;
}

interface Delivery {
  readonly sku: Sku | null;
  readonly deltaKw: number;
  readonly atMs: number;
}

/** Only what holds at the end of an instant counts: an end and a start in it are one change (docs/model/consumer.md#contiguous, docs/model/battery.md#ramp). */
export class Reductions {
  private readonly latest = new Map<ReferencePlant, Reduction>();
  private readonly wishes = new Map<ReferencePlant, ReductionRequest>();

  /** Whether the site itself says no (docs/model/consumer.md#dr-limits, docs/model/allocation.md#compatibility, docs/model/baselines.md#negawatt-slots, docs/model/consumer.md#dr-limits, docs/model/consumer.md#rebound). */
  refuses(plant: ReferencePlant, { sku, deltaKw, atMs, lengthMs }: Delivery & { readonly lengthMs: number }): boolean {
    const { site, component } = plant;
    if (sku !== null && !site.capability.marketable.includes(sku)) return true;
    if (component.kind !== "consumer") return false;
    if (sku === "negawatt-spot" && !hasSlots(site)) return true;
    if (deltaKw === 0) return false;
    if (-deltaKw < component.minDrReductionKw || lengthMs < component.minDrDurationMs) return true;
    const latest = this.latest.get(plant);
    if (latest === undefined || (latest.endedMs === null && latest.sku === sku)) return false;
    return atMs - (latest.endedMs ?? atMs) < component.minDrCooldownMs;
  }

  /** Starts, goes on with or changes a reduction to what is called for now; 0 is none. */
  instruct(plant: ReferencePlant, { sku, deltaKw, atMs }: Delivery): void {
    this.wishes.set(plant, { sku, deltaKw, endedMs: atMs });
  }

  end(plant: ReferencePlant, endedMs: number): void {
    this.wishes.set(plant, { sku: null, deltaKw: 0, endedMs });
  }

  settle(atMs: number): void {
    for (const [plant, { sku, deltaKw, endedMs }] of this.wishes) {
      if (plant.component.kind !== "consumer") continue;
      const latest = this.latest.get(plant);
      if (latest?.endedMs === null && (deltaKw === 0 || latest.sku !== sku)) {
        latest.endedMs = endedMs;
        releaseReduction(plant, plant.component, endedMs);
      }
      if (deltaKw === 0) continue;
      this.latest.set(plant, { sku, endedMs: null });
      plant.hasActiveReduction = true;
      sendSetpoint(plant, atMs, deltaKw);
    }
    this.wishes.clear();
  }

  /** Decisions.md 147; one that ended at this instant can only go on under its own product. */
  possibleNowKw(plant: ReferencePlant, sku: Sku | null, atMs: number): number {
    const { site, component } = plant;
    if (component.kind !== "consumer" || !isInService(plant)) return 0;
    if (!(site.capability.drCapable && component.drCapable)) return 0;
    const latest = this.latest.get(plant);
    const endsNow = this.wishes.get(plant)?.deltaKw === 0 && latest?.sku !== sku;
    const endedMs = latest === undefined ? null : (latest.endedMs ?? (endsNow ? atMs : null));
    return endedMs !== null && atMs - endedMs < component.minDrCooldownMs ? 0 : component.maxDrReductionKw;
  }
}
