// The demand-response events of consumers: what their sites refuse, what goes on over a boundary, when one is over.
import type { Sku } from "../../../src/base/sku.ts";
import { hasSlots } from "./plan.ts";
import { inService, type Plant, releaseConsumer, tell } from "./plant.ts";

/** The latest reduction of one consumer. */
interface Reduction {
  sku: Sku | null;
  /** `null` while it goes on. */
  endedMs: number | null;
  /** Its instruction is over at this instant, but another may continue it. */
  overAtMs: number | null;
}

interface Delivery {
  readonly sku: Sku | null;
  readonly deltaKw: number;
  readonly atMs: number;
}

export class Reductions {
  readonly #latest = new Map<Plant, Reduction>();

  /** Whether the site itself says no (models.md §5, decisions.md 23, 29, 87, 129). */
  refuses(plant: Plant, { sku, deltaKw, atMs, lengthMs }: Delivery & { readonly lengthMs: number }): boolean {
    const { site, component } = plant;
    if (sku !== null && !site.capability.marketable.includes(sku)) return true;
    if (component.kind !== "consumer") return false;
    if (sku === "negawatt-spot" && !hasSlots(site)) return true;
    if (deltaKw === 0) return false;
    if (-deltaKw < component.minDrReductionKw || lengthMs < component.minDrDurationMs) return true;
    return !this.#continues(plant, sku, atMs) && this.#cooling(plant, atMs);
  }

  /** Starts, goes on with or changes a reduction; a share of 0 is none. */
  instruct(plant: Plant, { sku, deltaKw, atMs }: Delivery): void {
    if (plant.component.kind !== "consumer") return;
    if (deltaKw === 0) {
      this.endNow(plant, atMs);
      return;
    }
    if (!this.#continues(plant, sku, atMs)) this.endNow(plant, atMs);
    this.#latest.set(plant, { sku, endedMs: null, overAtMs: null });
    plant.reductionOpen = true;
    tell(plant, atMs, deltaKw);
  }

  endUnlessContinued(plant: Plant, atMs: number): void {
    const latest = this.#latest.get(plant);
    if (latest !== undefined && latest.endedMs === null) latest.overAtMs = atMs;
  }

  endNow(plant: Plant, endedMs: number): void {
    const latest = this.#latest.get(plant);
    if (latest === undefined || latest.endedMs !== null || plant.component.kind !== "consumer") return;
    latest.endedMs = endedMs;
    latest.overAtMs = null;
    releaseConsumer(plant, plant.component, endedMs);
  }

  settle(plants: readonly Plant[], atMs: number): void {
    for (const plant of plants) if (this.#latest.get(plant)?.overAtMs === atMs) this.endNow(plant, atMs);
  }

  /** Decisions.md 147. */
  possibleNowKw(plant: Plant, atMs: number): number {
    const { site, component } = plant;
    if (component.kind !== "consumer" || !inService(plant)) return 0;
    if (!(site.capability.drCapable && component.drCapable) || this.#cooling(plant, atMs)) return 0;
    return component.maxDrReductionKw;
  }

  /** One event: still going on, or over at this very instant under the same product. */
  #continues(plant: Plant, sku: Sku | null, atMs: number): boolean {
    const latest = this.#latest.get(plant);
    if (latest === undefined || latest.endedMs !== null || latest.sku !== sku) return false;
    return latest.overAtMs === null || latest.overAtMs === atMs;
  }

  #cooling(plant: Plant, atMs: number): boolean {
    const latest = this.#latest.get(plant);
    if (latest === undefined || plant.component.kind !== "consumer") return false;
    const endedMs = latest.endedMs ?? latest.overAtMs;
    return endedMs !== null && atMs - endedMs < plant.component.minDrCooldownMs;
  }
}
