import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import { CompositeMeter } from "./compositeMeter.ts";
import { BatteryMeter, ConsumerMeter, DispatchableMeter, GeneratorMeter, type SiteMeter } from "./siteMeter.ts";

/** @param from  registers to go on from, where one of the site's laws begins; none at the start of a run */
export function createMeter(site: Site, startMs: EpochMs, from: Float64Array | null = null): SiteMeter {
  switch (site.resource.kind) {
    case "battery":
      return new BatteryMeter(site, site.resource, startMs, from);
    case "generator":
      return new GeneratorMeter(site, site.resource, startMs, from);
    case "dispatchable":
      return new DispatchableMeter(site, site.resource, startMs, from);
    case "consumer":
      return new ConsumerMeter(site, site.resource, startMs, from);
    case "multi_component":
      return new CompositeMeter(site, site.resource, startMs, from);
  }
}
