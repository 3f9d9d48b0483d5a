import { BugError } from "../base/assert.ts";
import type { Patch } from "./candidates.ts";
import type { Evaluator, Outcome } from "./evaluate.ts";

/** Some seeds of one candidate: the smallest piece of work that is handed out. */
export interface Job {
  readonly patch: Patch;
  readonly seeds: readonly number[];
}

/** Runs jobs somewhere; which job ran where, and when, shows in no result. */
export interface Executor {
  /** How many jobs run at one time. */
  readonly width: number;
  /**
   * @param done   told of each job once, in any order: its place in the list, and an outcome per seed, same order
   * @param signal stops the handing out; what runs is not waited for
   * @throws what a job threw, or the reason of the signal
   */
  run(
    jobs: readonly Job[],
    done: (job: number, outcomes: readonly Outcome[]) => void,
    signal: AbortSignal,
  ): Promise<void>;
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

/** @throws what a run throws, with the candidate and the seed that did it: by these it can be run again */
export const runJob = (evaluator: Pick<Evaluator, "run">, { patch, seeds }: Job): Outcome[] =>
  seeds.map((seed) => {
    try {
      return evaluator.run(patch, seed);
    } catch (error) {
      const { message } = error as Error;
      throw new BugError(`candidate ${JSON.stringify(patch)} on seed ${seed}: ${message}`, { cause: error });
    }
  });
