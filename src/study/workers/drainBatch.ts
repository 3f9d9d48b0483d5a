import type { Evaluator } from "./evaluator.ts";
import { type RunResult, runCandidate, type StudyJob } from "./executor.ts";

/**
 * Jobs that several threads work off together. Each has the whole list, and takes its next runs off a counter that all of
 * them share: nobody hands out, so nobody waits to be handed something, however short a run is.
 */
export interface Batch {
  readonly jobs: readonly StudyJob[];
  /** Place of the first one in the list that the batch was cut from. */
  readonly firstJobIndex: number;
  /** Int32: the next run that nobody has taken, counted through all jobs; 1 when nothing more is to be begun. */
  readonly sharedCounters: SharedArrayBuffer;
  /** How many work on it. */
  readonly workerCount: number;
}

const NEXT_RUN = 0;
const STOPPED = 1;

/** Runs of a batch, about: they are sent to every thread at once, so they bound what is on its way. */
const BATCH_RUNS = 1024;
/** Runs that are taken at one time, at most: what they share is made for the first of them (`groupEnds`). */
const RUNS_PER_CLAIM_MAX = 16;

/** Cuts a batch off a list, from one place on. */
export function createBatch(list: readonly StudyJob[], firstJobIndex: number, workerCount: number): Batch {
  let runs = 0;
  let end = firstJobIndex;
  while (end < list.length && runs < BATCH_RUNS) runs += list[end++].seeds.length;
  const sharedCounters = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  return { jobs: list.slice(firstJobIndex, end), firstJobIndex, sharedCounters, workerCount };
}

export const stopBatch = ({ sharedCounters }: Batch): void => {
  Atomics.store(new Int32Array(sharedCounters), STOPPED, 1);
};

/** Runs what nobody else has taken, until nothing is left. @yields after every run, and `null` in the middle of one */
export function* drainBatch(
  evaluator: Pick<Evaluator, "slices">,
  { jobs, firstJobIndex, sharedCounters, workerCount }: Batch,
): Generator<RunResult | null> {
  const state = new Int32Array(sharedCounters);
  const total = jobs.reduce((sum, { seeds }) => sum + seeds.length, 0);
  const families = groupEnds(jobs);
  let job = 0;
  /** Runs of the jobs before. */
  let before = 0;
  for (let next = Atomics.load(state, NEXT_RUN); next < total; ) {
    while (before + jobs[job].seeds.length <= next) before += jobs[job++].seeds.length;
    const end = Math.min(families[job], next + runsPerClaim(total - next, workerCount));
    const found = Atomics.compareExchange(state, NEXT_RUN, next, end);
    if (found !== next) {
      next = found;
      continue;
    }
    for (let run = next; run < end; run++) {
      if (Atomics.load(state, STOPPED) === 1) return;
      while (before + jobs[job].seeds.length <= run) before += jobs[job++].seeds.length;
      const { patch, seeds } = jobs[job];
      const seedIndex = run - before;
      const outcome = yield* runCandidate(evaluator, patch, seeds[seedIndex]);
      yield { jobIndex: firstJobIndex + job, seedIndex, outcome };
    }
    next = Atomics.load(state, NEXT_RUN);
  }
}

/**
 * For each job, the run after the last one that shares something with it: the seeds of a candidate share its world, and
 * neighbours on one and the same seed what came before the fork.
 */
function groupEnds(jobs: readonly StudyJob[]): readonly number[] {
  const ends: number[] = [];
  let runs = jobs.reduce((sum, { seeds }) => sum + seeds.length, 0);
  for (let k = jobs.length - 1; 0 <= k; k--) {
    const { seeds } = jobs[k];
    const next = k + 1 < jobs.length ? jobs[k + 1].seeds : [];
    const isOneSeed = seeds.length === 1 && next.length === 1 && seeds[0] === next[0];
    ends[k] = isOneSeed ? ends[k + 1] : runs;
    runs -= seeds.length;
  }
  return ends;
}

/** The fewer are left, the fewer at once: all are done at the same time, up to a run. */
const runsPerClaim = (left: number, lanes: number): number =>
  Math.min(RUNS_PER_CLAIM_MAX, Math.max(1, Math.floor(left / (2 * lanes))));
