import type { EpochMs } from "../../../base/time.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { VppDetails, VppDetailsMember, VppMembers, VppStatus, VppStatusMember } from "../schemas/vppSchemas.ts";
import { summaryFields } from "../shared/reading/availability.ts";
import { readComponentDetails } from "../shared/reading/componentReading.ts";
import { resourceState } from "../shared/reading/resourceState.ts";
import { fromTenths, limitingOutputControl } from "../shared/reading/siteReading.ts";
import { vppOf } from "../shared/requestSubject.ts";
import { wireTime } from "../shared/wireTime.ts";
import { type MemberView, viewMembers } from "./memberView.ts";
import { viewVpp } from "./vppView.ts";

/** GET members: VPP API, Endpoints 1. */
export function answerMembers(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const { members, spec } = vppOf(context, request);
  const body: VppMembers = {
    vpp_id: spec.vppId,
    members: members.map(({ site, label, resourceType, allocationWeight, registeredMs }) => ({
      ems_id: world.sites[site].spec.emsId,
      label,
      resource_type: resourceType,
      allocation_weight: allocationWeight,
      registered_at: wireTime(registeredMs),
    })),
    total_count: members.length,
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/** GET status: VPP API, Endpoints 5. */
export function answerStatus(context: RequestContext, request: ApiRequest): Answer {
  const { world, history } = context;
  const vpp = vppOf(context, request);
  const { nowMs } = world;
  const now = wireTime(nowMs);
  const members = viewMembers(vpp, world.sites, history, nowMs);
  const sums = viewVpp(members);
  const body: VppStatus = {
    vpp_id: vpp.spec.vppId,
    status: sums.isInService ? 0 : 9,
    fcr_active: sums.isFcrActive ? 1 : 0,
    dr_active: sums.isDrActive ? 1 : 0,
    import_energy_available: sums.importEnergyTenths / 10,
    export_energy_available: sums.exportEnergyTenths / 10,
    import_power_available: sums.importTenths / 10,
    export_power_available: sums.exportTenths / 10,
    current_kw: sums.currentTenths / 10,
    baseline_kw: sums.baselineTenths / 10,
    delta_kw: sums.deltaTenths / 10,
    dispatched_delta_kw: fromTenths(sums.dispatchedTenths),
    has_warning: sums.hasWarning ? 1 : 0,
    members: members.map((view) => memberOf(view, nowMs, now)),
    timestamp: now,
  };
  return { status: 200, body };
}

/** @param now  text of `nowMs`, the time of nearly every measurement */
function memberOf(view: MemberView, nowMs: EpochMs, now: string): VppStatusMember {
  const { reading, site } = view;
  const isInService = reading.isInService;
  return {
    ems_id: site.spec.emsId,
    status: isInService ? 0 : 9,
    fcr_active: view.isFcrActive ? 1 : 0,
    current_kw: fromTenths(reading.currentTenths),
    baseline_kw: reading.baselineTenths / 10,
    delta_kw: fromTenths(reading.deltaTenths),
    dispatched_delta_kw: fromTenths(reading.dispatchedTenths),
    ...summaryFields(view.figures, view, reading),
    has_warning: view.hasWarning ? 1 : 0,
    measure_timestamp: view.measuredAtMs === nowMs ? now : wireTime(view.measuredAtMs),
  };
}

/** GET status/details: VPP API, Endpoints 6. Top level and members have the same blocks. */
export function answerDetails(context: RequestContext, request: ApiRequest): Answer {
  const { world, history } = context;
  const vpp = vppOf(context, request);
  const { nowMs } = world;
  const members = viewMembers(vpp, world.sites, history, nowMs);
  const sums = viewVpp(members);
  const withComponents = request.query.include_components === "true";
  const body: VppDetails = {
    vpp_id: vpp.spec.vppId,
    status: sums.isInService ? 0 : 9,
    active_sku: sums.activeSku,
    has_warning: sums.hasWarning ? 1 : 0,
    timestamp: wireTime(nowMs),
    active_power: {
      current_kw: sums.currentTenths / 10,
      baseline_kw: sums.baselineTenths / 10,
      delta_kw: sums.deltaTenths / 10,
      dispatched_delta_kw: fromTenths(sums.dispatchedTenths),
      fcr_active: sums.isFcrActive ? 1 : 0,
      fcr_response_kw: fromTenths(sums.fcrTenths),
    },
    capacity: {
      import_energy_available: sums.importEnergyTenths / 10,
      export_energy_available: sums.exportEnergyTenths / 10,
      import_power_available: sums.importTenths / 10,
      export_power_available: sums.exportTenths / 10,
    },
    resource_state: { dr_active: sums.isDrActive ? 1 : 0 },
    members: members.map((view) => ({
      ...memberDetails(view, history?.lastDispatchStatus(vpp.index, view.site.index) ?? null),
      ...(withComponents && view.site.spec.components.length > 1
        ? { components: readComponentDetails(view.site, nowMs) }
        : {}),
    })),
  };
  return { status: 200, body };
}

function memberDetails(view: MemberView, lastDispatch: VppDetailsMember["last_dispatch_status"]): VppDetailsMember {
  const { reading, site, member, figures } = view;
  return {
    ems_id: site.spec.emsId,
    label: member.label,
    allocation_weight: member.allocationWeight,
    status: reading.isInService ? 0 : 9,
    has_warning: view.hasWarning ? 1 : 0,
    active_sku: reading.activeSku,
    last_dispatch_status: lastDispatch,
    measure_timestamp: wireTime(view.measuredAtMs),
    active_power: {
      current_kw: fromTenths(reading.currentTenths),
      baseline_kw: reading.baselineTenths / 10,
      delta_kw: fromTenths(reading.deltaTenths),
      dispatched_delta_kw: fromTenths(reading.dispatchedTenths),
      fcr_active: view.isFcrActive ? 1 : 0,
      fcr_response_kw: fromTenths(reading.fcrTenths),
      output_control_limit: Number.isNaN(reading.outputLimitPct) ? null : reading.outputLimitPct,
      output_control_reason: figures.hasMemberControlReason ? (limitingOutputControl(site)?.reason ?? null) : null,
    },
    // For a kind without these figures: 0 kW and null kWh (docs/model/apis.md#status-fields).
    capacity: {
      import_energy_available: fromTenths(view.importEnergyTenths),
      export_energy_available: fromTenths(view.exportEnergyTenths),
      import_power_available: view.importTenths / 10,
      export_power_available: view.exportTenths / 10,
    },
    resource_state: resourceState(site, reading),
  };
}
