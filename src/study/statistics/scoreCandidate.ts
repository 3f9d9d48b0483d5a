import { KPI_NAMES } from "../../accounting/kpis/kpis.ts";
import type { Patch } from "../search/candidates.ts";
import { objectiveOf, type Study, violationOf } from "../study.ts";
import type { Outcome } from "../workers/evaluate.ts";
import { type Estimate, estimateOf } from "./estimate.ts";

/** Estimates by name of figure; `undefined` where nothing is known at all. */
export interface Figures {
  get(kpi: string): Estimate | null | undefined;
}

/** One candidate over all seeds. */
export interface Scored {
  readonly patch: Patch;
  /** Why the scenario refuses it; then nothing else is known. */
  readonly refusal: string | null;
  /** `null` where a figure does not apply on some seed. */
  readonly kpis: Figures;
  /** kWh, one per seed. */
  readonly shortfalls: readonly number[];
  /** One per seed; `null` where it does not apply on some seed. */
  readonly objectives: readonly number[] | null;
  readonly objective: Estimate | null;
  /** Share of the seeds on which each constraint holds, 0..1, in the order of the study. */
  readonly held: readonly number[];
  /** All constraints hold on all seeds, and the objective applies. */
  readonly feasible: boolean;
  /** Mean violation of all constraints, each relative to the size of its limit; 0 when feasible. */
  readonly violation: number;
}

/** @param outcomes one per seed */
export function scoreCandidate(study: Study, patch: Patch, outcomes: readonly Outcome[]): Scored {
  const refusal = outcomes.find((outcome) => outcome.refusal !== null)?.refusal ?? null;
  if (refusal !== null)
    return {
      patch,
      refusal,
      kpis: NO_FIGURES,
      shortfalls: [],
      objectives: null,
      objective: null,
      held: study.constraints.map(() => 0),
      feasible: false,
      violation: Number.POSITIVE_INFINITY,
    };
  const { confidence, constraints } = study;
  const values = (kpi: string): (number | null)[] => {
    const place = (KPI_NAMES as readonly string[]).indexOf(kpi);
    return outcomes.map(({ kpis }) => kpis?.[place] ?? null);
  };
  const byName = new Map(KPI_NAMES.map((name) => [name as string, values(name)]));
  const estimate = (numbers: readonly (number | null)[]): Estimate | null =>
    allKnown(numbers) ? estimateOf(numbers, confidence) : null;
  const objectives = outcomes.map((_, k) => objectiveOf(study.objective, (kpi) => byName.get(kpi)?.[k] ?? null));
  const violations = constraints.map((constraint) =>
    (byName.get(constraint.kpi) ?? []).map((value) => violationOf(constraint, value)),
  );
  const relative = violations.map((list, k) => meanOf(list) / Math.max(1, Math.abs(constraints[k].limit)));
  const known = allKnown(objectives) ? objectives : null;
  return {
    patch,
    refusal: null,
    kpis: new PackedFigures(KPI_NAMES.map((name) => estimate(byName.get(name) ?? []))),
    shortfalls: (byName.get("shortfall_kwh") ?? []).map((value) => value ?? 0),
    objectives: known,
    objective: estimate(objectives),
    held: violations.map((list) => list.filter((by) => by === 0).length / list.length),
    feasible: known !== null && violations.every((list) => list.every((by) => by === 0)),
    violation: known === null ? Number.POSITIVE_INFINITY : relative.reduce((sum, by) => sum + by, 0),
  };
}

const NO_FIGURES: Figures = { get: () => undefined };
const PLACES: ReadonlyMap<string, number> = new Map(KPI_NAMES.map((name, place) => [name, place]));

/** All figures of one candidate in one block, since a study may have a great many candidates. */
class PackedFigures implements Figures {
  /** Mean, low and high of each; NaN: not known. */
  readonly #numbers: Float64Array;

  constructor(estimates: readonly (Estimate | null)[]) {
    const numbers = new Float64Array(3 * estimates.length).fill(Number.NaN);
    estimates.forEach((estimate, k) => {
      if (estimate === null) return;
      numbers[3 * k] = estimate.mean;
      if (estimate.low !== null) numbers[3 * k + 1] = estimate.low;
      if (estimate.high !== null) numbers[3 * k + 2] = estimate.high;
    });
    this.#numbers = numbers;
  }

  get(kpi: string): Estimate | null | undefined {
    const place = PLACES.get(kpi);
    if (place === undefined) return undefined;
    const [mean, low, high] = this.#numbers.subarray(3 * place, 3 * place + 3);
    if (Number.isNaN(mean)) return null;
    return { mean, low: Number.isNaN(low) ? null : low, high: Number.isNaN(high) ? null : high };
  }
}

const allKnown = (values: readonly (number | null)[]): values is number[] => values.every((value) => value !== null);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Below 0 where `a` is better: feasible before infeasible, then the objective, then the smaller violation; 0 for a tie. */
export function compareScored({ objective: { direction } }: Study, a: Scored, b: Scored): number {
  if (a.feasible !== b.feasible) return a.feasible ? -1 : 1;
  if (!a.feasible) return a.violation === b.violation ? 0 : a.violation < b.violation ? -1 : 1;
  const difference = (a.objective?.mean ?? 0) - (b.objective?.mean ?? 0);
  return direction === "minimise" ? difference : -difference;
}

/** Place of the best candidate, the first of equals; -1 when none is feasible. */
export function bestOf(study: Study, candidates: readonly Scored[]): number {
  let best = -1;
  candidates.forEach((candidate, k) => {
    if (candidate.feasible && (best < 0 || compareScored(study, candidate, candidates[best]) < 0)) best = k;
  });
  return best;
}

/** Objective of `a` less that of `b`, paired by seed; `null` where either is not known. */
export function pairedDifference(
  study: Study,
  a: Scored,
  b: Scored,
  confidence: number = study.confidence,
): Estimate | null {
  const { objectives } = b;
  if (a.objectives === null || objectives === null) return null;
  return estimateOf(
    a.objectives.map((value, k) => value - objectives[k]),
    confidence,
  );
}
