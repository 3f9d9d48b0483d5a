import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import type { ComponentDetails, ResourceState } from "../wire/components.ts";
import { fromTenths, isPv, type SiteReading } from "./siteReading.ts";

/** The block `resource_state`: only what the site's kind has; a plant without sensors has nothing. */
export function resourceState(site: Site, reading: SiteReading): ResourceState {
  const { unit } = site;
  if (unit.kind === "battery") return { soc: reading.socTenths / 10 };
  if (unit.kind === "consumer")
    return {
      dr_active: reading.reducing ? 1 : 0,
      dr_target_reduction_kw: fromTenths(reading.drTargetTenths),
      dr_actual_reduction_kw: fromTenths(reading.drActualTenths),
    };
  return isPv(site) ? { irradiance_w_m2: fromTenths(reading.irradianceTenths) } : {};
}

/** The components of a site of several, with their parts of its blocks. */
export function detailsOfComponents(_site: Site, _atMs: EpochMs): ComponentDetails[] {
  return [];
}
