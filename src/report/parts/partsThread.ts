import { platform } from "#platform";
import { type PartRows, type PartsOptions, PartsRun } from "./partsRun.ts";
import { readWorldMessage } from "./worldMessage.ts";

export interface PartsTask {
  readonly options: PartsOptions;
  readonly share: number;
  /** Worlds of the parts that begin, from `worldMessage`. */
  readonly worlds: readonly (readonly [part: number, message: unknown])[];
}

/** Messages do not copy it. Messages that move memory detach it, after which V8 runs all code with typed arrays more slowly. */
const sharedBytes = (bytes: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(bytes));

let run: PartsRun | null = null;
platform.answerTasks(advanceParts);

/** All tasks of a thread have the same options. */
function advanceParts({ options, share, worlds }: PartsTask): PartRows[] {
  run ??= new PartsRun(options, sharedBytes);
  return run.advanceToShare(
    share,
    worlds.map(([part, message]) => [part, readWorldMessage(message)] as const),
  );
}
