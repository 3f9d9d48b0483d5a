import { useEffect } from "react";
import type { DashboardConfig, SessionView } from "../../client/sandboxTypes.ts";
import { SESSION_PATH, useSandbox, useStation } from "../data/hooks.ts";
import { SandboxError } from "../data/sandboxCalls.ts";
import { isOtherServer, isOtherSession } from "../data/serverChange.ts";

/** Real ms between two reads. */
const PERIOD_MS = 5_000;

/**
 * Watches for a restart of the server. Where its token is no longer valid, or it serves another session, the page starts anew;
 * where its addresses or its version changed, the document is loaded anew, whose policy admits the old addresses alone.
 */
export function useServerWatch(onRestart: () => void): void {
  const { config, session } = useStation();
  const { value, error } = useSandbox<SessionView>(SESSION_PATH, PERIOD_MS);
  const served = useSandbox<DashboardConfig>("/dashboard/config.json", PERIOD_MS).value;
  const isRefused = error instanceof SandboxError && (error.status === 401 || error.status === 403);
  const isRestarted = isRefused || (value !== null && isOtherSession(session, value));
  const isMoved = served !== null && isOtherServer(config, served);
  useEffect(() => {
    if (isMoved) location.reload();
    else if (isRestarted) onRestart();
  }, [isMoved, isRestarted, onRestart]);
}
