import type { Sku } from "../base/sku.ts";

/** Capabilities for which a site is registered. */
export interface SiteCapability {
  /** True if the site and at least one component are FCR-capable. */
  readonly fcrCapable: boolean;
  readonly drCapable: boolean;
  readonly reverseFlowAllowed: boolean;
  readonly marketable: readonly Sku[];
  readonly balancingResponsible: boolean;
  readonly nonFirmConnection: boolean;
}

/** Limits of a site's grid connection. */
export interface SiteConstraints {
  readonly voltageClass: "low" | "high" | "extra_high" | null;
  readonly measurementPoint: "grid" | "device" | null;
  /** Power limits in kW, `Infinity` if the scenario has none. */
  readonly siteImportMaxKw: number;
  readonly siteExportMaxKw: number;
}
