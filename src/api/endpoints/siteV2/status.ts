import type { EpochMs } from "../../../base/time.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { SiteDetails, SiteStatus } from "../schemas/siteV2Schemas.ts";
import { availabilityFields, siteAvailability, summaryFields } from "../shared/reading/availability.ts";
import { readComponentDetails } from "../shared/reading/componentReading.ts";
import { figuresOf } from "../shared/reading/resourceFigures.ts";
import { resourceState } from "../shared/reading/resourceState.ts";
import {
  fromTenths,
  hasWarning,
  isFcrActive,
  limitingOutputControl,
  newSiteReading,
  readSite,
  type SiteReading,
} from "../shared/reading/siteReading.ts";
import { siteOf } from "../shared/requestSubject.ts";
import { wireTime } from "../shared/wireTime.ts";

/** Instant of a site's last measurement: now, or the start of its present outage. */
export const measuredAtMs = (site: Site, nowMs: EpochMs): EpochMs => (site.isInService ? nowMs : site.outageStartMs);

/** GET status: site API 2.2, Status, summary. */
export function answerStatus(context: RequestContext, request: ApiRequest): Answer {
  const { nowMs } = context.world;
  const site = siteOf(context, request);
  const reading = readSite(site, nowMs, newSiteReading());
  const body: SiteStatus = {
    ems_id: site.spec.emsId,
    status: reading.isInService ? 0 : 9,
    fcr_active: isFcrActive(site) ? 1 : 0,
    ...summaryFields(figuresOf(site), siteAvailability(site, nowMs), reading),
    ...powerFields(reading),
    has_warning: hasWarning(site, nowMs) ? 1 : 0,
    measure_timestamp: wireTime(measuredAtMs(site, nowMs)),
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
  const figures = figuresOf(site);
  const reading = readSite(site, nowMs, newSiteReading());
  const isTold = site.activeOrders.length > 0 || (context.history?.hadOrder(site.index) ?? false);
  const body: SiteDetails = {
    ems_id: site.spec.emsId,
    status: reading.isInService ? 0 : 9,
    has_warning: hasWarning(site, nowMs) ? 1 : 0,
    active_sku: reading.activeSku,
    last_dispatch_status: isTold ? "dispatched" : null,
    measure_timestamp: wireTime(measuredAtMs(site, nowMs)),
    timestamp: wireTime(nowMs),
    active_power: {
      ...powerFields(reading),
      fcr_active: isFcrActive(site) ? 1 : 0,
      fcr_response_kw: fromTenths(reading.fcrTenths),
      output_control_limit: fromWhole(reading.outputLimitPct),
      output_control_reason: figures.hasOutputControl ? (limitingOutputControl(site)?.reason ?? null) : null,
    },
    capacity: availabilityFields(figures, siteAvailability(site, nowMs)),
    resource_state: {
      ...resourceState(site, reading),
      ...(site.spec.components.length > 1 ? { components: readComponentDetails(site, nowMs) } : {}),
    },
  };
  return { status: 200, body };
}

const fromWhole = (value: number): number | null => (Number.isNaN(value) ? null : value);
