import type { EpochMs } from "../../base/time.ts";
import type { Instruction } from "../../engine/vpp/instructions/instruction.ts";

/** A schedule with its period, which ends early where another instruction or a deletion ended it. */
export interface ScheduleRecord {
  readonly instruction: Instruction;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** A closed interval. */
export interface Period {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
}

const recordUntil = (instruction: Instruction, endedMs: EpochMs): ScheduleRecord => ({
  instruction,
  startMs: instruction.startMs,
  endMs: Math.min(instruction.endMs, endedMs),
});

/**
 * The schedules of one VPP that wait, run or were executed. Replaced and deleted schedules are removed, and each piece
 * of a split schedule has an entry of its own (docs/model/overlap.md#pieces, docs/model/apis.md#schedule-list).
 */
export class ScheduleHistory {
  private readonly endedMsByInstruction = new Map<Instruction, EpochMs>();

  /** Adds a schedule that waits for its start. */
  add(instruction: Instruction): void {
    this.endedMsByInstruction.set(instruction, Number.POSITIVE_INFINITY);
  }

  /** Removes a schedule of which nothing, or nothing more, is executed. */
  remove(instruction: Instruction): void {
    this.endedMsByInstruction.delete(instruction);
  }

  /** Records the end of an execution, at the end of the period or before it. */
  recordEnd(instruction: Instruction, atMs: EpochMs): void {
    if (this.endedMsByInstruction.has(instruction)) this.endedMsByInstruction.set(instruction, atMs);
  }

  /** A schedule that is listed; `undefined` for others. */
  recordOf(instruction: Instruction): ScheduleRecord | undefined {
    const endedMs = this.endedMsByInstruction.get(instruction);
    return endedMs === undefined ? undefined : recordUntil(instruction, endedMs);
  }

  /** The schedules that overlap or touch a period, sorted by start, registration time and id. */
  listRecords({ fromMs, toMs }: Period): ScheduleRecord[] {
    const found: ScheduleRecord[] = [];
    for (const [instruction, endedMs] of this.endedMsByInstruction)
      if (instruction.startMs <= toMs && fromMs <= instruction.endMs) found.push(recordUntil(instruction, endedMs));
    return found.sort(
      (a, b) =>
        a.startMs - b.startMs ||
        a.instruction.registeredMs - b.instruction.registeredMs ||
        (a.instruction.scheduleId < b.instruction.scheduleId ? -1 : 1),
    );
  }

  /** Removes schedules that ended before an instant. */
  dropBefore(atMs: EpochMs): void {
    for (const [instruction, endedMs] of this.endedMsByInstruction)
      if (endedMs < atMs) this.endedMsByInstruction.delete(instruction);
  }
}
