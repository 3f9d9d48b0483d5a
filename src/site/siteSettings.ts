import type { FcrConfig } from "../device/frequency/frequencyResponse.ts";
import type { SiteBaseline } from "./baseline/siteBaseline.ts";

/** What a client can set at a site while the world runs; never changed in place. */
export interface SiteSettings {
  readonly baseline: SiteBaseline;
  readonly fcr: FcrConfig;
}
