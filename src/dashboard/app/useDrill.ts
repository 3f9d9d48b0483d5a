import type { DrillView, SessionView } from "../../api/client/sandboxTypes.ts";
import { SESSION_PATH, useSandbox, useSession } from "../data/hooks.ts";
import { useTexts } from "./preferences.tsx";

/** Real ms between two reads: steps are ticked off. */
const PERIOD_MS = 2_000;

/** The drill in the person's language, as it is now; `null`: the session is none. */
export function useDrill(): DrillView | null {
  const { language } = useTexts();
  const { drill } = useSession();
  const { value } = useSandbox<SessionView>(drill === null ? null : `${SESSION_PATH}?lang=${language}`, PERIOD_MS);
  return value?.drill ?? drill;
}
