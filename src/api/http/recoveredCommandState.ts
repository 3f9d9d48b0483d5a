import type { EpochMs } from "../../base/time.ts";
import type { RecoveredCommand } from "../../live/session/keyedCommand.ts";
import type { RateBucket } from "../endpoints/route.ts";
import { findRoute } from "../endpoints/routes.ts";
import { type KeyedAnswer, keyedAnswerOf } from "./limits/idempotencyStore.ts";
import type { Servers } from "./server.ts";

/** The rate limit that one command of a journal counts against, and its answer by key; `null`: no answer is stored. */
interface CommandState {
  readonly atMs: EpochMs;
  readonly rateBucket: RateBucket;
  readonly owner: string;
  readonly keyed: KeyedAnswer | null;
}

/**
 * The servers' state from the commands of a journal: stored answers by key, and counts of the rate limits.
 * Reads and repeated answers are not journalled, so that they do not count after a crash.
 *
 * Commands are added while the journal is read, before there are servers. Bodies are not kept: as objects they can take several times
 * the memory of the journal.
 */
export class RecoveredCommandState {
  private readonly commands: CommandState[] = [];

  add(command: RecoveredCommand): void {
    const { api, id, method, path } = command.request;
    const found = findRoute(api, method, path);
    if (found === undefined) return;
    const { rateBucket } = found.route;
    const keyed = keyedAnswerOf(found.route, command);
    this.commands.push({ atMs: command.atMs, rateBucket, owner: `${api} ${id}`, keyed });
  }

  restoreTo({ idempotency, limits }: Pick<Servers, "idempotency" | "limits">): void {
    for (const { atMs, rateBucket, owner, keyed } of this.commands) {
      limits.take(rateBucket, owner, atMs);
      if (keyed !== null) idempotency.storeAnswer(keyed.id, keyed.key, keyed.fingerprint, keyed.answer, atMs);
    }
  }
}
