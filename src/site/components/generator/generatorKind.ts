import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import type { ComponentKind } from "../componentKind.ts";
import { GeneratorComponent } from "./generatorComponent.ts";

/** PV and wind. @see docs/model/pv.md */
export const GENERATOR: ComponentKind<VariableGeneratorSpec, GeneratorComponent> = {
  name: "generator",
  create: (spec, { constraints }) => new GeneratorComponent(spec, constraints),
  createPart: (spec, constraints) => new GeneratorComponent(spec, constraints),
};
