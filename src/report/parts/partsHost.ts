import { platform } from "#platform";
import type { Thread } from "../../platform/platform.ts";
import type { DeferredBlock } from "./mergedTable.ts";
import { type BegunPart, type PartRows, type PartsOptions, PartsRun, THREAD_TASKS_MAX } from "./partsRun.ts";
import type { PartsTask } from "./partsThread.ts";
import { RowMemory } from "./rowMemory.ts";

/** Where some parts run: this thread, another one, or other processes. */
export interface PartsHost {
  /** Number of tasks that it takes before it has ended the ones before. */
  readonly tasksMax: number;
  /**
   * Advances all parts of this host, as `PartsRun`.
   *
   * @param begun  parts that begin
   */
  advance(share: number, begun: readonly number[]): Promise<readonly PartRows<DeferredBlock>[]>;
  close(): Promise<void>;
}

/** Threads for parts. They load the program while this thread reads the scenario. */
export const openPartsThreads = (count: number): readonly Thread[] =>
  Array.from({ length: count }, () => platform.openThread("report/parts/partsThread"));

/**
 * Hosts of some threads and of this one, which comes last so that the others begin first.
 *
 * @param meanwhile  what this thread does then, before its own parts
 */
export function threadHosts(
  threads: readonly Thread[],
  options: PartsOptions,
  { beginPart, meanwhile }: { readonly beginPart: (part: number) => BegunPart; readonly meanwhile: () => void },
): readonly PartsHost[] {
  let run: PartsRun | null = null;
  const here: PartsHost = {
    tasksMax: 1,
    advance: async (share, begun) => {
      if (run === null) meanwhile();
      run ??= new PartsRun(options, [new RowMemory()]);
      return run.advanceToShare(share, begun.map(beginPart));
    },
    close: async () => {},
  };
  const others = threads.map(
    (thread): PartsHost => ({
      tasksMax: THREAD_TASKS_MAX,
      advance: (share, begun) => {
        const task: PartsTask = { options, share, begun: begun.map(beginPart) };
        return thread.run<PartRows[]>(task);
      },
      close: () => thread.close(),
    }),
  );
  return [...others, here];
}
