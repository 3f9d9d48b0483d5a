import { useEffect } from "react";
import type { SessionView } from "../../client/sandboxTypes.ts";
import { SESSION_PATH, useSandbox } from "../data/hooks.ts";
import { SandboxError } from "../data/sandboxCalls.ts";

/** Real ms between two reads of the session. */
const PERIOD_MS = 5_000;

/** Starts the page anew when its token is no longer valid, as after a restart of the server. */
export function useTokenWatch(onRestart: () => void): void {
  const { error } = useSandbox<SessionView>(SESSION_PATH, PERIOD_MS);
  const isRefused = error instanceof SandboxError && (error.status === 401 || error.status === 403);
  useEffect(() => {
    if (isRefused) onRestart();
  }, [isRefused, onRestart]);
}
