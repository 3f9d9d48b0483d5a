import { MS_PER_MINUTE } from "../../../base/time.ts";
import type { ConsumerSpec } from "../../../device/consumer/consumerSpec.ts";
import { type ComponentWireFacet, fcrRefusal } from "../wireFacet.ts";
import type { ConsumerComponent } from "./consumerComponent.ts";

export const consumerWire: ComponentWireFacet<ConsumerSpec, ConsumerComponent> = {
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
