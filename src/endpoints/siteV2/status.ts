import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SiteDetails, SiteStatus } from "../schemas/siteV2Reads.ts";
import { availability } from "../shared/reading/availability.ts";
import { resourceState } from "../shared/reading/blocks.ts";
import { roomFields, summaryFields } from "../shared/reading/kindFields.ts";
import { partDetails } from "../shared/reading/partReading.ts";
import {
  bindingControl,
  fcrActive,
  fromTenths,
  hasWarning,
  kindOf,
  newReading,
  readSite,
  type SiteReading,
} from "../shared/reading/siteReading.ts";
import { siteOf } from "../shared/subject.ts";
import { wireTime } from "../shared/wireTime.ts";

/** When a site was measured last: now, or when its present outage began. */
export const measuredMs = (site: Site, nowMs: EpochMs): EpochMs => (site.inService ? nowMs : site.outSinceMs);

/** GET status: site API 2.2, Status, summary. */
export function answerStatus(context: RequestContext, request: ApiRequest): Answer {
  const { nowMs } = context.world;
  const site = siteOf(context, request);
  const reading = readSite(site, nowMs, newReading());
  const body: SiteStatus = {
    ems_id: site.spec.emsId,
    status: reading.inService ? 0 : 9,
    fcr_active: fcrActive(site) ? 1 : 0,
    ...summaryFields(kindOf(site), availability(site, nowMs), reading),
    ...powerFields(reading),
    has_warning: hasWarning(site, nowMs) ? 1 : 0,
    measure_timestamp: wireTime(measuredMs(site, nowMs)),
    timestamp: wireTime(nowMs),
  };
  return { status: 200, body };
}

const powerFields = (reading: SiteReading) => ({
  current_kw: fromTenths(reading.currentTenths),
  baseline_kw: reading.baselineTenths / 10,
  delta_kw: fromTenths(reading.deltaTenths),
  dispatched_delta_kw: fromTenths(reading.dispatchedTenths),
});

/** GET status/details: site API 2.2, Status, details. */
export function answerDetails(context: RequestContext, request: ApiRequest): Answer {
  const { nowMs } = context.world;
  const site = siteOf(context, request);
  const kind = kindOf(site);
  const reading = readSite(site, nowMs, newReading());
  const isTold = site.ruling.length > 0 || (context.history?.wasTold(site.index) ?? false);
  const body: SiteDetails = {
    ems_id: site.spec.emsId,
    status: reading.inService ? 0 : 9,
    has_warning: hasWarning(site, nowMs) ? 1 : 0,
    active_sku: reading.activeSku,
    last_dispatch_status: isTold ? "dispatched" : null,
    measure_timestamp: wireTime(measuredMs(site, nowMs)),
    timestamp: wireTime(nowMs),
    active_power: {
      ...powerFields(reading),
      fcr_active: fcrActive(site) ? 1 : 0,
      fcr_response_kw: fromTenths(reading.fcrTenths),
      output_control_limit: fromWhole(reading.outputLimitPct),
      output_control_reason: kind === "consumer" ? null : (bindingControl(site)?.reason ?? null),
    },
    capacity: roomFields(kind, availability(site, nowMs)),
    resource_state: {
      ...resourceState(site, reading),
      ...(kind === "multi_component" ? { components: partDetails(site, nowMs) } : {}),
    },
  };
  return { status: 200, body };
}

const fromWhole = (value: number): number | null => (Number.isNaN(value) ? null : value);
