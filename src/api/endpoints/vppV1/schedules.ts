import type { ScheduleRecord } from "../../../accounting/history/scheduleHistory.ts";
import type { World } from "../../../engine/simulation/world.ts";
import type { Answer, ApiRequest, RequestContext } from "../route.ts";
import type { VppSchedules } from "../schemas/vppSchemas.ts";
import { refusalAnswer } from "../shared/envelope.ts";
import { historyOf, vppOf } from "../shared/requestSubject.ts";
import { scheduleWindow } from "../shared/siteSchedules.ts";
import { wireTime } from "../shared/wireTime.ts";
import { instructionAmounts, instructionMembers } from "./instructionView.ts";

/** GET control/active_power/schedules: VPP API, Endpoints 8; selected by start, both ends of the window included. */
export function answerSchedules(context: RequestContext, request: ApiRequest): Answer {
  const { world } = context;
  const vpp = vppOf(context, request);
  const { start_time_from, start_time_to } = request.query;
  const window = scheduleWindow(
    { parameter: "start_time_from", text: start_time_from },
    { parameter: "start_time_to", text: start_time_to },
    world.nowMs,
  );
  if (!window.ok) return refusalAnswer(request, window.refusal, world.nowMs);
  const { fromMs, toMs } = window.value;
  const records = historyOf(context).schedules(vpp.index, window.value);
  const body: VppSchedules = {
    vpp_id: vpp.spec.vppId,
    schedules: records
      .filter(({ startMs }) => fromMs <= startMs && startMs <= toMs)
      .map((record) => scheduleView(world, record)),
    timestamp: wireTime(world.nowMs),
  };
  return { status: 200, body };
}

/** A schedule as the list shows it. */
export function scheduleView(
  world: World,
  { instruction, startMs, endMs }: ScheduleRecord,
): VppSchedules["schedules"][number] {
  return {
    schedule_id: instruction.scheduleId,
    control_type: "schedule",
    ...instructionAmounts(instruction),
    start_time: wireTime(startMs),
    end_time: wireTime(endMs),
    created_at: wireTime(instruction.registeredMs),
    members: instructionMembers(world, instruction),
  };
}
