import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import { clipSeries } from "../../../series/model/clipSeries.ts";
import { scaleSeries } from "../../../series/model/scaleSeries.ts";
import type { ComponentKind } from "../componentKind.ts";
import { generatorAccounting } from "./generatorAccounting.ts";
import { GeneratorComponent } from "./generatorComponent.ts";
import type { PvKeys, WindKeys } from "./generatorKeys.ts";
import { GeneratorMeter } from "./generatorMeter.ts";
import { generatorScenario } from "./generatorScenario.ts";
import { generatorStudy } from "./generatorStudy.ts";
import { generatorWire } from "./generatorWire.ts";

/** PV and wind. @see docs/model/pv.md */
export const GENERATOR: ComponentKind<VariableGeneratorSpec, GeneratorComponent, PvKeys | WindKeys> = {
  name: "generator",
  scenario: generatorScenario,
  wire: generatorWire,
  study: generatorStudy,
  report: { label: "PV or wind", flowRole: "plant" },
  accounting: generatorAccounting,
  operation: {
    responseDelayMs: () => 0,
    ratedImportKw: () => 0,
    ratedExportKw: ({ ratedOutputKw }) => ratedOutputKw,
    respondsAsPart: false,
    loadTerms: () => null,
    auxiliaryKw: () => 0,
    uncontrolledKw: ({ generationKw, ratedOutputKw }, siteExportMaxKw) =>
      scaleSeries(clipSeries(generationKw, Math.min(ratedOutputKw, siteExportMaxKw)), -1),
  },
  create: (spec, { constraints }) => new GeneratorComponent(spec, constraints),
  createPart: (spec, constraints) => new GeneratorComponent(spec, constraints),
  createMeter: (component, site, startMs, registers) => new GeneratorMeter(site, component, startMs, registers),
};
