import type { BatteryUnit } from "./batteryUnit.ts";
import type { CompositeUnit } from "./compositeUnit.ts";
import type { ConsumerUnit } from "./consumerUnit.ts";
import type { DispatchableUnit } from "./dispatchableUnit.ts";
import type { GeneratorUnit } from "./generatorUnit.ts";

/** A component while the world runs. */
export type SingleUnit = BatteryUnit | GeneratorUnit | DispatchableUnit | ConsumerUnit;

/** All components of a site together. */
export type Unit = SingleUnit | CompositeUnit;
