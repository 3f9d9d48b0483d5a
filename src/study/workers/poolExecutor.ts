import { MessageChannel } from "node:worker_threads";
import type { Evaluator } from "./evaluator.ts";
import type { Executor, RunResult, WorkerStudy } from "./executor.ts";
import { openThreadPool, type ThreadPool } from "./openThreadPool.ts";
import { type BatchWorker, createInlineWorker, sharedExecutor } from "./sharedExecutor.ts";

/**
 * Worker threads, each with the scenario read once.
 *
 * @param together how many of them share the jobs of one call; others are left to calls at the same time
 */
export function poolExecutor(study: WorkerStudy, workers: number, together = workers): Executor {
  const threads = openStudyThreadPool(study, workers);
  const lane = createThreadWorker(threads);
  return sharedExecutor(
    Array.from({ length: together }, () => lane),
    threads.close,
  );
}

/**
 * This thread and `workers - 1` others. This one has read the scenario already, so that it begins at once, while the
 * others start; it hears and says nothing while it runs a candidate.
 */
export function crewExecutor(evaluator: Pick<Evaluator, "slices">, study: WorkerStudy, workers: number): Executor {
  const threads = openStudyThreadPool(study, workers - 1);
  const lane = createThreadWorker(threads);
  return sharedExecutor(
    [...Array.from({ length: workers - 1 }, () => lane), createInlineWorker(evaluator)],
    threads.close,
  );
}

const openStudyThreadPool = (study: WorkerStudy, count: number): ThreadPool =>
  openThreadPool({
    url: new URL("./studyWorker.ts", import.meta.url),
    workerData: study,
    minThreads: count,
    maxThreads: count,
  });

/** Leads to whichever thread has nothing to do. */
const createThreadWorker =
  ({ run }: ThreadPool): BatchWorker =>
  async (batch, report, signal) => {
    const { port1, port2 } = new MessageChannel();
    const shut = () => port1.close();
    signal.addEventListener("abort", shut);
    const heard = new Promise<void>((end) => {
      port1.on("message", (pieces: readonly RunResult[] | null) => {
        if (pieces === null) end();
        else report(pieces);
      });
      port1.on("close", end);
    });
    try {
      await Promise.all([heard, run({ batch, port: port2 }, [port2])]);
    } finally {
      signal.removeEventListener("abort", shut);
      shut();
    }
  };
