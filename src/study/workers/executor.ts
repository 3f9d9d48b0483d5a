import { BugError } from "../../base/assert.ts";
import { sumOf } from "../../base/lists.ts";
import type { InvestmentFlags } from "../../inputs/scenario/build/buildInvestment.ts";
import type { Patch } from "../../inputs/scenario/patch/patchValue.ts";
import type { Evaluator, Outcome } from "./evaluator.ts";

/** One candidate on some seeds, at least one. */
export interface StudyJob {
  readonly patch: Patch;
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
  /** Keys of the command line. */
  readonly investment?: InvestmentFlags;
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
  patch: Patch,
  seed: number,
): Generator<null, Outcome> {
  try {
    return yield* evaluator.slices(patch, seed);
  } catch (error) {
    const { message } = error as Error;
    throw new BugError(`candidate ${JSON.stringify(patch)} on seed ${seed}: ${message}`, { cause: error });
  }
}

/**
 * Jobs that several threads process together. Each thread has the whole list and claims runs from a shared counter.
 * Without a dispatching thread no thread waits for one, however short a run is.
 */
export interface Batch {
  readonly jobs: readonly StudyJob[];
  /** Index of the first job in the list that the batch was cut from. */
  readonly firstJobIndex: number;
  /** Two Int32: index of the next unclaimed run, counted through all jobs; 1 once the batch is stopped. */
  readonly sharedCounters: SharedArrayBuffer | ArrayBuffer;
  readonly workerCount: number;
}

const NEXT_RUN = 0;
const STOPPED = 1;

/** Approximate number of runs of a batch. Every thread receives all of them, so this limits the memory of messages. */
const BATCH_RUNS = 1024;
/** Largest number of runs per claim; runs of one claim share prepared data (`groupEnds`). */
const RUNS_PER_CLAIM_MAX = 16;

/** A page that is not isolated shares no memory, and has one thread for a batch. */
const CounterBuffer = globalThis.SharedArrayBuffer ?? ArrayBuffer;

/** Cuts a batch from a list, starting at an index. */
export function createBatch(list: readonly StudyJob[], firstJobIndex: number, workerCount: number): Batch {
  let runs = 0;
  let end = firstJobIndex;
  while (end < list.length && runs < BATCH_RUNS) runs += list[end++].seeds.length;
  const sharedCounters = new CounterBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  return { jobs: list.slice(firstJobIndex, end), firstJobIndex, sharedCounters, workerCount };
}

export const stopBatch = ({ sharedCounters }: Batch): void => {
  Atomics.store(new Int32Array(sharedCounters), STOPPED, 1);
};

/** Claims and runs jobs until none is left. @yields after every run, and `null` during one */
export function* drainBatch(
  evaluator: Pick<Evaluator, "slices">,
  { jobs, firstJobIndex, sharedCounters, workerCount }: Batch,
): Generator<RunResult | null> {
  const counters = new Int32Array(sharedCounters);
  const total = sumOf(jobs, ({ seeds }) => seeds.length);
  const groupEndsByJob = groupEnds(jobs);
  let job = 0;
  /** Number of runs of the preceding jobs. */
  let runsBefore = 0;
  for (let next = Atomics.load(counters, NEXT_RUN); next < total; ) {
    while (runsBefore + jobs[job].seeds.length <= next) runsBefore += jobs[job++].seeds.length;
    const end = Math.min(groupEndsByJob[job], next + runsPerClaim(total - next, workerCount));
    const previous = Atomics.compareExchange(counters, NEXT_RUN, next, end);
    if (previous !== next) {
      next = previous;
      continue;
    }
    for (let run = next; run < end; run++) {
      if (Atomics.load(counters, STOPPED) === 1) return;
      while (runsBefore + jobs[job].seeds.length <= run) runsBefore += jobs[job++].seeds.length;
      const { patch, seeds } = jobs[job];
      const seedIndex = run - runsBefore;
      const outcome = yield* runCandidate(evaluator, patch, seeds[seedIndex]);
      yield { jobIndex: firstJobIndex + job, seedIndex, outcome };
    }
    next = Atomics.load(counters, NEXT_RUN);
  }
}

/**
 * For each job, the end of the runs that share data with it. Seeds of one candidate share its world. Consecutive
 * candidates on one seed share the run up to the fork.
 */
function groupEnds(jobs: readonly StudyJob[]): readonly number[] {
  const ends: number[] = [];
  let runs = sumOf(jobs, ({ seeds }) => seeds.length);
  for (let k = jobs.length - 1; 0 <= k; k--) {
    const { seeds } = jobs[k];
    const next = k + 1 < jobs.length ? jobs[k + 1].seeds : [];
    const isOneSeed = seeds.length === 1 && next.length === 1 && seeds[0] === next[0];
    ends[k] = isOneSeed ? ends[k + 1] : runs;
    runs -= seeds.length;
  }
  return ends;
}

/** Claims shrink towards the end, so that all threads finish within one run of each other. */
const runsPerClaim = (left: number, workerCount: number): number =>
  Math.min(RUNS_PER_CLAIM_MAX, Math.max(1, Math.floor(left / (2 * workerCount))));
