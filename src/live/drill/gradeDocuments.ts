import type { Language } from "../../base/language.ts";
import { attemptsBefore, type HistoryLine, historyLine, type PastAttempt } from "./attemptHistory.ts";
import { renderDebriefing } from "./debriefPage.ts";
import type { GradedDrill } from "./gradedDrill.ts";
import { gradeJson } from "./gradeJson.ts";
import { gradeText } from "./gradeText.ts";

/** The trainee of a drill, with earlier attempts. */
export interface Trainee {
  readonly name: string;
  readonly history: readonly PastAttempt[];
}

/** All outputs of a grade as texts. */
export interface GradeDocuments {
  /** JSON text (docs/drills.md#json). */
  readonly json: string;
  /** HTML. */
  readonly debriefing: string;
  /** For a terminal. */
  readonly text: string;
  readonly isPassed: boolean;
  /** `null`: the trainee is not named. */
  readonly historyLine: HistoryLine | null;
}

export function gradeDocuments(graded: GradedDrill, language: Language, trainee: Trainee | null): GradeDocuments {
  const line = trainee === null ? null : historyLine(trainee.name, graded);
  const earlier = trainee === null || line === null ? null : attemptsBefore(trainee.history, line.attempt);
  return {
    json: JSON.stringify(gradeJson(graded, language, earlier)),
    debriefing: renderDebriefing(graded, { language, earlier: earlier ?? [] }),
    text: gradeText(graded, language),
    isPassed: graded.isPassed,
    historyLine: line,
  };
}
