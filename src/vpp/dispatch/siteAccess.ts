import type { EpochMs } from "../../base/time.ts";
import type { SiteBatch } from "../../site/batch/siteBatch.ts";
import type { Site } from "../../site/site.ts";

/** The sites as a VPP reaches them. */
export interface SiteAccess {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  /** To be called before anything of a site is changed: brings it to now and has it settled at the end of the instant. */
  beginSiteChange(site: Site): void;
  /** Plain sites at work; `null` where none are kept so. */
  readonly batch: SiteBatch | null;
  /** As `touch`, for the first `count` of these sites, which the bank keeps. */
  beginBatchChange(indices: Int32Array, count: number): void;
  /** Has a site that the bank keeps go on by itself. */
  evictFromBatch(site: Site): void;
  /** Sends one message over a site's link, with three more attempts; false when all were lost. */
  sendMessage(site: Site): boolean;
  /** Whether no message to anybody is lost now. */
  readonly isLossless: boolean;
}
