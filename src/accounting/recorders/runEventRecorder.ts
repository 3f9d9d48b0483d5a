import { Copyable } from "../../base/copyState.ts";
import type { RefusalKind } from "../../base/result.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Observer, RunEventKind } from "../../engine/simulation/observer.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import { EventLog } from "./eventLog.ts";

/** Writes what an observer is notified of into an event log. */
export class RunEventRecorder extends Copyable implements Partial<Observer> {
  readonly log: EventLog;

  /** @param eventsMax  the oldest events beyond this number are dropped */
  constructor(eventsMax = Number.POSITIVE_INFINITY) {
    super();
    this.log = new EventLog(eventsMax);
  }

  onRegistered({ awardId, kind }: Instruction, atMs: EpochMs): void {
    this.log.addEvent(atMs, "schedule_created", awardId, kind);
  }

  onRefused({ awardId }: InstructionOrigin, kind: RefusalKind, atMs: EpochMs): void {
    this.log.addEvent(atMs, "refusal", awardId, kind);
  }

  onVoided({ awardId }: Instruction, by: Instruction, atMs: EpochMs): void {
    this.log.addEvent(atMs, "refusal", awardId, `without effect: ${by.awardId} is running`);
  }

  /**
   * An overwritten award with no remaining piece is logged as deleted, like the answer to its caller
   * (docs/model/overlap.md#resolution).
   */
  onOverwritten({ awardId, state }: Instruction, by: Instruction, atMs: EpochMs): void {
    const kind = state === "overwritten" ? "schedule_deleted" : "schedule_split";
    this.log.addEvent(atMs, kind, awardId, `overwritten by ${by.awardId}`);
  }

  onDeleted({ awardId }: Instruction, atMs: EpochMs): void {
    this.log.addEvent(atMs, "schedule_deleted", awardId, "before its start");
  }

  onExecuted(instruction: Instruction, atMs: EpochMs): void {
    this.log.addExecution(atMs, "started", instruction.awardId, uncoveredText(instruction));
  }

  onRedispatched(instruction: Instruction, atMs: EpochMs): void {
    this.log.addEvent(atMs, "redispatch", instruction.awardId, uncoveredText(instruction));
  }

  onEnded({ awardId, state }: Instruction, atMs: EpochMs, by: Instruction | null): void {
    const reason = by !== null ? `replaced by ${by.awardId}` : state === "deleted" ? "deleted" : "";
    this.log.addExecution(atMs, "ended", awardId, reason);
  }

  onRunEvent(kind: RunEventKind, subject: string, detail: string, atMs: EpochMs): void {
    this.log.addEvent(atMs, kind, subject, detail);
  }
}

/** Text of the delta that is uncovered now, and of the FCR capacity where the instruction has one. */
function uncoveredText({ hasDelta, fcrCapacityTenths, uncoveredTenths, fcrUncoveredTenths }: Instruction): string {
  const fcrText = `${fcrUncoveredTenths / 10} kW`;
  if (!hasDelta) return `${fcrText} uncovered`;
  return `${uncoveredTenths / 10} kW uncovered${fcrCapacityTenths === null ? "" : `, ${fcrText} of its FCR capacity`}`;
}
