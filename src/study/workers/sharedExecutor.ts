import { platform } from "#platform";
import { withAbort } from "../withAbort.ts";
import type { Evaluator } from "./evaluator.ts";
import {
  type Batch,
  createBatch,
  drainBatch,
  type Executor,
  type OnRunResults,
  type RunResult,
  stopBatch,
} from "./executor.ts";

/**
 * Processes batches in this thread or in another.
 *
 * @param signal aborted when results are no longer needed
 * @returns when all runs are claimed, and the results of this worker's runs are reported
 */
export type BatchWorker = (batch: Batch, report: OnRunResults, signal: AbortSignal) => Promise<void>;

/** Workers that process the same batches, each at its own speed. */
export function sharedExecutor(workers: readonly BatchWorker[], close: () => Promise<void>): Executor {
  return {
    concurrency: workers.length,
    async run(jobs, report, signal) {
      signal.throwIfAborted();
      const finished = new AbortController();
      const batches: Batch[] = [];
      let nextJobIndex = 0;
      const batchAt = (k: number): Batch | null => {
        if (k === batches.length && nextJobIndex < jobs.length) {
          batches.push(createBatch(jobs, nextJobIndex, workers.length));
          nextJobIndex += batches[k].jobs.length;
        }
        return batches[k] ?? null;
      };
      const reportFailure = new AbortController();
      const onResults: OnRunResults = (pieces) => {
        if (finished.signal.aborted || reportFailure.signal.aborted) return;
        try {
          report(pieces);
        } catch (error) {
          // For example results cannot be written. A message handler of a thread has no caller to throw to.
          reportFailure.abort(error);
        }
      };
      const work = workers.map(async (worker) => {
        for (let k = 0, batch = batchAt(0); batch !== null && !finished.signal.aborted; batch = batchAt(++k))
          await worker(batch, onResults, finished.signal);
      });
      try {
        await withAbort(Promise.all(work), AbortSignal.any([signal, reportFailure.signal]));
      } finally {
        finished.abort();
        batches.forEach(stopBatch);
      }
    },
    close,
  };
}

/** Interval of reports, in ms: also the most work that is lost with a thread. */
const REPORT_INTERVAL_MS = 50;

/**
 * Buffers the results of a thread.
 *
 * @returns `add` to call with every step of `drainBatch`: `true` after `REPORT_INTERVAL_MS`, when it has flushed
 */
export function createResultBuffer(report: OnRunResults): {
  readonly add: (step: RunResult | null) => boolean;
  readonly flush: () => void;
} {
  let pieces: RunResult[] = [];
  // not simulated: the grouping of reports affects no result.
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

/** This thread. It processes messages after each report. */
export const createInlineWorker =
  (evaluator: Pick<Evaluator, "slices">): BatchWorker =>
  async (batch, report, signal) => {
    const { add, flush } = createResultBuffer(report);
    // The batch is sent to the threads first.
    await platform.yield();
    for (const step of drainBatch(evaluator, batch)) {
      if (add(step)) await platform.yield();
      if (signal.aborted) return;
    }
    flush();
  };
