import { platform } from "#platform";
import { type PartRows, type PartsOptions, PartsRun } from "../../accounting/partsRun.ts";
import { readWorldMessage } from "./worldMessage.ts";

export interface PartsTask {
  readonly options: PartsOptions;
  readonly share: number;
  /** Worlds of the parts that begin, from `worldMessage`. */
  readonly worlds: readonly (readonly [part: number, message: unknown])[];
}

let run: PartsRun | null = null;
platform.answerTasks(advanceParts);

/** All tasks of a thread have the same options. */
function advanceParts({ options, share, worlds }: PartsTask): PartRows[] {
  run ??= new PartsRun(options);
  return run.advanceToShare(
    share,
    worlds.map(([part, message]) => [part, readWorldMessage(message)] as const),
  );
}
