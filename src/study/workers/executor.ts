import { BugError } from "../../base/assert.ts";
import type { ParameterPatch } from "../search/candidateDesign.ts";
import type { Evaluator, Outcome } from "./evaluator.ts";

/** One candidate on some seeds, at least one. */
export interface StudyJob {
  readonly patch: ParameterPatch;
  readonly seeds: readonly number[];
}

/** What a run gave: one candidate on one seed. */
export interface RunResult {
  /** Place in the list of jobs. */
  readonly jobIndex: number;
  /** Place among the job's seeds. */
  readonly seedIndex: number;
  readonly outcome: Outcome;
}

/** Told of some runs that are done; of every run once, in any order. */
export type OnRunResults = (pieces: readonly RunResult[]) => void;

/** Runs jobs somewhere; which run was done where, and when, shows in no result. */
export interface Executor {
  /** How many runs are done at one time. */
  readonly concurrency: number;
  /**
   * @param signal stops the handing out; what runs is not waited for
   * @throws what a run threw, or the reason of the signal
   */
  run(jobs: readonly StudyJob[], report: OnRunResults, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What a worker needs to know of a study. */
export interface WorkerStudy {
  /** Absolute. */
  readonly scenarioFile: string;
  readonly forkAtMs: number | null;
  /** Contents by absolute path, where the worker cannot read them from its own disk. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
}

/**
 * One run in slices.
 *
 * @throws what it throws, with the candidate and the seed that did it: by these it can be run again
 */
export function* runCandidate(
  evaluator: Pick<Evaluator, "slices">,
  patch: ParameterPatch,
  seed: number,
): Generator<null, Outcome> {
  try {
    return yield* evaluator.slices(patch, seed);
  } catch (error) {
    const { message } = error as Error;
    throw new BugError(`candidate ${JSON.stringify(patch)} on seed ${seed}: ${message}`, { cause: error });
  }
}
