/** What the grid connection of a site allows. */
export interface SiteConstraints {
  readonly voltageClass: "low" | "high" | "extra_high" | null;
  readonly measurementPoint: "grid" | "device" | null;
  /** `Infinity` where the scenario states no limit. */
  readonly siteImportMaxKw: number;
  readonly siteExportMaxKw: number;
}
