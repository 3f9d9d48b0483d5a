import { type ComponentSpec, kindOf } from "../../../engine/site/components/registry.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SiteComponent, SiteConstraints, SiteSpecifications } from "../schemas/siteV2Schemas.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { wireTime } from "../shared/wireTime.ts";

/** GET specifications: site API 2.2. */
export function answerSpecifications(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const site = siteOf(context, request);
  const { spec } = site;
  const { capability } = spec;
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
    ...constraintFields(site),
    components: spec.components.map(componentOf),
    effective_from: wireTime(world.spec.startMs),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/**
 * The limits in force. A limit that the scenario does not state is omitted; without any limit, the whole block
 * (docs/model/apis.md#specifications).
 */
function constraintFields({ spec, limits }: Site): Pick<SiteSpecifications, "site_constraints"> {
  const { voltageClass, measurementPoint } = spec.constraints;
  const { siteImportMaxKw, siteExportMaxKw } = limits;
  const fields: SiteConstraints = {};
  if (voltageClass !== null) fields.voltage_class = voltageClass;
  if (measurementPoint !== null) fields.measurement_point = measurementPoint;
  if (Number.isFinite(siteImportMaxKw)) fields.site_import_max_kw = siteImportMaxKw;
  if (Number.isFinite(siteExportMaxKw)) fields.site_export_max_kw = siteExportMaxKw;
  return Object.keys(fields).length === 0 ? {} : { site_constraints: fields };
}

function componentOf(component: ComponentSpec): SiteComponent {
  const { wire } = kindOf(component);
  return {
    component_id: component.componentId,
    component_type: wire.componentType(component),
    fcr_capable: component.fcrCapable,
    ...wire.specification(component),
  };
}
