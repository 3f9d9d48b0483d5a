import { MessageChannel } from "node:worker_threads";
import { openThreadPool, type ThreadPool } from "../../platform/node/openThreadPool.ts";
import type { Evaluator } from "../workers/evaluator.ts";
import type { Executor, RunResult, WorkerStudy } from "../workers/executor.ts";
import { type BatchWorker, createInlineWorker, sharedExecutor } from "../workers/sharedExecutor.ts";

/**
 * Worker threads, each of which reads the scenario once.
 *
 * @param together number of threads that share the jobs of one call; concurrent calls use the others
 */
export function poolExecutor(study: WorkerStudy, workers: number, together = workers): Executor {
  const threads = openStudyThreadPool(study, workers);
  const worker = createThreadWorker(threads);
  return sharedExecutor(
    Array.from({ length: together }, () => worker),
    threads.close,
  );
}

/**
 * This thread and `workers - 1` others. This thread has already read the scenario and starts at once while the others
 * load. It processes no messages while it runs a candidate.
 */
export function crewExecutor(evaluator: Pick<Evaluator, "slices">, study: WorkerStudy, workers: number): Executor {
  const threads = openStudyThreadPool(study, workers - 1);
  const worker = createThreadWorker(threads);
  return sharedExecutor(
    [...Array.from({ length: workers - 1 }, () => worker), createInlineWorker(evaluator)],
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

/** Runs a batch on the next idle thread. */
const createThreadWorker =
  ({ run }: ThreadPool): BatchWorker =>
  async (batch, report, signal) => {
    const { port1, port2 } = new MessageChannel();
    const closePort = () => port1.close();
    signal.addEventListener("abort", closePort);
    const allReported = new Promise<void>((end) => {
      port1.on("message", (pieces: readonly RunResult[] | null) => {
        if (pieces === null) end();
        else report(pieces);
      });
      port1.on("close", end);
    });
    try {
      await Promise.all([allReported, run({ batch, port: port2 }, [port2])]);
    } finally {
      signal.removeEventListener("abort", closePort);
      closePort();
    }
  };
