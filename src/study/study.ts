import { kpiOf, type NumericKpiName } from "../accounting/kpis/kpiRegistry.ts";
import type { Currency } from "../base/currency.ts";
import type { EpochMs } from "../base/time.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";

export type StudyMethod = "grid" | "random" | "lhs" | "one_at_a_time" | "optimise";

/** How runs are allocated to candidates (docs/model/studies.md#race). */
export type StudyAllocation = "race" | "equal";

/** A race on fewer seeds has too few rounds to be one. */
export const RACE_SEEDS_MIN = 4;

/** A scenario value that a study varies, a number or a word. All values that the path matches are set alike. */
export interface StudyParameter {
  readonly name: string;
  /** Study path (docs/model/studies.md#paths). */
  readonly path: string;
  readonly domain: ParameterDomain;
  /** Whether the values are factors of the values as written (docs/model/studies.md#scaling). */
  readonly isFactor: boolean;
  /** Of a key that has words: the word of each value, which is its index here. */
  readonly words?: readonly string[] | undefined;
  /** The scenario's value, of factors 1; `null` where the key is absent, or where the matched values differ. */
  readonly writtenValue: number | null;
}

/** A value as files have it. */
export const writtenForm = ({ words }: StudyParameter, value: number | null): number | string | null =>
  value === null ? null : (words?.[value] ?? value);

/** Given values, or a range with its ends and, for grid, the number of points. */
export type ParameterDomain =
  | { readonly kind: "values"; readonly values: readonly number[] }
  | { readonly kind: "range"; readonly low: number; readonly high: number; readonly steps: number | null };

/** A KPI, or a weighted sum of KPIs. */
export interface Objective {
  readonly direction: "minimise" | "maximise";
  readonly terms: readonly { readonly kpi: NumericKpiName; readonly weight: number }[];
  /** Share of the seeds of whose worst ones the objective is the mean; `null`: of all seeds. */
  readonly worstPct: number | null;
  /** Formula: `shortfall_kwh` or `1 × shortfall_kwh + 0.01 × throughput_kwh`. */
  readonly text: string;
}

/** Holds for a candidate when it holds on every seed (docs/model/studies.md#keys). */
export interface Constraint {
  readonly kpi: NumericKpiName;
  /** Of the figure, in the currency of the scenario. */
  readonly name: string;
  readonly bound: "at_least" | "at_most";
  readonly limit: number;
}

/** A study file, read and checked against its scenario. */
export interface Study {
  readonly name: string;
  readonly description: string;
  /** Absolute path of the scenario, and as the study file names it. */
  readonly scenarioFile: string;
  readonly scenarioName: string;
  readonly currency: Currency;
  /** What batteries cost, as written. */
  readonly investment: WorldSpec["investment"];
  readonly parameters: readonly StudyParameter[];
  readonly seeds: readonly number[];
  readonly method: StudyMethod;
  /** As the study file has it; see `isRace`. */
  readonly allocation: StudyAllocation;
  /** Smallest difference of the objective that matters, in its unit, at least 0. */
  readonly minDifference: number;
  /** Of `random` and `lhs`; `null` for the others. */
  readonly samples: number | null;
  /** Evaluations of `optimise`, each on every seed; `null` for the others. */
  readonly budget: number | null;
  /** Instant from which the parameters apply; `null`: the start of the run. */
  readonly forkAtMs: EpochMs | null;
  readonly objective: Objective;
  readonly constraints: readonly Constraint[];
  /** Of the intervals, 0..1. */
  readonly confidence: number;
  /** Two or three, each with a better direction. */
  readonly pareto: readonly NumericKpiName[] | null;
}

/** Whether candidates leave a study before they ran on all of its seeds. */
export const isRace = ({ allocation, seeds }: Pick<Study, "allocation" | "seeds">): boolean =>
  allocation === "race" && RACE_SEEDS_MIN <= seeds.length;

/** Of fewer seeds the tail says less of a candidate than the mean, by which it is ranked. */
export const TAIL_SEEDS_MIN = 60;

/** The figure that is the objective; `null`: the objective is a formula of figures. */
export const objectiveKpi = ({ objective: { terms } }: Pick<Study, "objective">): NumericKpiName | null =>
  terms.length === 1 && terms[0].weight === 1 ? terms[0].kpi : null;

/** Value of the objective; `null` where one of its KPIs does not apply. */
export function objectiveValue({ terms }: Objective, kpi: (name: NumericKpiName) => number | null): number | null {
  let sum = 0;
  for (const { kpi: name, weight } of terms) {
    const value = kpi(name);
    if (value === null) return null;
    sum += weight * value;
  }
  return sum;
}

/** A KPI as a cost: less is better. */
export const costOf = (kpi: NumericKpiName, value: number | null | undefined): number =>
  value == null ? Number.POSITIVE_INFINITY : kpiOf(kpi).direction === "more" ? -value : value;

/** Distance of a KPI beyond its limit; 0 when the constraint holds, infinite where the KPI does not apply. */
export function constraintViolation({ bound, limit }: Constraint, value: number | null): number {
  if (value === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, bound === "at_least" ? limit - value : value - limit);
}
