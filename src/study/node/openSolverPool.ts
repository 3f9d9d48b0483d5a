import type { ThreadPool } from "../../platform/node/openThreadPool.ts";
import { type BoundSolver, exactBoundKwh, problemSize } from "../bound/exactBoundKwh.ts";

/**
 * Largest problem that is solved in this thread, in about 50 ms. Starting another thread takes several times as long.
 */
const INLINE_SIZE_MAX = 500;

interface SolverPool {
  readonly solve: BoundSolver;
  /** Terminates running tasks. */
  readonly close: () => Promise<void>;
}

/**
 * Threads that solve linear programmes in parallel, so that this thread can handle Ctrl-C meanwhile. The first large
 * problem starts them; most studies have none.
 *
 * @param maxThreads  largest number of concurrent threads
 * @param inlineMaxSize  largest problem that this thread solves itself
 */
export function openSolverPool(maxThreads: number, inlineMaxSize = INLINE_SIZE_MAX): SolverPool {
  let opened: Promise<ThreadPool> | null = null;
  const open = async (): Promise<ThreadPool> => {
    const { openThreadPool } = await import("../../platform/node/openThreadPool.ts");
    return openThreadPool({ url: new URL("./boundWorker.ts", import.meta.url), minThreads: 1, maxThreads });
  };
  return {
    solve: async (problem) =>
      problemSize(problem) <= inlineMaxSize ? exactBoundKwh(problem) : (await (opened ??= open())).run(problem),
    close: async () => (await opened)?.close(),
  };
}
