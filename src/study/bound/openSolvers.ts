import type { Threads } from "../openThreads.ts";
import type { Solve } from "./exactBound.ts";

export interface Solvers {
  readonly solve: Solve;
  /** Ends what runs. */
  readonly close: () => Promise<void>;
}

/**
 * Threads that solve linear programmes, so that this one hears Ctrl-C meanwhile, and some are solved at one time. They are
 * started by the first problem: many studies have none.
 *
 * @param most threads at one time
 */
export function openSolvers(most: number): Solvers {
  let opened: Promise<Threads> | null = null;
  const open = async (): Promise<Threads> => {
    const { openThreads } = await import("../openThreads.ts");
    return openThreads({ url: new URL("./boundWorker.ts", import.meta.url), least: 1, most });
  };
  return {
    solve: async (problem) => (await (opened ??= open())).run(problem),
    close: async () => (await opened)?.close(),
  };
}
