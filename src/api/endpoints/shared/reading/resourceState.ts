import type { Site } from "../../../../engine/site/site.ts";
import type { ResourceState } from "../../schemas/componentSchemas.ts";
import { figuresOf } from "./resourceFigures.ts";
import { fromTenths, isPvPlant, type SiteReading } from "./siteReading.ts";

/**
 * The block `resource_state`, with the fields of the site's resource type; empty for wind and dispatchable plants.
 * Batteries and sensors of a composite site appear in its component blocks.
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
