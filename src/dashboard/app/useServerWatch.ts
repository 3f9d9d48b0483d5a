import { useEffect } from "react";
import type { DashboardConfig, SessionView } from "../../api/client/sandboxTypes.ts";
import { SESSION_PATH, useSandbox, useStation } from "../data/hooks.ts";
import { SandboxError } from "../data/sandboxCalls.ts";
import { isOtherServer, isOtherSession } from "../data/serverChange.ts";

/** Real ms between two reads. */
const PERIOD_MS = 5_000;

/** Calls `onRestart` once the server has restarted: its token is no longer valid, or session, addresses or version are others. */
export function useServerWatch(onRestart: () => void): void {
  const { config, session } = useStation();
  const { value, error } = useSandbox<SessionView>(SESSION_PATH, PERIOD_MS);
  const served = useSandbox<DashboardConfig>("/dashboard/config.json", PERIOD_MS).value;
  const isRefused = error instanceof SandboxError && (error.status === 401 || error.status === 403);
  const isMoved = served !== null && isOtherServer(config, served);
  const isRestarted = isMoved || isRefused || (value !== null && isOtherSession(session, value));
  useEffect(() => {
    if (isRestarted) onRestart();
  }, [isRestarted, onRestart]);
}
