import { dispatchCauseOf, referenceSplit, splitAllocationGap } from "../../../accounting/settlement/allocationGap.ts";
import { CAUSES, type Cause } from "../../../accounting/settlement/causes.ts";
import { causeOfCapabilityLimit } from "../../../accounting/settlement/shortfallCause.ts";
import { answerRequest } from "../../../api/endpoints/answerRequest.ts";
import type { Answer, ApiRequest } from "../../../api/endpoints/route.ts";
import { wireTime } from "../../../api/endpoints/shared/wireTime.ts";
import type { AffectedRow } from "../../../api/endpoints/vppV1/control.ts";
import { roundKw } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { World } from "../../../engine/simulation/world.ts";
import {
  DISPATCH_OUTCOME,
  type DispatchTable,
  type Instruction,
  type Membership,
  SERVICE,
} from "../../../engine/vpp/instructions/instruction.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import { runForeseen } from "./foreseenWorld.ts";
import { restEndMs } from "./memberRoom.ts";
import type { SetpointRefusalKind } from "./setpointRefusal.ts";

/** A schedule or an immediate instruction that is only tried. */
export interface Trial {
  /** As in the API; `null`: none. */
  readonly sku: string | null;
  /** Delta, or for `fcr` the capacity. */
  readonly powerKw: number;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** One member's share. */
export interface TrialShare {
  readonly site: string;
  readonly kw: number;
  /** `null`: not evaluated. */
  readonly headroomKw: number | null;
  readonly cause: Cause | null;
  /** `null`: it would follow its set-point, or get none. */
  readonly refusal: SetpointRefusalKind | null;
  /** When a load that refuses because it rests may be reduced again; `null`: another refusal, or none. */
  readonly availableFromMs: EpochMs | null;
}

/** What the VPP API answers to a trial, and what the trial changes in a copy of the world. */
export interface TrialResult {
  readonly answer: Answer;
  /** At its start. */
  readonly shares: readonly TrialShare[];
  /** At least 0. */
  readonly uncoveredKw: number;
  /** Schedules of the world in the period of the trial. */
  readonly overlapping: readonly Instruction[];
  /** The changes of other schedules, as the API lists them. */
  readonly affected: readonly AffectedRow[];
  /** Whether an immediate instruction would have no effect. */
  readonly isVoid: boolean;
  /** Whether the members were looked at as they are at the start. */
  readonly isStarted: boolean;
}

/**
 * Sends a control request to a copy of a world: the same checks, overlap rules and allocation as for a request that counts. The copy runs
 * to the start of the instruction.
 *
 * @param copy  without what nobody has noticed
 */
export function tryControl(world: World, copy: World, vpp: Vpp, trial: Trial): TrialResult {
  const request = requestOf(world, vpp, trial);
  const overlapping = [
    ...vpp.overlapping(trial.startMs, trial.endMs),
    ...(vpp.runningImmediate === null ? [] : [vpp.runningImmediate]),
  ].filter(({ startMs, endMs }) => startMs < trial.endMs && trial.startMs < endMs);
  const answer = copy.runCommand(() => answerRequest({ world: copy }, request));
  const none = { answer, overlapping, shares: [], affected: [], uncoveredKw: 0, isVoid: false, isStarted: false };
  if (answer.status >= 400) return none;
  const body = answer.body as { readonly schedule_id?: string; readonly affected_schedules?: readonly AffectedRow[] };
  const vppCopy = copy.vpps[vpp.index];
  const instruction =
    body.schedule_id === undefined ? vppCopy.runningImmediate : vppCopy.findSchedule(body.schedule_id);
  const affected = (body.affected_schedules ?? []).filter(
    ({ schedule_id, action }) => action === "inherited" || schedule_id !== body.schedule_id,
  );
  // An immediate instruction that gives way to a schedule is not dispatched.
  if (instruction === null || instruction === undefined || instruction.registeredMs !== copy.nowMs)
    return { ...none, affected, uncoveredKw: Math.abs(trial.powerKw), isVoid: true };
  if (copy.nowMs < instruction.startMs && instruction.startMs < copy.spec.endMs) runForeseen(copy, instruction.startMs);
  const dispatch = dispatchOf(instruction);
  if (dispatch === null) return { ...none, affected, uncoveredKw: Math.abs(trial.powerKw), isVoid: true };
  return { ...none, affected, ...sharesOf(copy, instruction, dispatch), isStarted: instruction.table !== null };
}

/** The request of the VPP API, with the members' own baselines at the start. */
function requestOf(
  { sites, nowMs }: World,
  { spec, members }: Vpp,
  { sku, powerKw, startMs, endMs }: Trial,
): ApiRequest {
  const isImmediate = startMs <= nowMs;
  const times = isImmediate
    ? { type: "immediate", duration_minutes: Math.ceil((endMs - nowMs) / MS_PER_MINUTE) }
    : { type: "schedule", start_time: wireTime(startMs), end_time: wireTime(endMs) };
  const body = {
    ...times,
    ...(sku === null ? {} : { sku }),
    ...(sku === "fcr" ? { fcr_response_kw: powerKw } : { delta_kw: powerKw }),
    member_baselines: members.map(({ site }) => ({
      ems_id: sites[site].spec.emsId,
      baseline_kw: roundKw(sites[site].baselineSlotKwAt(Math.max(startMs, nowMs))),
    })),
  };
  return { api: "vpp-v1", id: spec.vppId, method: "POST", path: "/control/active_power", query: {}, body };
}

interface Dispatch {
  readonly membership: Membership;
  readonly table: DispatchTable;
  readonly uncoveredTenths: number;
  readonly fcrUncoveredTenths: number;
}

/** The dispatch of a running instruction, or the plan of one that waits. */
function dispatchOf({ table, membership, plan, uncoveredTenths, fcrUncoveredTenths }: Instruction): Dispatch | null {
  return table === null ? plan : { table, membership, uncoveredTenths, fcrUncoveredTenths };
}

/** Shares are whole tenths of a kW, so a smaller gap is a rounding difference and not a limit of the member. */
const GAP_KW_MIN = 0.05;

function sharesOf(
  { sites }: World,
  instruction: Instruction,
  { membership, table, uncoveredTenths, fcrUncoveredTenths }: Dispatch,
): Pick<TrialResult, "shares" | "uncoveredKw"> {
  const { hasDelta, deltaTenths, fcrCapacityTenths } = instruction;
  const { fcrCapacities } = table;
  const [allocated, capability, limits, requestedTenths, missingTenths] =
    hasDelta || fcrCapacities === null
      ? [table.deltaTenths, table.capabilityTenths, table.capabilityLimit, deltaTenths, uncoveredTenths]
      : [
          fcrCapacities.capacityTenths,
          fcrCapacities.capabilityTenths,
          fcrCapacities.capabilityLimit,
          fcrCapacityTenths ?? 0,
          fcrUncoveredTenths,
        ];
  // The split reads the members of the instruction, which belongs to the copy and may be changed.
  instruction.membership = membership;
  const gapKw = new Float64Array(membership.siteIndices.length);
  const split = referenceSplit(instruction, sites, hasDelta ? SERVICE.delta : SERVICE.fcr);
  const amounts = { requestedKw: Math.abs(requestedTenths) / 10, uncoveredKw: Math.abs(missingTenths) / 10 };
  splitAllocationGap(split, amounts, allocated, gapKw);
  const shares = Array.from(membership.siteIndices, (index, i): TrialShare => {
    const { name } = sites[index].spec;
    const refusal = refusalOf(table, i);
    const status = table.status[i];
    const dispatchCause = dispatchCauseOf(status, table.setpointOutcome[i]);
    const isEvaluated = status === DISPATCH_OUTCOME.dispatched || status === DISPATCH_OUTCOME.refused;
    const cause = dispatchCause >= 0 ? dispatchCause : causeOfCapabilityLimit(limits[i]);
    // Also where the others take over all that it cannot do.
    const isAtItsLimit = isEvaluated ? Math.abs(allocated[i]) >= capability[i] : dispatchCause >= 0;
    const isLimited = membership.weights[i] > 0 && (isAtItsLimit || gapKw[i] >= GAP_KW_MIN);
    return {
      site: name,
      kw: status === DISPATCH_OUTCOME.dispatched ? allocated[i] / 10 : 0,
      headroomKw: isEvaluated ? capability[i] / 10 : null,
      cause: status === DISPATCH_OUTCOME.incompatible ? "incompatible" : isLimited ? CAUSES[cause] : null,
      refusal,
      availableFromMs: refusal === "dr_cooldown_active" ? restEndMs(sites[index]) : null,
    };
  });
  return { shares, uncoveredKw: roundKw(amounts.uncoveredKw) };
}

function refusalOf({ setpointOutcome, refusals }: DispatchTable, i: number): SetpointRefusalKind | null {
  if (setpointOutcome[i] === DISPATCH_OUTCOME.failed) return "delivery_failed";
  return setpointOutcome[i] === DISPATCH_OUTCOME.refused ? refusals[i] : null;
}
