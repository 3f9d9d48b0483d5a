import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import type { ComponentKind } from "../componentKind.ts";
import { GeneratorComponent } from "./generatorComponent.ts";
import type { PvKeys, WindKeys } from "./generatorKeys.ts";
import { generatorScenario } from "./generatorScenario.ts";
import { generatorStudy } from "./generatorStudy.ts";

/** PV and wind. @see docs/model/pv.md */
export const GENERATOR: ComponentKind<VariableGeneratorSpec, GeneratorComponent, PvKeys | WindKeys> = {
  name: "generator",
  scenario: generatorScenario,
  study: generatorStudy,
  report: { label: "sun or wind", flowRole: "plant" },
  create: (spec, { constraints }) => new GeneratorComponent(spec, constraints),
  createPart: (spec, constraints) => new GeneratorComponent(spec, constraints),
};
