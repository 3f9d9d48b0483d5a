import { platform } from "#platform";
import type { DeferredBlock } from "./mergedTable.ts";
import { type BegunPart, type PartRows, type PartsOptions, PartsRun } from "./partsRun.ts";
import type { PartsTask } from "./partsThread.ts";
import { RowMemory } from "./rowMemory.ts";

/** Where some parts run: this thread, another one, or other processes. */
export interface PartsHost {
  /** Number of tasks that it takes before it has ended the ones before. */
  readonly tasksMax: number;
  /** Share of the sites, relative to other hosts. */
  readonly siteShare: number;
  /**
   * Advances all parts of this host, as `PartsRun`.
   *
   * @param begun  parts that begin
   */
  advance(share: number, begun: readonly number[]): Promise<readonly PartRows<DeferredBlock>[]>;
  close(): Promise<void>;
}

/** Other threads continue while this one writes the rows. */
const THREAD = { tasksMax: 2, siteShare: 1 };
/** This thread starts at once, and writes the rows. */
const THIS_THREAD = { tasksMax: 1, siteShare: 1 };

/** @param count  number of threads with this one, which comes last so that the others begin first */
export function openThreadHosts(
  count: number,
  options: PartsOptions,
  beginPart: (part: number) => BegunPart,
): readonly PartsHost[] {
  const run = new PartsRun(options, [new RowMemory()]);
  const here: PartsHost = {
    ...THIS_THREAD,
    advance: async (share, begun) => run.advanceToShare(share, begun.map(beginPart)),
    close: async () => {},
  };
  return [...Array.from({ length: count - 1 }, () => openThreadHost(options, beginPart)), here];
}

function openThreadHost(options: PartsOptions, beginPart: (part: number) => BegunPart): PartsHost {
  const thread = platform.openThread("report/parts/partsThread");
  return {
    ...THREAD,
    advance: (share, begun) => {
      const task: PartsTask = { options, tasksMax: THREAD.tasksMax, share, begun: begun.map(beginPart) };
      return thread.run<PartRows[]>(task);
    },
    close: () => thread.close(),
  };
}
