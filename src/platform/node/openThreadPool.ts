import type { Transferable } from "node:worker_threads";
import { Piscina } from "piscina";
import { threadFile } from "./openThread.ts";

export interface ThreadPool {
  /** Runs a task on the next idle thread. @throws the error of the task, or why a thread could not start */
  readonly run: <Result>(task: object, transferList?: readonly Transferable[]) => Promise<Result>;
  /** Terminates running tasks. */
  readonly close: () => Promise<void>;
}

interface ThreadPoolOptions {
  /** Source file beside the caller, whose default export takes tasks. `build/bundle.mjs` lists it among its entries. */
  readonly url: URL;
  readonly workerData?: unknown;
  /** Threads started at once, and the largest number of threads. */
  readonly minThreads: number;
  readonly maxThreads: number;
  /** Tasks that a thread takes before it has ended the ones before; default 1. A thread begins them in order. */
  readonly tasksPerThread?: number;
}

/** A pool of threads that live until it is closed. */
export function openThreadPool(options: ThreadPoolOptions): ThreadPool {
  const { url, workerData, minThreads, maxThreads, tasksPerThread = 1 } = options;
  const pool = new Piscina({
    ...threadFile(url),
    workerData,
    minThreads,
    maxThreads,
    concurrentTasksPerWorker: tasksPerThread,
    idleTimeout: Number.POSITIVE_INFINITY,
  });
  // If a thread cannot start, pending tasks would wait forever; this rejects them.
  const startFailure = new Promise<never>((_, fail) => pool.on("error", fail));
  startFailure.catch(() => {});
  return {
    run: (task, transferList = []) => Promise.race([pool.run(task, { transferList: [...transferList] }), startFailure]),
    close: () => pool.destroy(),
  };
}
