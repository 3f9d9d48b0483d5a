import type { RefusalKind } from "../../base/result.ts";
import type { Series } from "../../series/model/series.ts";
import type { BatteryComponent } from "../components/battery/batteryComponent.ts";
import type { ConsumerComponent } from "../components/consumer/consumerComponent.ts";
import type { DispatchableComponent } from "../components/dispatchable/dispatchableComponent.ts";
import type { GeneratorComponent } from "../components/generator/generatorComponent.ts";
import type { Component } from "../components/registry.ts";
import type { SiteSpec } from "../siteSpec.ts";
import type { ComponentController } from "./componentController.ts";

/** Whether a consumer takes a reduction now: why not, or `null`. */
export type ReductionCheck = (unit: ConsumerComponent, reductionKw: number) => RefusalKind | null;

export type BatteryController = ComponentController<BatteryComponent>;
export type PlantController = ComponentController<DispatchableComponent>;

/** Several components behind one connection point, as those see them who divide amounts over them and steer them. */
export interface ComponentGroup {
  readonly spec: SiteSpec;
  /** In the order of the components. */
  readonly components: readonly Component[];
  readonly batteries: readonly BatteryController[];
  readonly plants: readonly PlantController[];
  readonly consumers: readonly ComponentController<ConsumerComponent>[];
  /** Those of them that have their part in what the site as a whole is told. */
  readonly siteControlledBatteries: readonly BatteryController[];
  readonly siteControlledPlants: readonly PlantController[];
  readonly siteControlledConsumers: readonly ComponentController<ConsumerComponent>[];
  readonly generators: readonly GeneratorComponent[];
  /** Those that hold the site's width of frequency response: batteries and plants that may be sold. */
  readonly fcrProviders: readonly (BatteryController | PlantController)[];
  readonly importMaxKw: number;
  /** 0 where nothing may be sent. */
  readonly exportMaxKw: number;
  /** The most and the least that loads, auxiliaries, PV and wind can come to. */
  readonly maxUncontrolledKw: number;
  readonly minUncontrolledKw: number;
  /** Share of the rated output that may be sent, 0..1. */
  readonly outputLimit: number;
  /** Own plan of the site, which a tracking battery holds when nobody instructs. */
  readonly plan: Series | number;
  readonly isTracking: boolean;
  /** Noted by who steers: a battery or plant is held back by the connection point, 1 above, -1 below its target, 0 not. */
  connectionLimitSign: number;
}
