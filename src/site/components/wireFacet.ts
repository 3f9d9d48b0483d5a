import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";

// Names of fields are those of the API documents (docs/model/apis.md).

/** What the API documents and the tables of a run call a component. */
export const COMPONENT_TYPES = ["battery", "generator", "consumer"] as const;
export type ComponentType = (typeof COMPONENT_TYPES)[number];

/** Ratings of a component in `specifications`: only those of its type. */
export interface WireSpecification {
  readonly rated_cap?: number;
  readonly import_pwr_max?: number;
  readonly export_pwr_max?: number;
  readonly soc_op_max?: number;
  readonly soc_op_min?: number;
  readonly generator_kind?: "thermal" | "pumped_storage" | "biomass" | "hydro" | "pv" | "wind" | "other";
  readonly rated_output_kw?: number;
  readonly pv_capacity_kw?: number | null;
  readonly fuel_type?: string | null;
  readonly min_output_kw?: number;
  readonly ramp_rate_kw_per_min?: number | null;
  readonly upper_reservoir_capacity_kwh?: number;
  readonly pump_input_max_kw?: number;
  readonly consumer_kind?: string;
  readonly contract_kw?: number;
  readonly max_demand_kw?: number;
  readonly dr_capable?: boolean;
  readonly min_dr_reduction_kw?: number;
  readonly max_dr_reduction_kw?: number;
  readonly min_dr_duration_minutes?: number;
  readonly min_dr_cooldown_minutes?: number;
}

/** Ratings in site API 1.13, which knows batteries only. */
export interface V1Ratings {
  readonly rated_cap: number;
  readonly dis_pwr_max: number;
  readonly chg_pwr_max: number;
  readonly soc_op_max: number;
  readonly soc_op_min: number;
}

/** What a battery could take in and deliver, in kWh, at least 0. */
export interface EnergyAvailable {
  readonly importKwh: number;
  readonly exportKwh: number;
}

/** Energy paths of one of several components over an interval, in kWh. @see docs/model/connection-point.md#energy-paths */
export interface ComponentPaths {
  readonly fromGeneratorKwh: number;
  readonly fromGridKwh: number;
  readonly toLoadKwh: number;
  readonly toBatteryKwh: number;
  readonly toGridKwh: number;
  readonly curtailedKwh: number;
}

/** The paths that a component shows. */
export interface WirePaths {
  readonly from_generator_kwh?: number;
  readonly from_grid_kwh?: number;
  readonly to_battery_kwh?: number;
  readonly to_grid_kwh?: number;
  readonly to_load_kwh?: number;
  readonly fit_export_kwh?: number;
  readonly fip_export_kwh?: number;
  readonly non_subsidized_export_kwh?: number;
  readonly curtailed_kwh?: number;
}

/** An owner's request to one of several components. */
export interface ComponentAmounts {
  readonly sku: Sku | null;
  /** `undefined`: not requested. */
  readonly deltaKw: number | undefined;
  readonly fcrResponseKw: number | undefined;
}

/** The first amount that a component cannot follow, and why. */
export interface AmountRefusal {
  readonly parameter: "sku" | "delta_kw" | "fcr_response_kw";
  readonly details: string;
}

/** How the APIs show a component of a kind. */
export interface ComponentWireFacet<Spec, Component> {
  componentType(spec: Spec): ComponentType;
  specification(spec: Spec): WireSpecification;
  /** `null`: not a battery. */
  v1Ratings(spec: Spec): V1Ratings | null;
  /** kW that counts as the output of a site without a battery in site API 1.13. */
  v1OutputKw(spec: Spec): number;
  /** Whether irradiance is one of its figures; without a sensor it is `null`. */
  hasIrradiance(spec: Spec): boolean;
  /** kW that it could take in at an instant of its present trajectory, at least 0. @param siteImportMaxKw  `Infinity`: no limit */
  importAvailableKw(component: Component, siteImportMaxKw: number, atMs: EpochMs): number;
  /** kW that it could send, at least 0. @param outputLimit  share of the rated output that may be exported, 0..1 */
  exportAvailableKw(component: Component, outputLimit: number, atMs: EpochMs): number;
  /** `null`: not a battery. */
  energyAvailable(component: Component, atMs: EpochMs): EnergyAvailable | null;
  /** kW that it could now take of a request to its whole site, at least 0 (docs/model/connection-point.md#division). */
  requestHeadroomKw(component: Component, outputLimit: number, isUp: boolean, atMs: EpochMs): number;
  paths(spec: Spec, paths: ComponentPaths): WirePaths;
  /** What one component of several cannot do. */
  amountRefusal(spec: Spec, amounts: ComponentAmounts): AmountRefusal | null;
}

/** An FCR capacity or a delta where the component has none. */
export const fcrRefusal = (isFcrCapable: boolean, { fcrResponseKw }: ComponentAmounts): AmountRefusal | null =>
  fcrResponseKw === undefined || isFcrCapable
    ? null
    : { parameter: "fcr_response_kw", details: "This component does not answer the frequency" };

/** A market product for a plant that is paid by feed-in tariff. */
export const feedInRefusal = (subsidy: "fit" | "fip" | "none", { sku }: ComponentAmounts): AmountRefusal | null =>
  sku !== null && subsidy === "fit"
    ? { parameter: "sku", details: "A plant under feed-in tariff takes no product" }
    : null;

/** The export of a plant, by its subsidy. */
export const exportPath = (subsidy: "fit" | "fip" | "none", toGridKwh: number): WirePaths =>
  ({
    fit: { fit_export_kwh: toGridKwh },
    fip: { fip_export_kwh: toGridKwh },
    none: { non_subsidized_export_kwh: toGridKwh },
  })[subsidy];
