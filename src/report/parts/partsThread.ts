import { platform } from "#platform";
import { type BegunPart, type PartRows, type PartsOptions, PartsRun, THREAD_TASKS_MAX } from "./partsRun.ts";
import { RowMemory } from "./rowMemory.ts";
import { readWorldMessage } from "./worldMessage.ts";

export interface PartsTask {
  readonly options: PartsOptions;
  readonly share: number;
  readonly begun: readonly BegunPart[];
}

/** Messages do not copy it. Messages that move memory detach it, after which V8 runs all code with typed arrays more slowly. */
const sharedMemory = () => new RowMemory((bytes) => new Uint8Array(new SharedArrayBuffer(bytes)));

let run: PartsRun | null = null;
platform.answerTasks(advanceParts);

/** All tasks of a thread have the same options. */
function advanceParts({ options, share, begun }: PartsTask): PartRows[] {
  run ??= new PartsRun(options, Array.from({ length: THREAD_TASKS_MAX }, sharedMemory));
  return run.advanceToShare(share, readWorldMessage(begun));
}
