import type { LocalText } from "../../base/language.ts";
import type { EpochMs } from "../../base/time.ts";
import type { BestPossible } from "./bestPossible.ts";
import type { ClientCheck } from "./clientChecks.ts";
import type { Drill, DrillGoal } from "./drill.ts";
import type { ActionEffect, Measures, Reaction } from "./measureAttempt.ts";
import type { Attempt } from "./readAttempt.ts";
import type { DrillRun } from "./runDrill.ts";

export interface GoalResult {
  readonly goal: DrillGoal;
  readonly value: number;
  /**
   * Position between the run without a trainee (0) and the best possible run (100); `null`: the goal is only a limit.
   */
  readonly points: number | null;
  readonly isMet: boolean;
}

/** An attempt with everything that its grade and its debriefing show. */
export interface GradedDrill {
  readonly drill: Drill;
  readonly attempt: Attempt;
  /** Weighted mean of the points of the goals that have points, 0 to 100, to one decimal. */
  readonly score: number;
  readonly isPassed: boolean;
  /** Whether the session reached the drill's end. */
  readonly isComplete: boolean;
  readonly goals: readonly GoalResult[];
  readonly measures: Measures;
  /** What has come about until the instant that the session reached. */
  readonly soFar: Measures;
  /** Whether the drill would be passed without further action; after its end, whether it is. */
  readonly wouldPass: boolean;
  readonly nothing: { readonly run: DrillRun; readonly measures: Measures };
  readonly best: BestPossible & {
    readonly measures: Measures /** Whether the attempt itself is the best known. */;
    readonly isAttempt: boolean;
  };
  readonly run: DrillRun;
  readonly reactions: readonly Reaction[];
  readonly effects: readonly ActionEffect[];
  /** Suggestions for the next attempt. */
  readonly suggestions: readonly Suggestion[];
  /** `null`: the trainee is a person. */
  readonly client: ClientFigures | null;
}

/** Figures of a client program, which its server counted. */
export interface ClientFigures {
  /** Checks that it failed, at most `checks`. */
  readonly failed: number;
  readonly checks: number;
  readonly list: readonly ClientCheck[];
}

/**
 * A suggestion for the next attempt, with instants as ISO 8601 texts: a step of the drill's lesson, a change of the attempt, what the best
 * run did, or the drill's advice.
 */
export interface Suggestion {
  readonly source: "lesson" | "change" | "best" | "advice";
  readonly text: LocalText;
  /** Measured by a run with that change, or of the best run; `null`: not measured. */
  readonly avoidedKwh: number | null;
  /** What is to be done, in order. */
  readonly actions: readonly { readonly atMs: EpochMs; readonly text: LocalText }[];
}
