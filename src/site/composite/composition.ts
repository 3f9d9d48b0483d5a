import type { RefusalKind } from "../../base/result.ts";
import type { Series } from "../../series/model/series.ts";
import type { BatteryUnit } from "../components/batteryUnit.ts";
import type { ConsumerUnit } from "../components/consumerUnit.ts";
import type { DispatchableUnit } from "../components/dispatchableUnit.ts";
import type { GeneratorUnit } from "../components/generatorUnit.ts";
import type { Part } from "../components/part.ts";
import type { SiteSpec } from "../siteSpec.ts";
import type { Lane } from "./lane.ts";

/** Whether a consumer takes a reduction now: why not, or `null`. */
export type Admits = (unit: ConsumerUnit, reductionKw: number) => RefusalKind | null;

export type BatteryLane = Lane<BatteryUnit>;
export type PlantLane = Lane<DispatchableUnit>;

/** Several components behind one connection point, as those see them who divide amounts over them and steer them. */
export interface Composition {
  readonly spec: SiteSpec;
  /** In the order of the components. */
  readonly parts: readonly Part[];
  readonly batteries: readonly BatteryLane[];
  readonly plants: readonly PlantLane[];
  readonly consumers: readonly Lane<ConsumerUnit>[];
  /** Those of them that have their part in what the site as a whole is told. */
  readonly freeBatteries: readonly BatteryLane[];
  readonly freePlants: readonly PlantLane[];
  readonly freeConsumers: readonly Lane<ConsumerUnit>[];
  readonly generators: readonly GeneratorUnit[];
  /** Those that hold the site's width of frequency response: batteries and plants that may be sold. */
  readonly holders: readonly (BatteryLane | PlantLane)[];
  readonly importMaxKw: number;
  /** 0 where nothing may be sent. */
  readonly exportMaxKw: number;
  /** The most and the least that loads, auxiliaries, PV and wind can come to. */
  readonly mostOthersKw: number;
  readonly leastOthersKw: number;
  /** Share of the rated output that may be sent, 0..1. */
  readonly outputLimit: number;
  /** Own plan of the site, which a tracking battery holds when nobody instructs. */
  readonly plan: Series | number;
  readonly isTracking: boolean;
  /** Noted by who steers: a battery or plant is held back by the connection point, 1 above, -1 below its target, 0 not. */
  heldBack: number;
}
