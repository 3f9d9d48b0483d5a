import type { EpochMs } from "../base/time.ts";
import type { Answer, ApiRequest } from "../endpoints/route.ts";

/** A command that a replay has executed again, with its answer. */
export interface RecoveredCommand {
  readonly atMs: EpochMs;
  readonly request: ApiRequest;
  /** `null`: the command had none. */
  readonly idempotencyKey: string | null;
  readonly answer: Answer;
}
