import type { Evaluator } from "./evaluate.ts";
import { type Job, type Piece, runOne } from "./executor.ts";

/**
 * Jobs that several threads work off together. Each has the whole list, and takes its next runs off a counter that all of
 * them share: nobody hands out, so nobody waits to be handed something, however short a run is.
 */
export interface Batch {
  readonly jobs: readonly Job[];
  /** Place of the first one in the list that the batch was cut from. */
  readonly first: number;
  /** Int32: the next run that nobody has taken, counted through all jobs; 1 when nothing more is to be begun. */
  readonly shared: SharedArrayBuffer;
  /** How many work on it. */
  readonly lanes: number;
}

const NEXT = 0;
const STOPPED = 1;

/** Runs of a batch, about: they are sent to every thread at once, so they bound what is on its way. */
const BATCH_RUNS = 1024;
/** Runs that are taken at one time, at most: what they share is made for the first of them (`familiesOf`). */
const TAKE_MAX = 16;

/** Cuts a batch off a list, from one place on. */
export function batchOf(list: readonly Job[], first: number, lanes: number): Batch {
  let runs = 0;
  let end = first;
  while (end < list.length && runs < BATCH_RUNS) runs += list[end++].seeds.length;
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  return { jobs: list.slice(first, end), first, shared, lanes };
}

export const stopBatch = ({ shared }: Batch): void => {
  Atomics.store(new Int32Array(shared), STOPPED, 1);
};

/** Runs what nobody else has taken, until nothing is left. @yields after every run, and `null` in the middle of one */
export function* workOff(
  evaluator: Pick<Evaluator, "slices">,
  { jobs, first, shared, lanes }: Batch,
): Generator<Piece | null> {
  const state = new Int32Array(shared);
  const total = jobs.reduce((sum, { seeds }) => sum + seeds.length, 0);
  const families = familiesOf(jobs);
  let job = 0;
  /** Runs of the jobs before. */
  let before = 0;
  for (let next = Atomics.load(state, NEXT); next < total; ) {
    while (before + jobs[job].seeds.length <= next) before += jobs[job++].seeds.length;
    const end = Math.min(families[job], next + takenAtOnce(total - next, lanes));
    const found = Atomics.compareExchange(state, NEXT, next, end);
    if (found !== next) {
      next = found;
      continue;
    }
    for (let run = next; run < end; run++) {
      if (Atomics.load(state, STOPPED) === 1) return;
      while (before + jobs[job].seeds.length <= run) before += jobs[job++].seeds.length;
      const { patch, seeds } = jobs[job];
      const place = run - before;
      const outcome = yield* runOne(evaluator, patch, seeds[place]);
      yield { job: first + job, place, outcome };
    }
    next = Atomics.load(state, NEXT);
  }
}

/**
 * For each job, the run after the last one that shares something with it: the seeds of a candidate share its world, and
 * neighbours on one and the same seed what came before the fork.
 */
function familiesOf(jobs: readonly Job[]): readonly number[] {
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
const takenAtOnce = (left: number, lanes: number): number =>
  Math.min(TAKE_MAX, Math.max(1, Math.floor(left / (2 * lanes))));
