import type { EpochMs } from "../../base/time.ts";
import type { Instruction } from "../../vpp/instructions/instruction.ts";

/** A schedule with the time that it has, or had where something ended it early. */
export interface ScheduleRecord {
  readonly instruction: Instruction;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/**
 * The schedules of one VPP that wait, run or were executed: what another one replaced, or what was taken back, is gone,
 * and of one that was cut into each piece is an entry of its own (docs/model/overlap.md#pieces, docs/model/apis.md#schedule-list).
 */
export class ScheduleHistory {
  private readonly endedMsByInstruction = new Map<Instruction, EpochMs>();

  /** It waits for its start. */
  add(instruction: Instruction): void {
    this.endedMsByInstruction.set(instruction, Number.POSITIVE_INFINITY);
  }

  /** It is not executed, or no further part of it. */
  remove(instruction: Instruction): void {
    this.endedMsByInstruction.delete(instruction);
  }

  /** Its execution is over, at its end or before. */
  recordEnd(instruction: Instruction, atMs: EpochMs): void {
    if (this.endedMsByInstruction.has(instruction)) this.endedMsByInstruction.set(instruction, atMs);
  }

  /** In order of start, registration time and id. */
  listRecords(): ScheduleRecord[] {
    return [...this.endedMsByInstruction]
      .map(([instruction, endedMs]) => ({
        instruction,
        startMs: instruction.startMs,
        endMs: Math.min(instruction.endMs, endedMs),
      }))
      .sort(
        (a, b) =>
          a.startMs - b.startMs ||
          a.instruction.registeredMs - b.instruction.registeredMs ||
          (a.instruction.scheduleId < b.instruction.scheduleId ? -1 : 1),
      );
  }

  /** Gives up what ended before an instant. */
  dropBefore(atMs: EpochMs): void {
    for (const [instruction, endedMs] of this.endedMsByInstruction)
      if (endedMs < atMs) this.endedMsByInstruction.delete(instruction);
  }
}
