import type { VppSchedules } from "../../../api/client/index.ts";
import type { AwardBalance, PowerAward } from "../../../api/client/sandboxTypes.ts";
import { isApiId } from "../../format/isApiId.ts";

export type VppSchedule = VppSchedules["schedules"][number];
export type ScheduleMember = VppSchedule["members"][number];
export type ScheduleState = "running" | "pending" | "completed";

/** A schedule of a VPP as the page shows it. Instants in epoch milliseconds. */
export interface ScheduleRow {
  readonly id: string;
  /** Of its award; `null`: the chart of its VPP does not show it. */
  readonly awardId: string | null;
  /** `null`: the chart of its VPP does not show it. */
  readonly name: string | null;
  /** Whether it came by the API and is no award of the scenario. */
  readonly isOwn: boolean;
  readonly sku: VppSchedule["sku"];
  /** Change of power in kW; the two-sided capacity of an FCR schedule. */
  readonly powerKw: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly createdMs: number;
  readonly state: ScheduleState;
  /** Now where it is in force; otherwise as the API has it, planned or at the start. */
  readonly uncoveredKw: number;
  /** `null`: the API does not list the shares of an immediate instruction. */
  readonly members: readonly ScheduleMember[] | null;
  /** Running schedules, and those that start within a minute, cannot be deleted. */
  readonly isDeletable: boolean;
}

const MS_PER_MINUTE = 60_000;

/**
 * By start.
 *
 * @param awards  the awards of the VPP, for their names
 * @param inForce  what is in force, with the power that is uncovered now
 */
export function scheduleRows(
  schedules: readonly VppSchedule[],
  awards: readonly PowerAward[],
  inForce: readonly AwardBalance[],
  nowMs: number,
): readonly ScheduleRow[] {
  const rows = schedules.map((schedule): ScheduleRow => {
    const {
      schedule_id: id,
      sku,
      delta_kw,
      fcr_response_kw,
      start_time,
      end_time,
      created_at,
      uncovered_kw,
    } = schedule;
    const startMs = Date.parse(start_time);
    const endMs = Date.parse(end_time);
    // The balance has the name of a schedule in force, also after a cut.
    const award =
      inForce.find(({ schedule_id }) => schedule_id === id) ??
      awards.find((found) => found.starts_at === start_time && found.ends_at === end_time && found.sku === sku);
    return {
      id,
      awardId: award?.award_id ?? null,
      name: award?.name ?? null,
      isOwn: award === undefined || isApiId(award.award_id),
      sku,
      powerKw: delta_kw ?? fcr_response_kw ?? 0,
      startMs,
      endMs,
      createdMs: Date.parse(created_at),
      state: endMs <= nowMs ? "completed" : startMs <= nowMs ? "running" : "pending",
      uncoveredKw: inForce.find(({ schedule_id }) => schedule_id === id)?.uncovered_kw ?? uncovered_kw,
      members: schedule.members,
      isDeletable: nowMs + MS_PER_MINUTE <= startMs,
    };
  });
  const immediate = inForce.filter(({ schedule_id }) => schedule_id === null).map(immediateRow);
  return [...rows, ...immediate].sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1));
}

/** The API does not list an immediate instruction. */
const immediateRow = (award: AwardBalance): ScheduleRow => ({
  id: award.award_id,
  awardId: award.award_id,
  name: award.name,
  isOwn: isApiId(award.award_id),
  sku: award.sku,
  powerKw: award.requested_kw,
  startMs: Date.parse(award.starts_at),
  endMs: Date.parse(award.ends_at),
  createdMs: Date.parse(award.starts_at),
  state: "running",
  uncoveredKw: award.uncovered_kw,
  members: null,
  isDeletable: false,
});
