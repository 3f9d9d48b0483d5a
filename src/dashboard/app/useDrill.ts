import type { DrillView, SessionView } from "../../api/client/sandboxTypes.ts";
import { SESSION_PATH, useSandbox, useSession } from "../data/hooks.ts";
import { msOf } from "../format/times.ts";
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

/** A step that has to be done before an instant. */
interface DueStep {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly untilMs: number;
  /** The last instant to which the page advances by itself: it leaves a minute for the step. */
  readonly stopMs: number;
}

const MINUTE_MS = 60_000;

/** The step that has to be done first, of those that can still be done; `null`: none has a time. */
export function dueStepOf(drill: DrillView | null): DueStep | null {
  let due: DueStep | null = null;
  drill?.steps.forEach(({ state, text, until }, k) => {
    if (until === null || state === "done" || state === "missed") return;
    const untilMs = msOf(until);
    if (due === null || untilMs < due.untilMs) due = { number: k + 1, text, untilMs, stopMs: untilMs - MINUTE_MS };
  });
  return due;
}
