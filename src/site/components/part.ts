import type { BatteryUnit } from "./batteryUnit.ts";
import type { ConsumerUnit } from "./consumerUnit.ts";
import type { DispatchableUnit } from "./dispatchableUnit.ts";
import type { GeneratorUnit } from "./generatorUnit.ts";

/** A component while the world runs. */
export type Part = BatteryUnit | GeneratorUnit | DispatchableUnit | ConsumerUnit;
