import type { FcrConfig } from "../device/frequencyResponse.ts";
import type { SiteBaseline } from "./siteBaseline.ts";

/** What a client can set at a site while the world runs; never changed in place. */
export interface SiteSettings {
  readonly baseline: SiteBaseline;
  readonly fcr: FcrConfig;
}
