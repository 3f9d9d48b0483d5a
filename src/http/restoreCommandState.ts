import { findRoute } from "../endpoints/routes.ts";
import type { RecoveredCommand } from "../session/replay.ts";
import { fingerprintOf } from "./limits/idempotencyStore.ts";
import type { Servers } from "./server.ts";

/**
 * Restores the servers' state from the commands of a journal: stored answers by key, and counts of the rate limits.
 * Reads and repeated answers are not journalled, so that they do not count after a crash.
 */
export function restoreCommandState(
  commands: readonly RecoveredCommand[],
  { idempotency, limits }: Pick<Servers, "idempotency" | "limits">,
): void {
  for (const { atMs, request, idempotencyKey, answer } of commands) {
    const { api, id, method, path, body } = request;
    const found = findRoute(api, method, path);
    if (found === null) continue;
    limits.take(found.route.rateBucket, `${api} ${id}`, atMs);
    if (idempotencyKey === null) continue;
    const fingerprint = fingerprintOf(`${api} ${found.route.operationId}`, body);
    const stored = { status: answer.status, text: JSON.stringify(answer.body) };
    idempotency.storeAnswer(id, idempotencyKey, fingerprint, stored, atMs);
  }
}
