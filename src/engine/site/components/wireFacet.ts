import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { ConsumerKind } from "../../device/consumer/consumerSpec.ts";

// Field names are those of the API documents (docs/model/apis.md).

/** Component type in the API documents and in the tables of a run. */
export const COMPONENT_TYPES = ["battery", "generator", "consumer"] as const;
export type ComponentType = (typeof COMPONENT_TYPES)[number];

/** Ratings of a component in `specifications`; only the fields of its type are present. */
export interface WireSpecification {
  readonly rated_cap?: number;
  readonly import_pwr_max?: number;
  readonly export_pwr_max?: number;
  readonly soc_op_max?: number;
  readonly soc_op_min?: number;
  readonly generator_kind?: "thermal" | "pumped_storage" | "biomass" | "hydro" | "pv" | "wind" | "other";
  readonly rated_output_kw?: number;
  readonly pv_capacity_kw?: number;
  readonly fuel_type?: string;
  readonly min_output_kw?: number;
  readonly ramp_rate_kw_per_min?: number;
  readonly upper_reservoir_capacity_kwh?: number;
  readonly pump_input_max_kw?: number;
  readonly consumer_kind?: ConsumerKind;
  readonly contract_kw?: number;
  readonly max_demand_kw?: number;
  readonly dr_capable?: boolean;
  readonly min_dr_reduction_kw?: number;
  readonly max_dr_reduction_kw?: number;
  /** 1 to 1440. */
  readonly min_dr_duration_minutes?: number;
  readonly min_dr_cooldown_minutes?: number;
}

/** Ratings in site API 1.13, which has batteries only. */
interface V1Ratings {
  readonly rated_cap: number;
  readonly dis_pwr_max: number;
  readonly chg_pwr_max: number;
  readonly soc_op_max: number;
  readonly soc_op_min: number;
}

/** Energy that a battery can charge and discharge, in kWh, at least 0. */
export interface EnergyAvailable {
  readonly importKwh: number;
  readonly exportKwh: number;
}

/** Energy paths of one of several components over an interval, in kWh. @see docs/model/connection-point.md#energy-paths */
interface ComponentPaths {
  readonly fromGeneratorKwh: number;
  readonly fromGridKwh: number;
  readonly toLoadKwh: number;
  readonly toBatteryKwh: number;
  readonly toGridKwh: number;
  readonly curtailedKwh: number;
}

/** The energy paths that the API gives for a component. */
interface WirePaths {
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

/** Amounts of an owner's request to one of several components. */
interface ComponentAmounts {
  readonly sku: Sku | null;
  /** `undefined`: not requested. */
  readonly deltaKw: number | undefined;
  readonly fcrResponseKw: number | undefined;
}

/** The first amount that a component cannot follow, and the reason. */
interface AmountRefusal {
  readonly parameter: "sku" | "delta_kw" | "fcr_response_kw";
  readonly details: string;
}

/** Wire facet of a kind: its representation in the APIs. */
export interface ComponentWireFacet<Spec, Component> {
  componentType(spec: Spec): ComponentType;
  specification(spec: Spec): WireSpecification;
  /** `null`: not a battery. */
  v1Ratings(spec: Spec): V1Ratings | null;
  /** Rated output in kW of a site without a battery in site API 1.13; 0 where the kind has none. */
  v1OutputKw(spec: Spec): number;
  /** Whether the API gives an irradiance for the component; the value is `null` without a sensor. */
  hasIrradiance(spec: Spec): boolean;
  /** Import power available at an instant of the present trajectory, in kW, at least 0. @param siteImportMaxKw  `Infinity`: no limit */
  importAvailableKw(component: Component, siteImportMaxKw: number, atMs: EpochMs): number;
  /** Export power available, in kW, at least 0. @param outputLimitShare  share of the rated output that may be exported, 0..1 */
  exportAvailableKw(component: Component, outputLimitShare: number, atMs: EpochMs): number;
  /** `null`: not a battery. */
  energyAvailable(component: Component, atMs: EpochMs): EnergyAvailable | null;
  /** Headroom now for a request to the whole site, in kW, at least 0 (docs/model/connection-point.md#division). */
  requestHeadroomKw(component: Component, outputLimitShare: number, isUp: boolean, atMs: EpochMs): number;
  paths(spec: Spec, paths: ComponentPaths): WirePaths;
  /** Why a request to one of several components is refused; `null` where it is accepted. */
  amountRefusal(spec: Spec, amounts: ComponentAmounts): AmountRefusal | null;
}

/** Refuses an FCR capacity where the component has no frequency response. */
export const fcrRefusal = (isFcrCapable: boolean, { fcrResponseKw }: ComponentAmounts): AmountRefusal | null =>
  fcrResponseKw === undefined || isFcrCapable
    ? null
    : { parameter: "fcr_response_kw", details: "This component does not answer the frequency" };

/** Refuses a market product for a plant under a feed-in tariff. */
export const feedInRefusal = (subsidy: "fit" | "fip" | "none", { sku }: ComponentAmounts): AmountRefusal | null =>
  sku !== null && subsidy === "fit"
    ? { parameter: "sku", details: "A plant under feed-in tariff takes no product" }
    : null;

/** The export of a plant, under the field of its support scheme. */
export const exportPath = (subsidy: "fit" | "fip" | "none", toGridKwh: number): WirePaths =>
  ({
    fit: { fit_export_kwh: toGridKwh },
    fip: { fip_export_kwh: toGridKwh },
    none: { non_subsidized_export_kwh: toGridKwh },
  })[subsidy];
