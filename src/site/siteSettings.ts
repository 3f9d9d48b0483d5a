import type { FcrConfig } from "../device/frequency/frequencyResponse.ts";
import type { SiteBaseline } from "./baseline/siteBaseline.ts";

/** Settings of a site that an API client can change during the run; immutable. */
export interface SiteSettings {
  readonly baseline: SiteBaseline;
  readonly fcr: FcrConfig;
}
