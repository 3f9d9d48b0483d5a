import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ConsumerComponent } from "../components/consumer/consumerComponent.ts";
import type { CompositeResource } from "../composite/compositeResource.ts";
import type { ReductionState } from "./reductionRules.ts";

/** The demand response of a site with a load: it begins, goes on and ends with what the site is told. */
export class SiteReduction extends Copyable implements ReductionState {
  reducing = false;
  sku: Sku | null = null;
  endedMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** Since the last law an order was let go, and when; else NaN. */
  private releasedMs: EpochMs = Number.NaN;

  /** An order was let go. @param endMs when what it did ended: now, or the start of the outage */
  noteRelease(endMs: EpochMs): void {
    this.releasedMs = endMs;
  }

  /**
   * Begins, continues or ends a reduction.
   *
   * @param sku  of the order that is to reduce the load, where one is
   * @returns whether another product's reduction replaced the one in force
   */
  update(unit: ConsumerComponent | CompositeResource, wanted: boolean, sku: Sku | null, atMs: EpochMs): boolean {
    const replaced = this.reducing && wanted && this.sku !== sku;
    if (this.reducing && (!wanted || replaced)) {
      this.endedMs = Number.isNaN(this.releasedMs) ? atMs : this.releasedMs;
      this.reducing = false;
      unit.endReduction(this.endedMs);
    }
    this.releasedMs = Number.NaN;
    if (wanted) {
      this.reducing = true;
      this.sku = sku;
      unit.beginReduction();
    }
    return replaced;
  }
}
