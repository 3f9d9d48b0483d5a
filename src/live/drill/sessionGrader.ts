import type { WorldInput } from "../session/journal/journalEntry.ts";
import { type BestPossible, findBest } from "./bestPossible.ts";
import type { Drill } from "./drill.ts";
import { gradeDrill, runsWithoutSearch } from "./gradeDrill.ts";
import type { ClientFigures, GradedDrill } from "./gradedDrill.ts";
import { attemptOf, isTraineeInput, parseSessionExport } from "./readAttempt.ts";
import { readDrill } from "./readDrill.ts";
import type { RunCounter } from "./runCounter.ts";
import type { DrillRun } from "./runDrill.ts";

/** Grades exports of one session of a drill, and reuses earlier results. */
export class SessionGrader {
  private readonly drill: Drill;
  private best: { readonly key: string; readonly found: Promise<BestPossible> } | null = null;
  private graded: { readonly key: string; readonly result: Promise<GradedDrill> } | null = null;

  /** @throws InputErrors  if the drill file has become invalid */
  constructor(file: string, searchBudget: number) {
    this.drill = { ...readDrill(file), searchBudget };
  }

  gradeExport(text: string, client: ClientFigures | undefined, counter: RunCounter): Promise<GradedDrill> {
    const key = `${text}\n${JSON.stringify(client ?? null)}`;
    // The instructor's page requests the grade repeatedly; an unchanged session has the same grade.
    if (this.graded?.key !== key) this.graded = { key, result: this.grade(text, client, counter) };
    return this.graded.result;
  }

  private async grade(text: string, client: ClientFigures | undefined, counter: RunCounter): Promise<GradedDrill> {
    const file = "the session";
    const attempt = attemptOf(file, parseSessionExport(file, text), this.drill);
    const onRun = () => counter.addRun();
    const course = attempt.inputs.filter((input) => !isTraineeInput(input));
    const key = JSON.stringify(course);
    const searchRuns = this.best?.key === key ? 0 : this.drill.searchBudget;
    counter.expect(runsWithoutSearch(attempt) + searchRuns);
    return gradeDrill(this.drill, attempt, {
      client,
      findBest: (nothing) => this.findBest(key, course, nothing, onRun),
      onRun,
      onSuggestionRuns: (runs) => counter.expect(runs),
    });
  }

  /** The best run depends on the injects and faults of the session, and not on the trainee. */
  private findBest(
    key: string,
    course: readonly WorldInput[],
    nothing: DrillRun,
    onRun: () => void,
  ): Promise<BestPossible> {
    const attempt = { inputs: course, notes: [], reachedMs: this.drill.endMs };
    if (this.best?.key !== key) this.best = { key, found: findBest(this.drill, attempt, nothing, onRun) };
    return this.best.found;
  }
}
