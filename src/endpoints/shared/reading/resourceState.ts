import type { Site } from "../../../site/site.ts";
import type { ResourceState } from "../../schemas/componentSchemas.ts";
import { figuresOf } from "./resourceFigures.ts";
import { fromTenths, isPvPlant, type SiteReading } from "./siteReading.ts";

/**
 * The block `resource_state`: only what the site's kind has; a plant without sensors has nothing, and batteries and
 * sensors of a site of several components are told of there.
 */
export function resourceState(site: Site, reading: SiteReading): ResourceState {
  if (figuresOf(site).hasSoc) return { soc: reading.socTenths / 10 };
  if (reading.hasLoad)
    return {
      dr_active: reading.isReducing ? 1 : 0,
      dr_target_reduction_kw: fromTenths(reading.drTargetTenths),
      dr_actual_reduction_kw: fromTenths(reading.drActualTenths),
    };
  return isPvPlant(site) ? { irradiance_w_m2: fromTenths(reading.irradianceTenths) } : {};
}
