import type { ThreadPool } from "../workers/openThreadPool.ts";
import { type BoundSolver, exactBoundKwh, problemSize } from "./exactBoundKwh.ts";

/** Cells of a programme that is solved in this thread, in some 50 ms: starting another takes several times as long. */
const INLINE_SIZE_MAX = 500;

export interface SolverPool {
  readonly solve: BoundSolver;
  /** Ends what runs. */
  readonly close: () => Promise<void>;
}

/**
 * Threads that solve linear programmes, so that this one hears Ctrl-C meanwhile, and some are solved at one time. They are
 * started by the first large problem: most studies have none.
 *
 * @param maxThreads     threads at one time
 * @param hereMost cells of a programme that this thread solves itself
 */
export function openSolverPool(maxThreads: number, hereMost = INLINE_SIZE_MAX): SolverPool {
  let opened: Promise<ThreadPool> | null = null;
  const open = async (): Promise<ThreadPool> => {
    const { openThreadPool } = await import("../workers/openThreadPool.ts");
    return openThreadPool({ url: new URL("./boundWorker.ts", import.meta.url), minThreads: 1, maxThreads });
  };
  return {
    solve: async (problem) =>
      problemSize(problem) <= hereMost ? exactBoundKwh(problem) : (await (opened ??= open())).run(problem),
    close: async () => (await opened)?.close(),
  };
}
