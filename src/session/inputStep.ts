import type { EpochMs } from "../base/time.ts";
import type { WorldInput } from "./journal/journalEntry.ts";
import { decodeEntry } from "./journal/journalLine.ts";

/**
 * One input, linked to the inputs before it: a branch of the session's history.
 *
 * A restore removes no step. It continues from an earlier one.
 */
export interface InputStep {
  readonly atMs: EpochMs;
  /**
   * The journal entry as bytes, which take half the memory of the object. A session has many commands, and they are
   * seldom read again.
   */
  readonly json: Buffer;
  readonly previous: InputStep | null;
}

/** The inputs of a branch, oldest first. */
export function* inputsUntil(last: InputStep | null): Generator<WorldInput> {
  const steps: InputStep[] = [];
  for (let step = last; step !== null; step = step.previous) steps.push(step);
  // A step contains only entries that act on the world: see `SessionState`.
  for (const { json } of steps.reverse()) yield decodeEntry(json) as WorldInput;
}
