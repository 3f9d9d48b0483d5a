import type { EpochMs } from "../../../base/time.ts";
import type { Site } from "../../site/site.ts";
import type { SiteRecord } from "../../site/siteRecord.ts";

/** Access of a VPP to the sites. */
export interface SiteAccess {
  readonly nowMs: EpochMs;
  readonly sites: readonly Site[];
  /** Whether dispatches record what limits the capabilities of members. */
  readonly recordsLimits: boolean;
  /** The record of each site. */
  readonly records: readonly SiteRecord[];
  /** Must be called before any change of a site: advances it to now and marks it for replanning at the end of the instant. */
  beginSiteChange(site: Site): void;
  /** Sends one message over a site's link, with up to three retries. @returns false if all attempts are lost */
  sendMessage(site: Site): boolean;
  /** Whether no link loses messages at present. */
  readonly isLossless: boolean;
}
