import type { VariableGeneratorSpec } from "../../../device/generator/generatorSpec.ts";
import { capSeries } from "../../../series/model/capSeries.ts";
import { clipSeries } from "../../../series/model/clipSeries.ts";
import { largestBetweenStamps } from "../../../series/model/extremesBetweenStamps.ts";
import { scaleSeries } from "../../../series/model/scaleSeries.ts";
import type { Series } from "../../../series/model/series.ts";
import { COMPONENT_REGISTER, generationFields, REGISTER } from "../../meters/energyRegisters.ts";
import type { ComponentAccountingFacet, ComponentKind } from "../componentKind.ts";
import type { ComponentStudyFacet } from "../studyFacet.ts";
import { type ComponentWireFacet, exportPath, fcrRefusal, feedInRefusal } from "../wireFacet.ts";
import { GeneratorComponent } from "./generatorComponent.ts";
import type { PvKeys, WindKeys } from "./generatorKeys.ts";
import { GeneratorMeter } from "./generatorMeter.ts";
import { generatorScenario } from "./generatorScenario.ts";

const generatorStudy: ComponentStudyFacet<VariableGeneratorSpec> = {
  canParticipate: ({ subsidy }, { sku, isUp }) => !(subsidy === "fit" && sku !== null) && !isUp,
  highestKw: () => 0,
  highestUncontrolledKw: () => 0,
  lowestKw: ({ ratedOutputKw, generationKw }, fromMs, toMs) =>
    -Math.min(ratedOutputKw, largestBetweenStamps(generationKw, fromMs, toMs)),
  drivingSeries: ({ generationKw }) => generationKw,
  ratedKw: ({ ratedOutputKw }) => ratedOutputKw,
  energyKwh: ({ ratedOutputKw }, longestHours) => ratedOutputKw * longestHours,
  idealStorage: () => null,
  plannableStorage: () => ["no_battery"],
};

const generatorWire: ComponentWireFacet<VariableGeneratorSpec, GeneratorComponent> = {
  componentType: () => "generator",
  specification: (spec) => ({
    generator_kind: spec.generatorKind,
    rated_output_kw: spec.ratedOutputKw,
    ...(spec.generatorKind === "pv" && spec.pvCapacityKw !== null ? { pv_capacity_kw: spec.pvCapacityKw } : {}),
  }),
  v1Ratings: () => null,
  v1OutputKw: ({ ratedOutputKw }) => ratedOutputKw,
  hasIrradiance: ({ generatorKind }) => generatorKind === "pv",
  importAvailableKw: () => 0,
  exportAvailableKw: (generator, outputLimitShare, atMs) => generator.exportAvailableKw(atMs, outputLimitShare),
  energyAvailable: () => null,
  requestHeadroomKw: () => 0,
  paths: ({ subsidy }, paths) => ({
    to_battery_kwh: paths.toBatteryKwh,
    to_grid_kwh: paths.toGridKwh,
    to_load_kwh: paths.toLoadKwh,
    ...exportPath(subsidy, paths.toGridKwh),
    curtailed_kwh: paths.curtailedKwh,
  }),
  amountRefusal(spec, amounts) {
    const { deltaKw = 0 } = amounts;
    return (
      feedInRefusal(spec.subsidy, amounts) ??
      fcrRefusal(false, amounts) ??
      (deltaKw > 0
        ? {
            parameter: "delta_kw",
            details: "A plant that follows sun or wind can only be dispatched to export more than its baseline",
          }
        : null)
    );
  },
};

const generatorAccounting: ComponentAccountingFacet<VariableGeneratorSpec> = {
  siteRegisters: [
    REGISTER.import,
    REGISTER.export,
    REGISTER.baseline,
    REGISTER.fitCurtailed,
    REGISTER.nonFirmCurtailed,
    REGISTER.manualCurtailed,
    REGISTER.otherCurtailed,
  ],
  partRegisters: [
    COMPONENT_REGISTER.toLoad,
    COMPONENT_REGISTER.toBattery,
    COMPONENT_REGISTER.toGrid,
    COMPONENT_REGISTER.fitCurtailed,
    COMPONENT_REGISTER.nonFirmCurtailed,
    COMPONENT_REGISTER.manualCurtailed,
    COMPONENT_REGISTER.otherCurtailed,
  ],
  owner: "customer",
  energyRole: () => "generation",
  subsidy: ({ subsidy }) => subsidy,
  hasCurtailment: true,
  energyFields: ({ subsidy }, isBalancingResponsible) => generationFields(subsidy, isBalancingResponsible),
  partEnergyFields: ({ subsidy }) => generationFields(subsidy, false),
};

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
  report: { flowRole: "plant" },
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
