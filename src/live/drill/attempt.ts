import type { EpochMs } from "../../base/time.ts";
import type { WorldInput } from "../session/journal/journalEntry.ts";
import type { Note } from "../session/personLog.ts";

/** One session of a drill: everything that a replay needs besides the drill itself. */
export interface Attempt {
  /** Oldest first: the trainee's commands and owner calls, and the instructor's injects and faults. */
  readonly inputs: readonly WorldInput[];
  /** Notes of the instructor, on which a grade does not depend. */
  readonly notes: readonly Note[];
  /** The instant that the session reached, at most the drill's end. */
  readonly reachedMs: EpochMs;
}

/** Whether an input is the trainee's; all others belong to the course of the drill. */
export const isTraineeInput = ({ kind }: WorldInput): boolean => kind === "request" || kind === "owner_call";

/** The attempt without the inputs of the trainee. */
export const withoutTrainee = ({ inputs, ...rest }: Attempt): Attempt => ({
  inputs: inputs.filter((input) => !isTraineeInput(input)),
  ...rest,
});
