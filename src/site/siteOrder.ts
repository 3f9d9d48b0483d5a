import type { Sku } from "../base/sku.ts";
import type { EpochMs } from "../base/time.ts";

/**
 * What a site is told to execute, shared by all sites that one instruction reaches: a member's schedule is this one
 * entry, and its amount is kept beside it at the site.
 */
export interface SiteOrder {
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Share of the amount that is called now, 0..1 (decisions.md 119). */
  readonly activation: number;
}
