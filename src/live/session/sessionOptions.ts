import type { EpochMs } from "../../base/time.ts";
import type { RecoveredCommand } from "./keyedCommand.ts";
import type { Speed } from "./pace.ts";
import type { ServedScenario } from "./servedScenario.ts";
import type { TaskPlace } from "./sessionTasks.ts";
import type { WallClock } from "./wallClock.ts";

export interface SessionOptions {
  readonly served: ServedScenario;
  /** See `JournalOptions`; without a file nothing is persisted. */
  readonly journal: { readonly file: string | null; readonly resumesEnded: boolean };
  /** Start of the clock; `null`: the scenario's start. */
  readonly openAtMs: EpochMs | null;
  /** The speed at which the clock first runs; default: 1. */
  readonly speed?: Speed;
  /** `--token-secret`, or `null`. */
  readonly tokenSecret: string | null;
  readonly warn: (text: string) => void;
  /**
   * Called while the session opens, oldest first, with each command of the journal whose answer or count is still
   * retained. All their bodies together can exceed the memory.
   */
  readonly onRecovered?: (command: RecoveredCommand) => void;
  /** Called after a permanent failure, from which on the session refuses commands. */
  readonly onFailure: (error: unknown) => void;
  readonly wallClock?: WallClock;
  /** Where exports and reports are made; default: in a thread. */
  readonly longTasks?: TaskPlace;
}
