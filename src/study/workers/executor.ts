import { BugError } from "../../base/assert.ts";
import type { ParameterPatch } from "../search/candidateDesign.ts";
import type { Evaluator, Outcome } from "./evaluator.ts";

/** One candidate on some seeds, at least one. */
export interface StudyJob {
  readonly patch: ParameterPatch;
  readonly seeds: readonly number[];
}

/** Result of one run: one candidate on one seed. */
export interface RunResult {
  /** Index in the list of jobs. */
  readonly jobIndex: number;
  /** Index among the job's seeds. */
  readonly seedIndex: number;
  readonly outcome: Outcome;
}

/** Receives finished runs: every run once, in any order. */
export type OnRunResults = (pieces: readonly RunResult[]) => void;

/** Runs jobs. Results do not depend on where or when a run was done. */
export interface Executor {
  /** Number of concurrent runs. */
  readonly concurrency: number;
  /**
   * @param signal stops dispatching; active runs are not awaited
   * @throws the error of a run, or the reason of the signal
   */
  run(jobs: readonly StudyJob[], report: OnRunResults, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Inputs of a worker. */
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
 * @throws the run's error, extended by the candidate and the seed, with which it can be repeated
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
