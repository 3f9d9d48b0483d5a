import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Reducible } from "../components/capabilities.ts";
import type { ReductionState } from "./reductionState.ts";

/** State of the demand response of a site with a consumer. */
export class SiteReduction extends Copyable implements ReductionState {
  reducing = false;
  sku: Sku | null = null;
  endedMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** End of an order released since the last update; NaN if none. */
  private releasedMs: EpochMs = Number.NaN;

  /** Records the release of an order. @param endMs end of its effect: now, or the start of the outage */
  noteRelease(endMs: EpochMs): void {
    this.releasedMs = endMs;
  }

  /**
   * Begins, continues or ends a reduction.
   *
   * @param sku  product of the reducing order; ignored without one
   * @returns whether another product's reduction replaced the one in force
   */
  update(resource: Reducible, isReductionRequested: boolean, sku: Sku | null, atMs: EpochMs): boolean {
    const replaced = this.reducing && isReductionRequested && this.sku !== sku;
    if (this.reducing && (!isReductionRequested || replaced)) {
      this.endedMs = Number.isNaN(this.releasedMs) ? atMs : this.releasedMs;
      this.reducing = false;
      resource.endReduction(this.endedMs);
    }
    this.releasedMs = Number.NaN;
    if (isReductionRequested) {
      this.reducing = true;
      this.sku = sku;
      resource.beginReduction();
    }
    return replaced;
  }
}
