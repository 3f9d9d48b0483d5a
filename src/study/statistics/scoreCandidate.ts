import { NUMERIC_KPI_NAMES, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { assert } from "../../base/assert.ts";
import { meanOf, sumOf } from "../../base/lists.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import type { ParameterPatch } from "../search/candidateDesign.ts";
import { constraintViolation, costOf, objectiveValue, type Study, TAIL_SEEDS_MIN } from "../study.ts";
import type { Outcome } from "../workers/evaluator.ts";
import { type Estimate, estimateMean } from "./estimate.ts";
import { probabilityBelow } from "./probabilityBetter.ts";
import { tailDifference, tailMean } from "./tailMean.ts";

/** Estimates by KPI name; `undefined` for an unknown name or a refused candidate. */
interface KpiEstimates {
  get(kpi: NumericKpiName): Estimate | null | undefined;
}

/** One candidate over all seeds. */
export interface ScoredCandidate {
  readonly patch: ParameterPatch;
  /** Why the scenario refuses the patch; all other fields are then empty. */
  readonly refusal: string | null;
  /** It ran on the first of the study's seeds. */
  readonly seedCount: number;
  /** `null` where a KPI does not apply on some seed. */
  readonly kpis: KpiEstimates;
  /** kWh, one per seed. */
  readonly shortfallsKwh: readonly number[];
  /** One per seed; `null` where it does not apply on some seed. */
  readonly objectivePerSeed: readonly number[] | null;
  readonly objective: Estimate | null;
  /** Costs by figure of the Pareto front and seed; empty without one. */
  readonly frontCosts: readonly (readonly number[])[];
  /** Share of the seeds on which each constraint holds, 0..1, in the order of the study. */
  readonly satisfiedShares: readonly number[];
  /** All constraints hold on all seeds, and the objective applies. */
  readonly isFeasible: boolean;
  /** Mean violation of all constraints, each relative to the size of its limit; 0 when feasible. */
  readonly violation: number;
}

/** @param outcomes one per seed */
export function scoreCandidate(study: Study, patch: ParameterPatch, outcomes: readonly Outcome[]): ScoredCandidate {
  const refusal = outcomes.find((outcome) => outcome.refusal !== null)?.refusal ?? null;
  if (refusal !== null)
    return {
      patch,
      refusal,
      seedCount: outcomes.length,
      kpis: NO_ESTIMATES,
      shortfallsKwh: [],
      objectivePerSeed: null,
      objective: null,
      frontCosts: [],
      satisfiedShares: study.constraints.map(() => 0),
      isFeasible: false,
      violation: Number.POSITIVE_INFINITY,
    };
  const { confidence, constraints } = study;
  const valuesOf = (name: NumericKpiName): (number | null)[] => {
    const index = kpiIndex(name);
    return outcomes.map(({ kpis }) => kpis?.[index] ?? null);
  };
  const estimate = (numbers: readonly (number | null)[]): Estimate | null =>
    allKnown(numbers) ? estimateMean(numbers, confidence) : null;
  const objectives = outcomes.map((_, k) =>
    objectiveValue(study.objective, (kpi) => outcomes[k].kpis?.[kpiIndex(kpi)] ?? null),
  );
  const violations = constraints.map((constraint) =>
    valuesOf(constraint.kpi).map((value) => constraintViolation(constraint, value)),
  );
  const relative = violations.map((list, k) => meanOf(list) / Math.max(1, Math.abs(constraints[k].limit)));
  const known = allKnown(objectives) ? objectives : null;
  return {
    patch,
    refusal: null,
    seedCount: outcomes.length,
    kpis: new PackedKpiEstimates(NUMERIC_KPI_NAMES.map((name) => estimate(valuesOf(name)))),
    shortfallsKwh: valuesOf("shortfall_kwh").map((value) => value ?? 0),
    objectivePerSeed: known,
    objective: known === null ? null : objectiveEstimate(study, known),
    frontCosts: (study.pareto ?? []).map((kpi) => valuesOf(kpi).map((value) => costOf(kpi, value))),
    satisfiedShares: violations.map((list) => list.filter((by) => by === 0).length / list.length),
    isFeasible: known !== null && violations.every((list) => list.every((by) => by === 0)),
    violation: known === null ? Number.POSITIVE_INFINITY : sumOf(relative),
  };
}

const NO_ESTIMATES: KpiEstimates = { get: () => undefined };
const KPI_INDEX: ReadonlyMap<NumericKpiName, number> = new Map(NUMERIC_KPI_NAMES.map((name, index) => [name, index]));

function kpiIndex(name: NumericKpiName): number {
  const index = KPI_INDEX.get(name);
  assert(index !== undefined, () => `the registry of key figures has ${name}`);
  return index;
}

/** All KPIs of one candidate in one array, since a study may have very many candidates. */
class PackedKpiEstimates implements KpiEstimates {
  /** Mean, low and high of each KPI; NaN where unknown. */
  private readonly numbers: Float64Array;

  constructor(estimates: readonly (Estimate | null)[]) {
    const numbers = new Float64Array(3 * estimates.length).fill(Number.NaN);
    estimates.forEach((estimate, k) => {
      if (estimate === null) return;
      numbers[3 * k] = estimate.mean;
      if (estimate.low !== null) numbers[3 * k + 1] = estimate.low;
      if (estimate.high !== null) numbers[3 * k + 2] = estimate.high;
    });
    this.numbers = numbers;
  }

  get(kpi: NumericKpiName): Estimate | null {
    const index = kpiIndex(kpi);
    const [mean, low, high] = this.numbers.subarray(3 * index, 3 * index + 3);
    if (Number.isNaN(mean)) return null;
    return { mean, low: Number.isNaN(low) ? null : low, high: Number.isNaN(high) ? null : high };
  }
}

const allKnown = (values: readonly (number | null)[]): values is number[] => values.every((value) => value !== null);
/**
 * Negative where `a` is better: feasible before infeasible, then by objective, or by violation where both are
 * infeasible; 0 for a tie.
 */
export function compareCandidates(study: Study, a: ScoredCandidate, b: ScoredCandidate): number {
  if (a.isFeasible !== b.isFeasible) return a.isFeasible ? -1 : 1;
  if (!a.isFeasible) return a.violation === b.violation ? 0 : a.violation < b.violation ? -1 : 1;
  const isByTail = TAIL_SEEDS_MIN <= Math.min(a.seedCount, b.seedCount);
  const rankValue = ({ objective, objectivePerSeed }: ScoredCandidate): number =>
    study.objective.worstPct === null || isByTail ? (objective?.mean ?? 0) : meanOf(objectivePerSeed ?? []);
  const difference = rankValue(a) - rankValue(b);
  return study.objective.direction === "minimise" ? difference : -difference;
}

/** Index of the best candidate of those on a number of seeds, by default any; the first of equals; -1 when none is feasible. */
export function bestCandidateIndex(study: Study, candidates: readonly ScoredCandidate[], seedCount?: number): number {
  let best = -1;
  candidates.forEach((candidate, k) => {
    if (seedCount !== undefined && candidate.seedCount !== seedCount) return;
    if (candidate.isFeasible && (best < 0 || compareCandidates(study, candidate, candidates[best]) < 0)) best = k;
  });
  return best;
}

/** Objective of `a` minus that of `b`, paired by seed; `null` where either is unknown. */
export function pairedDifference(
  study: Study,
  a: ScoredCandidate,
  b: ScoredCandidate,
  confidence: number = study.confidence,
): Estimate | null {
  const differences = differencesBySeed(a, b);
  if (differences === null) return null;
  if (study.objective.worstPct === null) return estimateMean(differences, confidence);
  return tailEstimate(study, a.objectivePerSeed, b.objectivePerSeed, confidence);
}

/**
 * Probability that the true objective of `a` is better than that of `b` by more than a margin, 0..1: by Student's t with a flat prior,
 * of a tail by resampling. `null` where either is unknown.
 */
export function probabilityBetter(study: Study, a: ScoredCandidate, b: ScoredCandidate, margin: number): number | null {
  const differences = differencesBySeed(a, b);
  if (differences === null) return null;
  const { direction, worstPct } = study.objective;
  if (worstPct !== null)
    return tailDifference(...commonValues(a.objectivePerSeed, b.objectivePerSeed), {
      ...tailSettings(study),
      confidence: study.confidence,
      margin,
    }).betterShare;
  const losses = direction === "minimise" ? differences : differences.map((difference) => -difference);
  return probabilityBelow(losses, -margin);
}

/** Mean over seeds, or over the worst ones. */
function objectiveEstimate(study: Study, values: readonly number[]): Estimate {
  const { confidence, objective } = study;
  if (objective.worstPct === null) return estimateMean(values, confidence);
  return tailEstimate(
    study,
    values,
    values.map(() => 0),
    confidence,
  );
}

/** The tail of one list less that of another one, on the seeds of both; few seeds have no interval. */
function tailEstimate(
  study: Study,
  a: readonly number[] | null,
  b: readonly number[] | null,
  confidence: number,
): Estimate {
  const [first, second] = commonValues(a, b);
  const settings = tailSettings(study);
  if (first.length < TAIL_SEEDS_MIN) {
    const [mine, other] = [first, second].map((values) => tailMean(values, settings.worstPct, settings.direction));
    return { mean: mine - other, low: null, high: null };
  }
  const { mean, low, high } = tailDifference(first, second, { ...settings, confidence });
  return { mean, low, high };
}

const tailSettings = ({ name, seeds, objective: { direction, worstPct } }: Study) => ({
  worstPct: worstPct ?? 100,
  direction,
  stream: new RandomStreams(seeds[0]).getStream("study tail", name),
});

function commonValues(
  a: readonly number[] | null,
  b: readonly number[] | null,
): [a: readonly number[], b: readonly number[]] {
  const count = Math.min(a?.length ?? 0, b?.length ?? 0);
  return [a?.slice(0, count) ?? [], b?.slice(0, count) ?? []];
}

/** The same for each seed on which both have run: candidates run on the first of the seeds. */
export function differencesBySeed(a: ScoredCandidate, b: ScoredCandidate): number[] | null {
  const [first, second] = [a.objectivePerSeed, b.objectivePerSeed];
  if (first === null || second === null) return null;
  const common = Math.min(first.length, second.length);
  return first.slice(0, common).map((value, k) => value - second[k]);
}
