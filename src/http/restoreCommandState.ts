import { findRoute } from "../endpoints/routes.ts";
import type { RecoveredCommand } from "../session/replay.ts";
import { fingerprintOf } from "./limits/idempotencyStore.ts";
import type { Servers } from "./server.ts";

/**
 * Gives servers back what they knew of the commands in a journal: the answers that belong to keys, and what the commands
 * took of the budgets. Reads, and answers that were given again, are in no journal: they count for nothing after a crash.
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
