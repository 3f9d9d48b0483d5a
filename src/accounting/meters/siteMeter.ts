import type { ResourceMeter } from "../../engine/site/meters/resourceMeter.ts";
import type { Site } from "../../engine/site/site.ts";

/** The meter of a site, of one component or several. */
export type SiteMeter = ResourceMeter<Site>;
