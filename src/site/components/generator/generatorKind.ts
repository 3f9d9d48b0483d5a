import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import { capSeries } from "../../../series/model/capSeries.ts";
import { clipSeries } from "../../../series/model/clipSeries.ts";
import { scaleSeries } from "../../../series/model/scaleSeries.ts";
import type { Series } from "../../../series/model/series.ts";
import type { ComponentKind } from "../componentKind.ts";
import { generatorAccounting } from "./generatorAccounting.ts";
import { GeneratorComponent } from "./generatorComponent.ts";
import type { PvKeys, WindKeys } from "./generatorKeys.ts";
import { GeneratorMeter } from "./generatorMeter.ts";
import { generatorScenario } from "./generatorScenario.ts";
import { generatorStudy } from "./generatorStudy.ts";
import { generatorWire } from "./generatorWire.ts";

/** One limit that is a number gives the trajectory that the component has, to the last bit. */
const availableGeneration = (generationKw: Series, ratedKw: number, limit: Series | number): Series =>
  typeof limit === "number"
    ? clipSeries(generationKw, Math.min(ratedKw, limit))
    : capSeries(clipSeries(generationKw, ratedKw), limit);

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
      scaleSeries(availableGeneration(generationKw, ratedOutputKw, siteExportMaxKw), -1),
  },
  create: (spec, { limits }) => new GeneratorComponent(spec, limits),
  createPart: (spec, limits) => new GeneratorComponent(spec, limits),
  createMeter: (component, site, startMs, registers) => new GeneratorMeter(site, component, startMs, registers),
};
