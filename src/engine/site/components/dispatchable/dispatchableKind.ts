import type { DispatchableSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import { generationFields, REGISTER, STORAGE_REGISTERS } from "../../meters/energyRegisters.ts";
import type { ComponentAccountingFacet, ComponentKind } from "../componentKind.ts";
import type { ComponentStudyFacet } from "../studyFacet.ts";
import { type ComponentWireFacet, exportPath, fcrRefusal, feedInRefusal } from "../wireFacet.ts";
import { DispatchableComponent } from "./dispatchableComponent.ts";
import { DispatchableMeter } from "./dispatchableMeter.ts";
import { dispatchableScenario, type PlantKeys, type PumpedStorageKeys } from "./dispatchableScenario.ts";

const dispatchableStudy: ComponentStudyFacet<DispatchableSpec> = {
  canParticipate: ({ subsidy }, { sku }) => !(subsidy === "fit" && sku !== null),
  highestKw: ({ reservoir }) => reservoir?.pumpMaxKw ?? 0,
  highestUncontrolledKw: () => 0,
  lowestKw: ({ ratedOutputKw }) => -ratedOutputKw,
  drivingSeries: () => null,
  ratedKw: ({ ratedOutputKw }) => ratedOutputKw,
  energyKwh: ({ reservoir, ratedOutputKw }, longestHours) =>
    reservoir === null ? ratedOutputKw * longestHours : reservoir.capacityKwh,
  idealStorage: () => null,
  plannableStorage: () => ["no_battery"],
};

const dispatchableWire: ComponentWireFacet<DispatchableSpec, DispatchableComponent> = {
  componentType: () => "generator",
  specification: ({ reservoir, ...spec }) => ({
    generator_kind: spec.generatorKind,
    rated_output_kw: spec.ratedOutputKw,
    ...(spec.fuelType === null ? {} : { fuel_type: spec.fuelType }),
    min_output_kw: spec.minOutputKw,
    ...(spec.rampKwPerMin === null ? {} : { ramp_rate_kw_per_min: spec.rampKwPerMin }),
    ...(reservoir === null
      ? {}
      : { upper_reservoir_capacity_kwh: reservoir.capacityKwh, pump_input_max_kw: reservoir.pumpMaxKw }),
  }),
  v1Ratings: () => null,
  v1OutputKw: ({ ratedOutputKw }) => ratedOutputKw,
  hasIrradiance: () => false,
  importAvailableKw: () => 0,
  exportAvailableKw: (plant, outputLimitShare, atMs) =>
    plant.exportAvailableKw(atMs, outputLimitShare, plant.trajectory.storedKwhAt(atMs)),
  energyAvailable: () => null,
  requestHeadroomKw: (plant, outputLimitShare, isUp, atMs) =>
    isUp ? Math.max(0, plant.maxSetpointKw()) : plant.exportAvailableKw(atMs, outputLimitShare),
  paths: ({ reservoir, subsidy }, paths) => ({
    ...(reservoir === null ? {} : { from_generator_kwh: paths.fromGeneratorKwh, from_grid_kwh: paths.fromGridKwh }),
    to_battery_kwh: paths.toBatteryKwh,
    to_grid_kwh: paths.toGridKwh,
    to_load_kwh: paths.toLoadKwh,
    ...exportPath(subsidy, paths.toGridKwh),
  }),
  amountRefusal: ({ subsidy, fcrCapable }, amounts) =>
    feedInRefusal(subsidy, amounts) ?? fcrRefusal(fcrCapable, amounts),
};

const dispatchableAccounting: ComponentAccountingFacet<DispatchableSpec> = {
  siteRegisters: [REGISTER.import, REGISTER.export, REGISTER.baseline],
  partRegisters: STORAGE_REGISTERS,
  owner: "customer",
  energyRole: ({ reservoir }) => (reservoir === null ? "generation" : "storage"),
  subsidy: ({ subsidy }) => subsidy,
  hasCurtailment: true,
  energyFields: ({ subsidy }, isBalancingResponsible) => generationFields(subsidy, isBalancingResponsible),
  partEnergyFields: ({ subsidy }) => generationFields(subsidy, false),
};

/** Thermal plants, biomass, hydro, pumped storage. @see docs/model/dispatchable.md */
export const DISPATCHABLE: ComponentKind<DispatchableSpec, DispatchableComponent, PlantKeys | PumpedStorageKeys> = {
  name: "dispatchable",
  scenario: dispatchableScenario,
  wire: dispatchableWire,
  study: dispatchableStudy,
  report: { flowRole: "plant" },
  accounting: dispatchableAccounting,
  operation: {
    responseDelayMs: () => 0,
    ratedImportKw: ({ reservoir }) => reservoir?.pumpMaxKw ?? 0,
    ratedExportKw: ({ ratedOutputKw }) => ratedOutputKw,
    respondsAsPart: true,
    loadTerms: () => null,
    auxiliaryKw: () => 0,
    uncontrolledKw: () => 0,
  },
  create: (spec, { limits, baseline }) => new DispatchableComponent(spec, limits, baseline.planKw),
  createPart: (spec, limits) => new DispatchableComponent(spec, limits, 0),
  createMeter: (component, site, startMs, registers) => new DispatchableMeter(site, component, startMs, registers),
};
