import { type ComponentSpec, kindOf } from "../../site/components/registry.ts";
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
  const { wire } = kindOf(component);
  return {
    component_id: component.componentId,
    component_type: wire.componentType(component),
    fcr_capable: component.fcrCapable,
    ...wire.specification(component),
  };
}
