import type { ReferenceRule } from "../referenceRules.ts";
import type { ParameterPatch } from "../search/candidateDesign.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { StudyResult } from "../studyResult.ts";
import type { RaceRound } from "./halving.ts";

/** What is known of a study before its runs. */
export interface StudyPlan {
  readonly rules: readonly ReferenceRule[];
  /** Empty for `optimise`. */
  readonly design: readonly ParameterPatch[];
  /** Each parameter alone at its lowest and its highest value. */
  readonly ends: readonly ParameterPatch[];
  /** Of the scenario, for the random numbers of a search. */
  readonly seed: number;
}

/** The scores of a study, by one way to allocate its runs. */
export interface AllocatedRuns
  extends Pick<StudyResult, "written" | "candidates" | "references" | "best" | "rounded" | "heldOut" | "search"> {
  /** Of the ends of the plan. */
  readonly ends: readonly ScoredCandidate[];
  readonly rounds: readonly RaceRound[];
}
