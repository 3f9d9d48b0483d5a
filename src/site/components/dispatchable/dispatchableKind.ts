import type { DispatchableSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import type { ComponentKind } from "../componentKind.ts";
import { DispatchableComponent } from "./dispatchableComponent.ts";

/** Thermal plants, biomass, hydro, pumped storage. @see docs/model/dispatchable.md */
export const DISPATCHABLE: ComponentKind<DispatchableSpec, DispatchableComponent> = {
  name: "dispatchable",
  create: (spec, { constraints, baseline }) => new DispatchableComponent(spec, constraints, baseline.planKw),
  createPart: (spec, constraints) => new DispatchableComponent(spec, constraints, 0),
};
