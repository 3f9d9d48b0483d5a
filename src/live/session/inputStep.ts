import type { EpochMs } from "../../base/time.ts";
import { decodeEntry, type InitialConditionEntry, type WorldInput } from "./journal/journalEntry.ts";
import type { JournalRecord, RecordReader } from "./journal/journalRecord.ts";

/**
 * One input, linked to the inputs before it: a branch of the session's history.
 *
 * A restore removes no step. It continues from an earlier one.
 */
export interface InputStep {
  readonly atMs: EpochMs;
  /** By which the journal entry is read back (docs/model/sandbox.md#journal-reads). */
  readonly record: JournalRecord;
  readonly previous: InputStep | null;
}

/** The inputs of a branch as JSON, oldest first. */
export function recordsUntil(last: InputStep | null, journal: RecordReader): Iterable<Buffer> {
  const records: JournalRecord[] = [];
  for (let step = last; step !== null; step = step.previous) records.push(step.record);
  return journal.read(records.reverse());
}

/** The inputs of a branch, oldest first. */
export function* inputsUntil(last: InputStep | null, journal: RecordReader): Generator<WorldInput> {
  // A step contains only entries that act on the world: see `SessionState`.
  for (const json of recordsUntil(last, journal)) {
    const entry = decodeEntry(json) as WorldInput | InitialConditionEntry;
    if (entry.kind === "initial_condition") yield* entry.inputs;
    else yield entry;
  }
}

/** A step of an entry that acts on the world; of an initial condition with all its inputs. */
export function stepOf(
  entry: WorldInput | InitialConditionEntry,
  record: JournalRecord,
  previous: InputStep | null,
): InputStep | null {
  const lastInput = entry.kind === "initial_condition" ? entry.inputs.at(-1) : entry;
  return lastInput === undefined ? previous : { atMs: lastInput.at_ms, record, previous };
}
