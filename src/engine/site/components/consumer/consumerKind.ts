import { MS_PER_MINUTE } from "../../../../base/time.ts";
import type { ConsumerSpec } from "../../../device/consumer/consumerSpec.ts";
import { clipSeries } from "../../../series/model/clipSeries.ts";
import { largestBetweenStamps, smallestBetweenStamps } from "../../../series/model/extremesBetweenStamps.ts";
import { toSlotSeries } from "../../baseline/siteBaseline.ts";
import { COMPONENT_REGISTER, REGISTER } from "../../meters/energyRegisters.ts";
import type { ComponentAccountingFacet, ComponentKind } from "../componentKind.ts";
import type { ComponentStudyFacet } from "../studyFacet.ts";
import { type ComponentWireFacet, fcrRefusal } from "../wireFacet.ts";
import { ConsumerComponent } from "./consumerComponent.ts";
import { ConsumerMeter } from "./consumerMeter.ts";
import { type ConsumerKeys, consumerScenario } from "./consumerScenario.ts";

const consumerStudy: ComponentStudyFacet<ConsumerSpec> = {
  canParticipate: (_spec, { sku, isUp, isDrCapable }) =>
    !isUp && isDrCapable && sku !== "exchange-da" && sku !== "exchange-ttv",
  highestKw: ({ maxDemandKw }) => maxDemandKw,
  highestUncontrolledKw: ({ loadKw, maxDemandKw, reboundFraction }, fromMs, toMs) =>
    0 < reboundFraction ? maxDemandKw : Math.min(maxDemandKw, largestBetweenStamps(loadKw, fromMs, toMs)),
  lowestKw: ({ loadKw, maxDemandKw, maxDrReductionKw, deliveryRatio = 1 }, fromMs, toMs) =>
    Math.max(0, Math.min(maxDemandKw, smallestBetweenStamps(loadKw, fromMs, toMs)) - deliveryRatio * maxDrReductionKw),
  drivingSeries: ({ loadKw }) => loadKw,
  ratedKw: ({ maxDrReductionKw }) => maxDrReductionKw,
  energyKwh: ({ maxDrReductionKw }, longestHours) => maxDrReductionKw * longestHours,
  idealStorage: () => null,
  plannableStorage: () => ["no_battery"],
};

const consumerWire: ComponentWireFacet<ConsumerSpec, ConsumerComponent> = {
  componentType: () => "consumer",
  specification: (spec) => ({
    consumer_kind: spec.consumerKind,
    contract_kw: spec.contractKw,
    max_demand_kw: spec.maxDemandKw,
    dr_capable: spec.drCapable,
    min_dr_reduction_kw: spec.minDrReductionKw,
    max_dr_reduction_kw: spec.maxDrReductionKw,
    // The shortest instruction lasts a minute, so that 0 and 1 are the same rule.
    min_dr_duration_minutes: Math.max(1, spec.minDrDurationMs / MS_PER_MINUTE),
    min_dr_cooldown_minutes: spec.minDrCooldownMs / MS_PER_MINUTE,
  }),
  v1Ratings: () => null,
  v1OutputKw: () => 0,
  hasIrradiance: () => false,
  importAvailableKw: ({ spec }, siteImportMaxKw) => Math.min(spec.contractKw, siteImportMaxKw),
  exportAvailableKw: () => 0,
  energyAvailable: () => null,
  requestHeadroomKw: ({ spec }, _outputLimitShare, isUp) => (isUp || !spec.drCapable ? 0 : spec.maxDrReductionKw),
  paths: (_spec, { fromGridKwh }) => ({ from_grid_kwh: fromGridKwh }),
  amountRefusal({ drCapable }, amounts) {
    const { deltaKw = 0 } = amounts;
    const refusal = fcrRefusal(false, amounts);
    if (refusal !== null || deltaKw === 0 || (deltaKw < 0 && drCapable)) return refusal;
    return {
      parameter: "delta_kw",
      details: drCapable ? "A load can only go down" : "This load cannot be reduced",
    };
  },
};

const consumerAccounting: ComponentAccountingFacet<ConsumerSpec> = {
  siteRegisters: [REGISTER.import, REGISTER.export, REGISTER.baseline, REGISTER.drDelivered],
  partRegisters: [COMPONENT_REGISTER.fromGrid],
  owner: "customer",
  energyRole: () => "load",
  subsidy: () => "none",
  hasCurtailment: false,
  energyFields: () => ["self_consumed_kwh", "grid_to_load_kwh", "consumption_kwh", "dr_delivered_kwh"],
  partEnergyFields: () => ["dr_delivered_kwh"],
};

/** A load that can be reduced. @see docs/model/consumer.md */
export const CONSUMER: ComponentKind<ConsumerSpec, ConsumerComponent, ConsumerKeys> = {
  name: "consumer",
  scenario: consumerScenario,
  wire: consumerWire,
  study: consumerStudy,
  report: { flowRole: "load" },
  accounting: consumerAccounting,
  operation: {
    responseDelayMs: ({ responseDelayMs }) => responseDelayMs,
    ratedImportKw: ({ contractKw }) => contractKw,
    ratedExportKw: () => 0,
    respondsAsPart: false,
    loadTerms: (spec) => spec,
    auxiliaryKw: () => 0,
    uncontrolledKw: ({ loadKw, maxDemandKw }) => clipSeries(loadKw, maxDemandKw),
  },
  create: (spec, { limits, baseline, period }) => new ConsumerComponent(spec, toSlotSeries(baseline, period), limits),
  // The baseline of a composite site is not that of its load, so a load among several components uses amount control.
  createPart: (spec, limits) => new ConsumerComponent({ ...spec, control: "drop_by" }, null, limits),
  createMeter: (component, site, startMs, registers) => new ConsumerMeter(site, component, startMs, registers),
};
