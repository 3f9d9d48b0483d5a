import type { RefusalKind } from "../base/result.ts";
import type { EpochMs } from "../base/time.ts";
import type { BatchObserver } from "../site/batch/siteBatch.ts";
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
  | "fcr_fault";

/**
 * Takes the facts of a run as they come about. The world never asks anything back.
 *
 * Laws are read, not copied: between two calls of `onSiteChange` for a site, its unit's law and its order do not change,
 * so whoever folds power or energy does it in `onSiteChange` and `onTrajectoryInterval`.
 */
export interface Observer {
  /** The world is built; time stands at its start. Called once, before anything else. */
  onAttached(sites: readonly Site[], vpps: readonly Vpp[]): void;
  /**
   * Asked once, after `attached`: keeps the books of batteries that stand in a bank, for one who asks sites nothing but what
   * a bank can tell. Absent, or `null`: all batteries stand by themselves.
   */
  batchObserver?(): BatchObserver | null;
  /** A site is about to change at this instant; its law was good from its last change until now. Once per instant. */
  onSiteChange(site: Site, atMs: EpochMs): void;
  /** Something about a running instruction, or about one of its members, is about to change. At most once per instant. */
  onInstructionChange(instruction: Instruction, atMs: EpochMs): void;
  /** All laws hold over this stretch: nothing is due strictly inside. */
  onTrajectoryInterval(fromMs: EpochMs, toMs: EpochMs): void;
  onRegistered(instruction: Instruction, atMs: EpochMs): void;
  onRefused(origin: InstructionOrigin, kind: RefusalKind, atMs: EpochMs): void;
  /** An immediate instruction without effect because `by` runs (docs/model/overlap.md#immediate), or the other way round. */
  onVoided(instruction: Instruction, by: Instruction, atMs: EpochMs): void;
  /** A schedule loses time to a later one: all of it, or a part; what is left of it goes on or is registered anew. */
  onOverwritten(instruction: Instruction, by: Instruction, atMs: EpochMs): void;
  /** A schedule that has not started is taken back. */
  onDeleted(instruction: Instruction, atMs: EpochMs): void;
  onExecuted(instruction: Instruction, atMs: EpochMs): void;
  onRedispatched(instruction: Instruction, atMs: EpochMs): void;
  /** `by` is what took over, where something did. */
  onEnded(instruction: Instruction, atMs: EpochMs, by: Instruction | null): void;
  onRunEvent(kind: RunEventKind, subject: string, detail: string, atMs: EpochMs): void;
}
