import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../site/site.ts";
import type { Instruction } from "../vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../vpp/instructions/instructionSpec.ts";
import type { Vpp } from "../vpp/vpp.ts";

export type RunEventKind =
  | "outage_start"
  | "outage_end"
  | "noticed"
  | "redispatch"
  | "warning"
  | "link"
  | "output_control"
  | "maintenance"
  | "refusal"
  | "schedule_created"
  | "schedule_split"
  | "schedule_deleted"
  | "membership"
  | "weight"
  | "request_refused"
  | "direct_schedule"
  | "dr_event"
  | "fcr_fault"
  | "connection_limit"
  | "derate"
  | "irradiance"
  | "sensor";

/**
 * Receives the events of a run as they happen. The world reads nothing from it.
 *
 * Trajectories are not copied. Between two calls of `onSiteChange` for a site, its trajectory and its orders do not change,
 * so an observer integrates power and energy in `onSiteChange` and `onTrajectoryInterval`.
 */
export interface Observer {
  /** Called once, after the world is built and before any other method; time is at the start of the run. */
  onAttached(sites: readonly Site[], vpps: readonly Vpp[]): void;
  /** A site is about to change now; its trajectory was valid from its last change until now. Called once per instant. */
  onSiteChange(site: Site, atMs: EpochMs): void;
  /** A running instruction or one of its members is about to change. */
  onInstructionChange(instruction: Instruction, atMs: EpochMs): void;
  /** All trajectories are valid over this interval: no event lies strictly inside. */
  onTrajectoryInterval(fromMs: EpochMs, toMs: EpochMs): void;
  onRegistered(instruction: Instruction, atMs: EpochMs): void;
  onRefused(origin: InstructionOrigin, kind: RefusalKind, atMs: EpochMs): void;
  /** An immediate instruction has no effect because schedule `by` runs (docs/model/overlap.md#immediate), or the other way round. */
  onVoided(instruction: Instruction, by: Instruction, atMs: EpochMs): void;
  /** A later schedule takes all or part of the period of this one. A remaining part continues or is registered as a new schedule. */
  onOverwritten(instruction: Instruction, by: Instruction, atMs: EpochMs): void;
  /** A schedule is deleted before its start. */
  onDeleted(instruction: Instruction, atMs: EpochMs): void;
  onExecuted(instruction: Instruction, atMs: EpochMs): void;
  onRedispatched(instruction: Instruction, atMs: EpochMs): void;
  /** `by` is the instruction that replaced it, or `null`. */
  onEnded(instruction: Instruction, atMs: EpochMs, by: Instruction | null): void;
  /** @param scheduleIds  of `direct_schedule`: the schedules of the site that the event adds, changes or ends */
  onRunEvent(kind: RunEventKind, subject: string, detail: string, atMs: EpochMs, scheduleIds?: readonly string[]): void;
}
