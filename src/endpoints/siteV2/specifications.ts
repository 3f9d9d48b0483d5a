import { MS_PER_MINUTE } from "../../base/time.ts";
import type { ComponentSpec } from "../../site/components/registry.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SiteComponent, SiteSpecifications } from "../schemas/siteV2Reads.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { wireTime } from "../shared/wireTime.ts";

/** GET specifications: site API 2.2. */
export function answerSpecifications(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const { spec } = siteOf(context, request);
  const { capability, constraints } = spec;
  const body: SiteSpecifications = {
    ems_id: spec.emsId,
    site_capability: {
      fcr_capable: capability.fcrCapable,
      dr_capable: capability.drCapable,
      reverse_flow_allowed: capability.reverseFlowAllowed,
      marketable: [...capability.marketable],
      balancing_responsible: capability.balancingResponsible,
      non_firm_connection: capability.nonFirmConnection,
    },
    site_constraints: {
      voltage_class: constraints.voltageClass,
      measurement_point: constraints.measurementPoint,
      site_import_max_kw: limitOf(constraints.siteImportMaxKw),
      site_export_max_kw: limitOf(constraints.siteExportMaxKw),
    },
    components: spec.components.map(componentOf),
    effective_from: wireTime(world.spec.startMs),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/** A limit that the scenario does not state is null. */
const limitOf = (kw: number): number | null => (kw === Number.POSITIVE_INFINITY ? null : kw);

function componentOf(component: ComponentSpec): SiteComponent {
  const { componentId: component_id, fcrCapable: fcr_capable } = component;
  switch (component.kind) {
    case "battery":
      return {
        component_id,
        component_type: "battery",
        fcr_capable,
        rated_cap: component.ratedCapKwh,
        import_pwr_max: component.importMaxKw,
        export_pwr_max: component.exportMaxKw,
        soc_op_max: component.socOpMaxPct,
        soc_op_min: component.socOpMinPct,
      };
    case "generator":
      return {
        component_id,
        component_type: "generator",
        fcr_capable,
        generator_kind: component.generatorKind,
        rated_output_kw: component.ratedOutputKw,
        ...(component.generatorKind === "pv" ? { pv_capacity_kw: component.pvCapacityKw } : {}),
      };
    case "dispatchable":
      return {
        component_id,
        component_type: "generator",
        fcr_capable,
        generator_kind: component.generatorKind,
        rated_output_kw: component.ratedOutputKw,
        fuel_type: component.fuelType,
        min_output_kw: component.minOutputKw,
        ramp_rate_kw_per_min: component.rampKwPerMin,
        ...(component.reservoir === null
          ? {}
          : {
              upper_reservoir_capacity_kwh: component.reservoir.capacityKwh,
              pump_input_max_kw: component.reservoir.pumpMaxKw,
            }),
      };
    case "consumer":
      return {
        component_id,
        component_type: "consumer",
        fcr_capable,
        consumer_kind: component.consumerKind,
        contract_kw: component.contractKw,
        max_demand_kw: component.maxDemandKw,
        dr_capable: component.drCapable,
        min_dr_reduction_kw: component.minDrReductionKw,
        max_dr_reduction_kw: component.maxDrReductionKw,
        min_dr_duration_minutes: component.minDrDurationMs / MS_PER_MINUTE,
        min_dr_cooldown_minutes: component.minDrCooldownMs / MS_PER_MINUTE,
      };
  }
}
