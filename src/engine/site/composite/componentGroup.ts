import type { RefusalKind } from "../../../base/result.ts";
import type { Series } from "../../series/model/series.ts";
import type { LoadPart, PlantPart, StoragePart, VariablePart } from "../components/parts.ts";
import type { Component } from "../components/registry.ts";
import type { SiteSpec } from "../siteSpec.ts";
import type { ComponentController } from "./componentController.ts";

/** @returns the reason for which a consumer refuses a reduction now, or `null` */
export type ReductionCheck = (consumer: LoadPart, reductionKw: number) => RefusalKind | null;

export type BatteryController = ComponentController<StoragePart>;
export type PlantController = ComponentController<PlantPart>;
export type LoadController = ComponentController<LoadPart>;

/** The view of a composite that allocation and control of its components use. */
export interface ComponentGroup {
  readonly spec: SiteSpec;
  /** In the order of the components. */
  readonly components: readonly Component[];
  readonly batteries: readonly BatteryController[];
  readonly plants: readonly PlantController[];
  /** The plants without a natural demand: what others take less, they cannot export. */
  readonly generatingPlants: readonly PlantController[];
  readonly consumers: readonly LoadController[];
  /** The subsets that get a share of the site's set-point. */
  readonly siteControlledBatteries: readonly BatteryController[];
  readonly siteControlledPlants: readonly PlantController[];
  readonly siteControlledConsumers: readonly LoadController[];
  readonly generators: readonly VariablePart[];
  /** Components that provide the site's FCR capacity: batteries and marketable plants. */
  readonly fcrProviders: readonly (BatteryController | PlantController)[];
  readonly importMaxKw: number;
  /** 0 without reverse flow. */
  readonly exportMaxKw: number;
  /** Bounds of the summed power of loads, natural demands, auxiliaries, PV and wind, in kW. */
  readonly maxUncontrolledKw: number;
  readonly minUncontrolledKw: number;
  /** Share of the rated output that may be exported, 0..1. */
  readonly outputLimitShare: number;
  /** The site's own plan in kW, followed by tracking batteries without an instruction. */
  readonly plan: Series | number;
  readonly isTracking: boolean;
  /** Whether the first trajectories of the run are being planned. */
  readonly isStarting: boolean;
  /** Set by the control: 1 if the connection point keeps a battery or plant above its target, -1 below, 0 if neither. */
  connectionLimitSign: number;
}
