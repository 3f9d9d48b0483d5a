import type { EpochMs } from "../../../base/time.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { VppMembers, VppStatus, VppStatusMember } from "../schemas/vppReads.ts";
import { summaryFields } from "../shared/reading/availabilityFields.ts";
import { fromTenths } from "../shared/reading/siteReading.ts";
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
