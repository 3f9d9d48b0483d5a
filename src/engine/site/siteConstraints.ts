import type { Sku } from "../../base/sku.ts";
import type { Series } from "../series/model/series.ts";

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

/** A site's grid connection. */
export interface SiteConstraints {
  readonly voltageClass: "low" | "high" | "extra_high" | null;
  readonly measurementPoint: "grid" | "device" | null;
  /** Power limits in kW: constant, `Infinity` for none, or a step series (docs/model/connection-point.md#limits-by-time). */
  readonly siteImportMaxKw: Series | number;
  readonly siteExportMaxKw: Series | number;
}

/** Power limits that hold now, in kW, `Infinity` for none: of the connection point, or of a component within its site. */
export interface PowerLimits {
  readonly siteImportMaxKw: number;
  readonly siteExportMaxKw: number;
}
