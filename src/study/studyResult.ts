import type { RaceRound } from "./allocation/halving.ts";
import type { StudyBound } from "./bound/studyBound.ts";
import type { ReferenceRule } from "./referenceRules.ts";
import type { SearchStep } from "./search/searchBox.ts";
import type { Estimate } from "./statistics/estimate.ts";
import type { ScoredCandidate } from "./statistics/scoreCandidate.ts";
import type { Study, StudyAllocation, StudyParameter } from "./study.ts";

export interface StudyResult {
  readonly study: Study;
  /** Of the effective scenario as written. */
  readonly scenarioHash: string;
  /** Runs the scenario with best.patch.yaml, from the working directory. */
  readonly applyCommand: string;
  /** The scenario as written, on the study's seeds. */
  readonly written: ScoredCandidate;
  /** In the order of the design, or of the search. */
  readonly candidates: readonly ScoredCandidate[];
  /** One per candidate: objective less that of the scenario as written, paired by seed. */
  readonly differences: readonly (Estimate | null)[];
  /** The best feasible candidate or the scenario as written; `null` when none is feasible. */
  readonly best: BestCandidate | null;
  /** `null`: best.patch.yaml has the best candidate as it is. */
  readonly rounded: RoundedWeights | null;
  /** Indices of the Pareto-optimal candidates, sorted by the first KPI; empty without `pareto`. */
  readonly front: readonly number[];
  /** Share of resampled seeds on which each of them is on the front, 0..1; empty with a single seed. */
  readonly frontShares: readonly number[];
  /** Effect of each parameter alone, largest first; empty for too many parameters. */
  readonly tornado: readonly ParameterEffect[];
  /** Reference rules, on the study's seeds. */
  readonly references: readonly (NamedCandidate & Pick<ReferenceRule, "unexpressed">)[];
  /** `null` without randomness, or with a single seed. */
  readonly heldOut: HeldOutResult | null;
  /** Lower bound of the shortfall over all weights; `null` where it cannot be computed. */
  readonly bound: StudyBound | null;
  /** The bound with the best candidate's ratings, awards and so on; `null` where it changes none of them. */
  readonly bestBound: StudyBound | null;
  readonly allocation: {
    readonly method: StudyAllocation;
    readonly runCount: number;
    /** Of `equal`, as far as it is known before a study begins. */
    readonly equalRunCount: number;
    /** Empty for `equal`. */
    readonly rounds: readonly RaceRound[];
  };
  /** Of `optimise`. */
  readonly search: { readonly path: readonly SearchStep[]; readonly stopped: "budget" | "no progress" } | null;
}

export interface BestCandidate {
  /** -1: the scenario as written. */
  readonly candidateIndex: number;
  readonly scored: ScoredCandidate;
  /** Against the scenario as written, paired by seed. */
  readonly difference: Estimate | null;
  /** Number of other feasible candidates that the seeds cannot distinguish from this one; 0 on one seed. */
  readonly indistinguishableCount: number;
  /** Number of candidates of which too few seeds are known to say how much better they could be. */
  readonly leftEarlyCount: number;
  /** How much better than the best any of the others could be, at least 0; `null` without others of several seeds. */
  readonly lossAtMost: number | null;
}

/** The best candidate with weights of few digits. */
export interface RoundedWeights {
  /** Significant digits of each weight. */
  readonly digits: number;
  readonly scored: ScoredCandidate;
  /** Against the best candidate, paired by seed. */
  readonly difference: Estimate;
}

export interface NamedCandidate {
  readonly name: string;
  readonly scored: ScoredCandidate;
}

/** Best candidate, scenario as written and references on held-out seeds. */
export interface HeldOutResult {
  readonly seeds: readonly number[];
  /** Numbers of seeds after which it was decided whether to run more. */
  readonly looks: readonly number[];
  /** Of the best against the scenario as written; `null` where these are the same, or one has no value. */
  readonly change: Confirmation | null;
  /** Number of distinct candidates compared with the best. */
  readonly comparisonCount: number;
  /** Of each interval, for all of them to hold at the confidence of the study. */
  readonly confidenceOfEach: number;
  readonly rows: readonly (NamedCandidate & {
    /**
     * Objective of the best candidate minus this one's, paired by seed. All intervals hold simultaneously with the
     * study's confidence. `null` for the best itself, under any name.
     */
    readonly bestMinusThis: Estimate | null;
  })[];
}

/** What held-out seeds say of a change. */
export interface Confirmation {
  /** That the true objective of the best is better, 0..1. */
  readonly probabilityBetter: number;
  /** That it is better by more than the smallest difference that matters, 0..1. */
  readonly probabilityOfMinDifference: number;
  /** Number of seeds on which it is better. */
  readonly betterSeedCount: number;
  /** Whether one seed has most of the variation. */
  readonly isCarriedByOne: boolean;
  /** What more runs, two a seed, would do to the interval; `null` without variation. */
  readonly moreRuns: {
    readonly runs: number;
    /** Of the interval after them. */
    readonly halfWidth: number;
    readonly runsToHalve: number;
  } | null;
}

/** Effect of one parameter's lowest and highest value on the objective, the rest as written. */
export interface ParameterEffect {
  readonly parameter: StudyParameter;
  readonly low: EffectEnd;
  readonly high: EffectEnd;
}

export interface EffectEnd {
  readonly value: number;
  /** Against the scenario as written, paired by seed; `null` where the scenario refuses the value. */
  readonly difference: Estimate | null;
}
