import type { StudyBound } from "./bound/studyBound.ts";
import type { SearchStep } from "./search/searchBox.ts";
import type { Estimate } from "./statistics/estimate.ts";
import type { ScoredCandidate } from "./statistics/scoreCandidate.ts";
import type { Study } from "./study.ts";

/** Everything that a study found out. */
export interface StudyResult {
  readonly study: Study;
  /** Of the effective scenario as written. */
  readonly scenarioHash: string;
  /** The scenario as written, on the study's seeds. */
  readonly written: ScoredCandidate;
  /** In the order of the design, or of the search. */
  readonly candidates: readonly ScoredCandidate[];
  /** One per candidate: objective less that of the scenario as written, paired by seed. */
  readonly differences: readonly (Estimate | null)[];
  /** The best of all that is feasible, the scenario as written included; `null`: nothing is. */
  readonly best: BestCandidate | null;
  /** Places of the candidates that nothing beats in both figures, by the first; empty without `pareto`. */
  readonly front: readonly number[];
  /** One at a time from the scenario as written, the largest effect first; empty where there are too many parameters. */
  readonly tornado: readonly ParameterEffect[];
  /** Rules that people would choose, on the study's seeds. */
  readonly references: readonly NamedCandidate[];
  /** `null` where nothing is drawn at random, or on one seed alone. */
  readonly heldOut: HeldOutResult | null;
  /** The least shortfall that any weights could have reached; `null` where nothing can be said. */
  readonly bound: StudyBound | null;
  /** The same for the ratings, awards and so on of the best candidate, where it changes any; otherwise `null`. */
  readonly bestBound: StudyBound | null;
  /** Of `optimise`. */
  readonly search: { readonly path: readonly SearchStep[]; readonly stopped: "budget" | "no progress" } | null;
}

export interface BestCandidate {
  /** -1: the scenario as written. */
  readonly candidateIndex: number;
  readonly scored: ScoredCandidate;
  /** Against the scenario as written, paired by seed. */
  readonly difference: Estimate | null;
  /** Other candidates that keep to the constraints and may be as good for all that the seeds tell; 0 on one seed. */
  readonly indistinguishableCount: number;
}

export interface NamedCandidate {
  readonly name: string;
  readonly scored: ScoredCandidate;
}

/** Best candidate, scenario as written and references on seeds that chose nothing. */
export interface HeldOutResult {
  readonly seeds: readonly number[];
  /** Others that are not the best candidate itself, each counted once. */
  readonly comparisonCount: number;
  readonly rows: readonly (NamedCandidate & {
    /**
     * Objective of the best candidate less this one's, paired by seed: all intervals hold at once with the study's
     * confidence. `null` for the best itself, by whatever name.
     */
    readonly bestMinusThis: Estimate | null;
  })[];
}

/** What the ends of one parameter do to the objective, the rest as written. */
export interface ParameterEffect {
  readonly parameter: string;
  readonly low: EffectEnd;
  readonly high: EffectEnd;
}

export interface EffectEnd {
  readonly value: number;
  /** Against the scenario as written, paired by seed; `null` where the scenario refuses the value. */
  readonly difference: Estimate | null;
}
