import type { BatteryComponent } from "./batteryComponent.ts";
import type { ConsumerComponent } from "./consumerComponent.ts";
import type { DispatchableComponent } from "./dispatchableComponent.ts";
import type { GeneratorComponent } from "./generatorComponent.ts";

/** A component while the world runs. */
export type Component = BatteryComponent | GeneratorComponent | DispatchableComponent | ConsumerComponent;
