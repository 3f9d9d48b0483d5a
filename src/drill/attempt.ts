import type { EpochMs } from "../base/time.ts";
import type { WorldInput } from "../session/journal/journalEntry.ts";
import type { Note } from "../session/personLog.ts";

/** What happened in one session of a drill: everything that a replay needs besides the drill itself. */
export interface Attempt {
  /** Oldest first: the trainee's commands and owner calls, and the instructor's injects and faults. */
  readonly inputs: readonly WorldInput[];
  /** Of the instructor; a grade does not depend on them. */
  readonly notes: readonly Note[];
  /** How far the session came, at most the drill's end. */
  readonly reachedMs: EpochMs;
}

/** Whether an input is the trainee's; all others belong to the course of the drill. */
export const isTraineeInput = ({ kind }: WorldInput): boolean => kind === "request" || kind === "owner_call";

/** The attempt without the trainee: what happens when nobody does anything. */
export const withoutTrainee = ({ inputs, ...rest }: Attempt): Attempt => ({
  inputs: inputs.filter((input) => !isTraineeInput(input)),
  ...rest,
});
