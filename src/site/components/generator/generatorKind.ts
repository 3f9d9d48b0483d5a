import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import type { ComponentKind } from "../componentKind.ts";
import { GeneratorComponent } from "./generatorComponent.ts";
import type { PvKeys, WindKeys } from "./generatorKeys.ts";
import { generatorScenario } from "./generatorScenario.ts";

/** PV and wind. @see docs/model/pv.md */
export const GENERATOR: ComponentKind<VariableGeneratorSpec, GeneratorComponent, PvKeys | WindKeys> = {
  name: "generator",
  scenario: generatorScenario,
  create: (spec, { constraints }) => new GeneratorComponent(spec, constraints),
  createPart: (spec, constraints) => new GeneratorComponent(spec, constraints),
};
