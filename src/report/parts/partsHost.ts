import { platform } from "#platform";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { DeferredBlock } from "./mergedTable.ts";
import { type PartRows, type PartsOptions, PartsRun } from "./partsRun.ts";
import type { PartsTask } from "./partsThread.ts";
import { worldMessage } from "./worldMessage.ts";

/** Where some parts run: this thread, another one, or other processes. */
export interface PartsHost {
  /** Number of tasks that it takes before it has ended the ones before. */
  readonly tasksMax: number;
  /** Share of the sites, relative to other hosts. */
  readonly capacity: number;
  /**
   * Advances all parts of this host, as `PartsRun`.
   *
   * @param begun  parts that begin
   */
  advance(share: number, begun: readonly number[]): Promise<readonly PartRows<DeferredBlock>[]>;
  close(): Promise<void>;
}

/** Other threads continue while this one writes the rows. */
const THREAD = { tasksMax: 2, capacity: 1 };
/** This thread starts at once, and writes the rows. */
const THIS_THREAD = { tasksMax: 1, capacity: 1 };

/** @param count  number of threads with this one, which comes last so that the others begin first */
export function openThreadHosts(
  count: number,
  options: PartsOptions,
  worldOf: (part: number) => WorldSpec,
): readonly PartsHost[] {
  const run = new PartsRun(options);
  const here: PartsHost = {
    ...THIS_THREAD,
    advance: async (share, begun) =>
      run.advanceToShare(
        share,
        begun.map((part) => [part, worldOf(part)]),
      ),
    close: async () => {},
  };
  return [...Array.from({ length: count - 1 }, () => openThreadHost(options, worldOf)), here];
}

function openThreadHost(options: PartsOptions, worldOf: (part: number) => WorldSpec): PartsHost {
  const thread = platform.openThread("report/parts/partsThread");
  return {
    ...THREAD,
    advance: (share, begun) => {
      const worlds = begun.map((part) => [part, worldMessage(worldOf(part))] as const);
      const task: PartsTask = { options, share, worlds };
      return thread.run<PartRows[]>(task);
    },
    close: () => thread.close(),
  };
}
