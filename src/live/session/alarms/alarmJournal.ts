import type { EpochMs } from "../../../base/time.ts";
import type { SandboxRole } from "../sandboxReads.ts";
import type { Alarm, AlarmChange } from "./alarm.ts";

/** One change of an alarm. */
export interface AlarmEntry {
  /** Counts the changes of the session, from 1. */
  readonly seq: number;
  readonly atMs: EpochMs;
  readonly what: AlarmChange;
  /** As it is after the change. */
  readonly alarm: Alarm;
  /** `null`: the server. */
  readonly by: SandboxRole | null;
  readonly name: string | null;
}

/** Maximum number of stored entries; older ones are dropped. */
const ENTRIES_MAX = 100_000;

/** The changes of all alarms of a session, in order. */
export class AlarmJournal {
  private entries: AlarmEntry[] = [];
  private droppedCount = 0;

  add(entry: Omit<AlarmEntry, "seq">): void {
    this.entries.push({ ...entry, seq: this.lastSeq + 1 });
    // A tenth more is stored, so that not every entry moves the whole list.
    if (this.entries.length <= 1.1 * ENTRIES_MAX) return;
    this.droppedCount += this.entries.length - ENTRIES_MAX;
    this.entries = this.entries.slice(-ENTRIES_MAX);
  }

  /** Number of the last entry; 0: there is none. */
  get lastSeq(): number {
    return this.droppedCount + this.entries.length;
  }

  /** `null`: there is none. */
  get last(): AlarmEntry | null {
    return this.entries.at(-1) ?? null;
  }

  /** Oldest first. @param seq  number after which to begin */
  after(seq: number): readonly AlarmEntry[] {
    return this.entries.slice(Math.max(0, seq - this.droppedCount));
  }

  /** How many alarms were raised after an instant. */
  raisedCountSince(afterMs: EpochMs): number {
    let count = 0;
    for (let k = this.entries.length - 1; 0 <= k && afterMs < this.entries[k].atMs; k--)
      if (this.entries[k].what === "raised") count++;
    return count;
  }
}
