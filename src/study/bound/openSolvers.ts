import type { Threads } from "../workers/openThreads.ts";
import { cellsOf, exactBoundKwh, type Solve } from "./exactBound.ts";

/** Cells of a programme that is solved in this thread, in some 50 ms: starting another takes several times as long. */
const CELLS_HERE_MAX = 500;

export interface Solvers {
  readonly solve: Solve;
  /** Ends what runs. */
  readonly close: () => Promise<void>;
}

/**
 * Threads that solve linear programmes, so that this one hears Ctrl-C meanwhile, and some are solved at one time. They are
 * started by the first large problem: most studies have none.
 *
 * @param most     threads at one time
 * @param hereMost cells of a programme that this thread solves itself
 */
export function openSolvers(most: number, hereMost = CELLS_HERE_MAX): Solvers {
  let opened: Promise<Threads> | null = null;
  const open = async (): Promise<Threads> => {
    const { openThreads } = await import("../workers/openThreads.ts");
    return openThreads({ url: new URL("./boundWorker.ts", import.meta.url), least: 1, most });
  };
  return {
    solve: async (problem) =>
      cellsOf(problem) <= hereMost ? exactBoundKwh(problem) : (await (opened ??= open())).run(problem),
    close: async () => (await opened)?.close(),
  };
}
