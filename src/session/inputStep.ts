import type { EpochMs } from "../base/time.ts";
import type { WorldInput } from "./journal/journalEntry.ts";
import { decodeEntry } from "./journal/journalLine.ts";

/**
 * One input and the way to it: the branch of a session that led to where it stands.
 *
 * Going back shortens nothing: it only takes up the way again from an earlier step.
 */
export interface InputStep {
  readonly atMs: EpochMs;
  /** The input as the journal has it. Commands are many and seldom looked at again; as objects they take twice the room. */
  readonly json: Buffer;
  readonly previous: InputStep | null;
}

/** The inputs of a branch, oldest first. */
export function* inputsUntil(last: InputStep | null): Generator<WorldInput> {
  const steps: InputStep[] = [];
  for (let step = last; step !== null; step = step.previous) steps.push(step);
  // A step holds nothing but what acts on the world: see `SessionState`.
  while (steps.length > 0) yield decodeEntry(steps.pop()!.json) as WorldInput;
}
