import { roundKw } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { AcceptedSchedule } from "../../../engine/simulation/orderIntake.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";
import type { AwardSpec, InstructionSpec } from "../../../engine/vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../../../engine/vpp/vpp.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { vppOf } from "../shared/requestSubject.ts";
import { readWireTime, wireTime } from "../shared/wireTime.ts";
import { type CheckedControl, checkControl } from "./checkControl.ts";
import { instructionAmounts, instructionMembers } from "./instructionView.ts";

/** POST control/active_power: an immediate instruction or a schedule. */
export function postControl(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const checked = checkControl(world, vpp, request.body);
  if (!checked.ok) return refusalAnswer(request, checked.refusal, world.nowMs);
  return checked.value.request.type === "immediate"
    ? postImmediate(world, vpp, request, checked.value)
    : postSchedule(world, vpp, request, checked.value);
}

function postImmediate(
  world: World,
  vpp: Vpp,
  call: ApiRequest,
  { request, amounts, baselinesKw }: CheckedControl,
): Answer {
  const minutes = request.duration_minutes ?? 0;
  const { sku, deltaKw, fcrResponseKw, compoundBreakdown } = roundedAmounts(amounts);
  const order: InstructionSpec = {
    sku,
    deltaKw,
    fcrResponseKw,
    compoundBreakdown,
    isFromApi: true,
    awardId: vpp.nextInstructionId("immediate"),
    vpp: vpp.index,
    atMs: world.nowMs,
    durationMs: minutes * MS_PER_MINUTE,
  };
  const result = world.orderIntake.beginImmediate(order, baselinesKw);
  if (!result.ok) return refusalAnswer(call, result.refusal, world.nowMs);
  const instruction = result.value;
  const body = {
    vpp_id: vpp.spec.vppId,
    message: immediateMessage(world, vpp, instruction),
    control_type: "immediate",
    ...instructionAmounts(instruction),
    duration_minutes: minutes,
    members: instructionMembers(world, instruction),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/** Texts as in docs/model/overlap.md#immediate and docs/model/apis.md#control-answer. */
function immediateMessage(world: World, vpp: Vpp, { table }: Instruction): string {
  if (table === null) return "A schedule is running and has priority; the instruction has no effect.";
  const outCount = vpp.members.filter(({ site }) => !world.sites[site].isInService).length;
  const accepted = "Power control accepted.";
  return outCount === 0 ? accepted : `${accepted} ${outCount} member(s) out of service. Auto-redistributed.`;
}

function postSchedule(
  world: World,
  vpp: Vpp,
  call: ApiRequest,
  { request, amounts, baselinesKw }: CheckedControl,
): Answer {
  const award: AwardSpec = {
    ...roundedAmounts(amounts),
    isFromApi: true,
    awardId: vpp.nextInstructionId("schedule"),
    vpp: vpp.index,
    startMs: readWireTime(request.start_time ?? ""),
    endMs: readWireTime(request.end_time ?? ""),
    registeredMs: world.nowMs,
    activation: 1,
    capacityPriceJpyPerKwHour: null,
    priceJpyPerKwh: null,
    penaltyJpyPerKwh: null,
  };
  const result = world.orderIntake.registerSchedule(award, baselinesKw);
  if (!result.ok) return refusalAnswer(call, result.refusal, world.nowMs);
  const { instruction } = result.value;
  const body = {
    vpp_id: vpp.spec.vppId,
    message: amounts.sku === "fcr" ? "FCR schedule registered successfully." : "Schedule registered successfully.",
    control_type: "schedule",
    ...instructionAmounts(instruction),
    schedule_id: instruction.scheduleId,
    start_time: wireTime(instruction.startMs),
    end_time: wireTime(instruction.endMs),
    affected_schedules: affectedRows(result.value),
    members: instructionMembers(world, instruction),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/** Amounts rounded to one decimal (docs/model/time.md#rounding-requests). */
function roundedAmounts({ sku, deltaKw, fcrResponseKw, compoundBreakdown }: CheckedControl["amounts"]) {
  return {
    sku,
    deltaKw: deltaKw === null ? null : roundKw(deltaKw),
    fcrResponseKw: fcrResponseKw === null ? null : roundKw(fcrResponseKw),
    compoundBreakdown:
      compoundBreakdown === null
        ? null
        : Object.fromEntries(Object.entries(compoundBreakdown).map(([key, kw]) => [key, roundKw(kw)])),
  };
}

export interface AffectedRow {
  readonly schedule_id: string;
  readonly action: "created" | "inherited" | "split" | "deleted";
  readonly start_time: string;
  readonly end_time: string;
}

/** Sorted by start, then age, then id (docs/model/apis.md#affected-schedules, docs/model/overlap.md#resolution). */
export function affectedRows({ instruction, affected }: AcceptedSchedule): AffectedRow[] {
  const { startMs, endMs, hasInheritedId } = instruction;
  const newRow = { instruction, action: hasInheritedId ? "inherited" : "created", startMs, endMs } as const;
  const rows = [...affected, newRow].map((row) => ({
    ...row,
    createdMs: row.instruction.registeredMs,
    id: row.instruction.scheduleId,
  }));
  rows.sort((a, b) => a.startMs - b.startMs || a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1));
  return rows.map((row) => ({
    schedule_id: row.id,
    action: row.action,
    start_time: wireTime(row.startMs),
    end_time: wireTime(row.endMs),
  }));
}

/** DELETE control/active_power/schedules; a schedule must start at least one minute from now. */
export function deleteSchedule(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const nowMs: EpochMs = world.nowMs;
  const result = world.orderIntake.removeSchedule(vpp, request.query.schedule_id);
  if (!result.ok) return refusalAnswer(request, result.refusal, nowMs);
  const body = {
    vpp_id: vpp.spec.vppId,
    message: "Schedule deleted successfully",
    schedule_id: result.value.scheduleId,
    timestamp: wireTime(nowMs),
  };
  return { status: 200, body };
}
