import type { EpochMs } from "../../base/time.ts";
import type { SiteBatch } from "../../site/batch/siteBatch.ts";
import type { Site } from "../../site/site.ts";

/** Access of a VPP to the sites. */
export interface SiteAccess {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  /** Must be called before any change of a site: advances it to now and marks it for replanning at the end of the instant. */
  beginSiteChange(site: Site): void;
  /** Sites executed as a batch; `null` without batching. */
  readonly batch: SiteBatch | null;
  /** As `beginSiteChange`, for the first `count` of these batched sites. */
  beginBatchChange(indices: Int32Array, count: number): void;
  /** Removes a site from the batch, so that it runs by itself. */
  evictFromBatch(site: Site): void;
  /** Sends one message over a site's link, with up to three retries. @returns false if all attempts are lost */
  sendMessage(site: Site): boolean;
  /** Whether no link loses messages at present. */
  readonly isLossless: boolean;
}
