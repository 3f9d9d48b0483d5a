import { setImmediate } from "node:timers/promises";
import { withAbort } from "../withAbort.ts";
import { type Batch, createBatch, drainBatch, stopBatch } from "./drainBatch.ts";
import type { Evaluator } from "./evaluator.ts";
import type { Executor, OnRunResults, RunResult } from "./executor.ts";

/**
 * Somebody who works batches off: this thread, or another.
 *
 * @param signal given when nobody listens any more
 * @returns when nothing is left that nobody has taken, and all is reported that this one took
 */
export type BatchWorker = (batch: Batch, report: OnRunResults, signal: AbortSignal) => Promise<void>;

/** Lanes that work off the same batches, each as fast as it can. */
export function sharedExecutor(lanes: readonly BatchWorker[], close: () => Promise<void>): Executor {
  return {
    concurrency: lanes.length,
    async run(jobs, report, signal) {
      signal.throwIfAborted();
      const over = new AbortController();
      const batches: Batch[] = [];
      let cut = 0;
      const batchAt = (k: number): Batch | null => {
        if (k === batches.length && cut < jobs.length) {
          batches.push(createBatch(jobs, cut, lanes.length));
          cut += batches[k].jobs.length;
        }
        return batches[k] ?? null;
      };
      const unheard = new AbortController();
      const heard: OnRunResults = (pieces) => {
        if (over.signal.aborted || unheard.signal.aborted) return;
        try {
          report(pieces);
        } catch (error) {
          // As where results cannot be written: nobody stands above a message of a thread.
          unheard.abort(error);
        }
      };
      const work = lanes.map(async (lane) => {
        for (let k = 0, batch = batchAt(0); batch !== null && !over.signal.aborted; batch = batchAt(++k))
          await lane(batch, heard, over.signal);
      });
      try {
        await withAbort(Promise.all(work), AbortSignal.any([signal, unheard.signal]));
      } finally {
        over.abort();
        batches.forEach(stopBatch);
      }
    },
    close,
  };
}

/** Runs are reported together when so much time has passed, in ms: the most that is lost with a thread. */
const REPORT_INTERVAL_MS = 50;

/**
 * Collects what a thread has done.
 *
 * @returns `add` to call with every step of `drainBatch`: `true` when it has just reported, or could have
 */
export function createResultBuffer(report: OnRunResults): {
  readonly add: (step: RunResult | null) => boolean;
  readonly flush: () => void;
} {
  let pieces: RunResult[] = [];
  // not simulated: how much is reported at one time shows in no result.
  let reportedMs = performance.now();
  const flush = () => {
    if (pieces.length > 0) report(pieces);
    pieces = [];
    reportedMs = performance.now(); // not simulated: as above
  };
  const add = (step: RunResult | null): boolean => {
    if (step !== null) pieces.push(step);
    // not simulated: as above
    if (performance.now() - reportedMs < REPORT_INTERVAL_MS) return false;
    flush();
    return true;
  };
  return { add, flush };
}

/** This very thread, which hears what is said to it whenever it has reported. */
export const createInlineWorker =
  (evaluator: Pick<Evaluator, "slices">): BatchWorker =>
  async (batch, report, signal) => {
    const { add, flush } = createResultBuffer(report);
    // Threads are told of the batch first.
    await setImmediate();
    for (const step of drainBatch(evaluator, batch)) {
      if (add(step)) await setImmediate();
      if (signal.aborted) return;
    }
    flush();
  };
