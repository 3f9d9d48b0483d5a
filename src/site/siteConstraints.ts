import type { Sku } from "../base/sku.ts";

/** What a site is registered for. */
export interface SiteCapability {
  /** Effective flag: site and at least one component. */
  readonly fcrCapable: boolean;
  readonly drCapable: boolean;
  readonly reverseFlowAllowed: boolean;
  readonly marketable: readonly Sku[];
  readonly balancingResponsible: boolean;
  readonly nonFirmConnection: boolean;
}

/** What the grid connection of a site allows. */
export interface SiteConstraints {
  readonly voltageClass: "low" | "high" | "extra_high" | null;
  readonly measurementPoint: "grid" | "device" | null;
  /** `Infinity` where the scenario states no limit. */
  readonly siteImportMaxKw: number;
  readonly siteExportMaxKw: number;
}
