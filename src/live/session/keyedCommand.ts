import type { Answer, ApiRequest } from "../../api/endpoints/route.ts";
import type { EpochMs } from "../../base/time.ts";

/** Data of a command with an Idempotency-Key. */
export interface KeyedCommand {
  /** Written to the journal, so that the key and its command survive a crash together. */
  readonly key: string;
  /** Whether the key has a stored answer when the command is about to act: a restore that was under way may have brought one back. */
  hasAnswer(atMs: EpochMs): boolean;
  /**
   * Called with the answer once the command is on disk, while the session still has exclusive access. No checkpoint,
   * restore or reset can intervene, so that the stored answer belongs to the same branch as the command.
   */
  storeAnswer(answer: Answer, atMs: EpochMs): void;
}

/** A command that has not acted, because its key has an answer by now. */
export class KeyAnsweredError extends Error {
  override name = "KeyAnsweredError";
}

/** A command that a replay has executed again, with its answer. */
export interface RecoveredCommand {
  readonly atMs: EpochMs;
  readonly request: ApiRequest;
  /** `null`: the command had none. */
  readonly idempotencyKey: string | null;
  readonly answer: Answer;
}
