import { type Language, textIn } from "../../../base/language.ts";
import { isoUtc } from "../../../base/time.ts";
import { formatValue } from "../../../inputs/scenario/parse/inputError.ts";
import type { Drill } from "../../../live/drill/drill.ts";
import type { DrillView } from "../../../live/session/sandboxTypes.ts";
import type { Session } from "../../../live/session/session.ts";
import { SessionRefusal } from "../../../live/session/sessionRefusal.ts";

/** A drill as its trainee sees it: without injects. */
export function drillView(drill: Drill, session: Session, language: Language): DrillView {
  const doneCount = session.injects.stepsDoneMs.length;
  return {
    name: drill.name,
    title: textIn(drill.title, language),
    briefing: textIn(drill.briefing, language),
    goals: drill.goals.map(({ measure, text }) => ({ name: measure, text: textIn(text, language) })),
    steps: drill.steps.map(({ text }, k) => ({ text: textIn(text, language), is_done: k < doneCount })),
    ends_at: isoUtc(drill.endMs),
    has_ended: hasEnded(drill, session),
  };
}

export const hasEnded = ({ endMs }: Drill, session: Session): boolean => endMs <= session.nowMs;

/** Default: English. */
export function readLanguage(text: string | undefined): Language {
  if (text === undefined) return "en";
  if (text === "en" || text === "ja") return text;
  throw new SessionRefusal(400, `Found ${formatValue(text)}, allowed en or ja`, "lang");
}
