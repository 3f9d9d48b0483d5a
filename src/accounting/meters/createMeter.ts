import type { EpochMs } from "../../base/time.ts";
import { kindOf } from "../../site/components/registry.ts";
import type { Site } from "../../site/site.ts";
import { CompositeMeter } from "./compositeMeter.ts";
import type { SiteMeter } from "./siteMeter.ts";

/** @param from  initial registers, valid at the start of a trajectory; `null` at the start of a run */
export function createMeter(site: Site, startMs: EpochMs, from: Float64Array | null = null): SiteMeter {
  const { resource } = site;
  return resource.composite === null
    ? kindOf(resource).createMeter(resource, site, startMs, from)
    : new CompositeMeter(site, resource, startMs, from);
}
