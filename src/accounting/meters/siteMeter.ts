import type { ResourceMeter } from "../../site/meters/resourceMeter.ts";
import type { Site } from "../../site/site.ts";

/** The meter of a site, of one component or several. */
export type SiteMeter = ResourceMeter<Site>;
