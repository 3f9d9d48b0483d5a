import type { RecoveredCommand } from "../live/replay.ts";
import { findRoute } from "../requests/routes.ts";
import { fingerprintOf, type IdempotencyStore } from "./limits/idempotency.ts";

/** Fills the store with the answers that commands out of a journal were given, so that a key outlives a crash. */
export function recallCommands(commands: readonly RecoveredCommand[], store: IdempotencyStore): void {
  for (const { atMs, request, idempotencyKey, answer } of commands) {
    const { api, id, method, path, body } = request;
    const found = findRoute(api, method, path);
    if (found === null) continue;
    const fingerprint = fingerprintOf(`${api} ${found.route.operationId}`, body);
    store.store(id, idempotencyKey, fingerprint, { status: answer.status, text: JSON.stringify(answer.body) }, atMs);
  }
}
