import type { DispatchableSpec } from "../../../device/dispatchable/dispatchableSpec.ts";
import type { ComponentKind } from "../componentKind.ts";
import { dispatchableAccounting } from "./dispatchableAccounting.ts";
import { DispatchableComponent } from "./dispatchableComponent.ts";
import { DispatchableMeter } from "./dispatchableMeter.ts";
import { dispatchableScenario, type PlantKeys, type PumpedStorageKeys } from "./dispatchableScenario.ts";
import { dispatchableStudy } from "./dispatchableStudy.ts";
import { dispatchableWire } from "./dispatchableWire.ts";

/** Thermal plants, biomass, hydro, pumped storage. @see docs/model/dispatchable.md */
export const DISPATCHABLE: ComponentKind<DispatchableSpec, DispatchableComponent, PlantKeys | PumpedStorageKeys> = {
  name: "dispatchable",
  scenario: dispatchableScenario,
  wire: dispatchableWire,
  study: dispatchableStudy,
  report: { label: "dispatchable plant", flowRole: "plant" },
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
