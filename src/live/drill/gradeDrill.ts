import { roundTo } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import { type BestPossible, findBest } from "./bestPossible.ts";
import { type Drill, type DrillGoal, hasPoints } from "./drill.ts";
import type { ClientFigures, GoalResult, GradedDrill } from "./gradedDrill.ts";
import {
  actionsOf,
  COUNTERFACTUALS_MAX,
  effectsOfActions,
  isIneffective,
  type Measures,
  measuresOf,
  reactionsOf,
  runWithoutTrainee,
} from "./measureAttempt.ts";
import { type Attempt, isTraineeInput } from "./readAttempt.ts";
import { type DrillRun, runDrill } from "./runDrill.ts";
import { suggestedCalls, suggestionsFor } from "./suggestions.ts";

interface GradeOptions {
  /** Only for a drill whose trainee is a program. */
  readonly client?: ClientFigures | undefined;
  /** Replaces the search by a result that the caller knows already. */
  readonly findBest?: (nothing: DrillRun) => Promise<BestPossible>;
  /** Called after each run. */
  readonly onRun?: () => void;
  /** Called with the number of runs that measure suggestions, once it is known. */
  readonly onSuggestionRuns?: (runs: number) => void;
}

/** The run without a trainee, and the run of the attempt. */
const WHOLE_RUNS = 2;

/** Number of runs of a grade without those of the search and of suggestions. */
export const runsWithoutSearch = ({ inputs }: Attempt): number =>
  WHOLE_RUNS + Math.min(COUNTERFACTUALS_MAX, inputs.filter(isTraineeInput).length);

/** Grades an attempt. The result depends on the drill, the attempt and the client's figures alone. */
export async function gradeDrill(drill: Drill, attempt: Attempt, options: GradeOptions = {}): Promise<GradedDrill> {
  const { client, onRun = () => {} } = options;
  const nothing = runWithoutTrainee(drill, attempt);
  const calls = suggestedCalls(drill, attempt, nothing);
  options.onSuggestionRuns?.(calls.length);
  onRun();
  const run = runDrill(drill, attempt, { detail: "full" });
  onRun();
  const effects = await effectsOfActions(drill, attempt, { promised: nothing, run, onRun });
  const needlessCount = effects.filter(isIneffective).length;
  const measuresUntil = (untilMs: EpochMs): Measures => ({
    ...measuresOf(drill, { promised: nothing, run, needlessCount, untilMs }),
    ...(client === undefined ? {} : { client_mistakes: client.failed }),
  });
  const measures = measuresUntil(drill.endMs);
  const nothingMeasures = {
    ...measuresOf(drill, { promised: nothing, run: nothing, needlessCount: 0 }),
    ...(client === undefined ? {} : { client_mistakes: client.checks }),
  };
  const search = options.findBest ?? ((course) => findBest(drill, attempt, course, onRun));
  const best = bestOf(drill, await search(nothing), { nothing, run, measures });
  const goals = drill.goals.map((goal) => goalResult(goal, measures, nothingMeasures, best.measures));
  const score = scoreOf(goals);
  const isComplete = drill.endMs <= attempt.reachedMs;
  const wouldPass = drill.passScore <= score && goals.every(({ isMet }) => isMet);
  const graded = {
    drill,
    attempt,
    score,
    isPassed: isComplete && wouldPass,
    wouldPass,
    isComplete,
    goals,
    measures,
    soFar: measuresUntil(Math.max(drill.startMs, Math.min(attempt.reachedMs, drill.endMs))),
    nothing: { run: nothing, measures: nothingMeasures },
    best,
    run,
    reactions: reactionsOf(drill, run),
    effects,
    client: client ?? null,
  };
  return { ...graded, suggestions: suggestionsFor(graded, calls, onRun) };
}

/** The better of the search's result and the attempt, because a person may find a better run than the search. */
function bestOf(
  drill: Drill,
  found: BestPossible,
  { nothing, run, measures }: { readonly nothing: DrillRun; readonly run: DrillRun; readonly measures: Measures },
): GradedDrill["best"] {
  const ofSearch = measuresOf(drill, { promised: nothing, run: found.run, needlessCount: 0 });
  const isAttempt =
    actionsOf(run).length > 0 &&
    (measures.shortfall_jpy < ofSearch.shortfall_jpy ||
      (measures.shortfall_jpy === ofSearch.shortfall_jpy && measures.shortfall_kwh < ofSearch.shortfall_kwh));
  if (!isAttempt) return { ...found, measures: ofSearch, isAttempt };
  return { run, runs: found.runs, acts: [], measures, isAttempt };
}

/** Mean of the points by weight; 0 without a goal that has points. */
function scoreOf(goals: readonly GoalResult[]): number {
  let weights = 0;
  let sum = 0;
  for (const { goal, points } of goals) {
    if (points === null) continue;
    weights += goal.weight;
    sum += goal.weight * points;
  }
  return weights === 0 ? 0 : roundTo(sum / weights, 1);
}

function goalResult(goal: DrillGoal, attempt: Measures, nothing: Measures, best: Measures): GoalResult {
  const value = attempt[goal.measure];
  const points = hasPoints(goal.measure) ? pointsBetween(value, nothing[goal.measure], idealOf(goal, best)) : null;
  const isMet =
    (goal.atMost === null || value <= goal.atMost) && (goal.minPoints === null || goal.minPoints <= (points ?? 0));
  return { goal, value, points, isMet };
}

/** The best value of a measure; 0 for reactions, steps and client checks, which the search does not consider. */
const idealOf = ({ measure }: DrillGoal, best: Measures): number =>
  measure === "reaction_minutes" || measure === "open_steps" || measure === "client_mistakes" ? 0 : best[measure];

/** Position of a value between the run without a trainee (0) and the best run (100), to one decimal. */
function pointsBetween(value: number, nothing: number, best: number): number {
  if (nothing <= best) return value <= best ? 100 : 0;
  return roundTo(Math.min(100, Math.max(0, (100 * (nothing - value)) / (nothing - best))), 1);
}
