import { NUMERIC_KPI_NAMES, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { moneyName } from "../../base/currency.ts";
import { roundFigure, roundTo } from "../../base/rounding.ts";
import { isoUtc } from "../../base/time.ts";
import { textOf } from "../../texts/catalogue.ts";
import { VERSION } from "../../version.ts";
import { BOUND_ASSUMPTIONS, type StudyBound } from "../bound/studyBound.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { type Study, writtenForm } from "../study.ts";
import type { Confirmation, ParameterEffect, StudyResult } from "../studyResult.ts";
import { boundMeans, constraintText, meanShortfallKwh, parameterValue, roundObjective } from "./studyText.ts";

/** The text of a study's summary.json; equal results give equal bytes. */
export function summaryJson(result: StudyResult): string {
  const { study, written, candidates, best, tornado, references, heldOut } = result;
  const summary = {
    study: describe(study),
    scenario: { name: study.scenarioName, hash: result.scenarioHash, version: VERSION },
    allocation: allocationJson(result),
    candidates: candidates.length,
    feasible: candidates.filter(({ isFeasible }) => isFeasible).length,
    refused: candidates.filter(({ refusal }) => refusal !== null).length,
    best:
      best === null
        ? null
        : {
            candidate: best.candidateIndex + 1,
            ...scoreOf(study, best.scored),
            objective_less_written: objectiveInterval(study, best.difference),
            seeds: best.scored.seedCount,
            not_ruled_out: best.indistinguishableCount,
            left_early: best.leftEarlyCount,
            loss_at_most: best.lossAtMost === null ? null : roundObjective(study, best.lossAtMost),
            rounded: roundedJson(result),
          },
    as_written: scoreOf(study, written),
    references: references.map((reference) => referenceOf(study, reference)),
    held_out:
      heldOut === null
        ? null
        : {
            seeds: heldOut.seeds,
            looks: heldOut.looks,
            ...confirmationJson(study, heldOut.change),
            // All intervals of best_less_this hold simultaneously at the confidence of the study.
            comparisons: heldOut.comparisonCount,
            confidence_of_each: roundTo(heldOut.confidenceOfEach, 6),
            rows: heldOut.rows.map(({ name, scored, bestMinusThis }) => ({
              name,
              objective: objectiveInterval(study, scored.objective),
              feasible: scored.isFeasible,
              held_pct: constraintShares(study, scored),
              best_less_this: objectiveInterval(study, bestMinusThis),
            })),
          },
    tornado: tornado.map((effect) => effectOf(study, effect)),
    pareto: study.pareto === null ? null : paretoJson(study.pareto, result),
    bound: boundOf(result),
    search: searchJson(result),
  };
  return `${JSON.stringify(summary, null, 2)}\n`;
}

const searchJson = ({ study, search }: StudyResult) =>
  search === null
    ? null
    : {
        stopped: search.stopped,
        path: search.path.map(({ evaluations, restart, generation, stepLength, best: merit }) => ({
          evaluations,
          restart,
          generation,
          reach: roundTo(stepLength, 6),
          best_objective:
            merit.violation > 0
              ? null
              : roundObjective(study, study.objective.direction === "minimise" ? merit.value : -merit.value),
        })),
      };

const allocationJson = ({ allocation: { method, runCount, equalRunCount, rounds } }: StudyResult) => ({
  method,
  runs: runCount,
  equal_runs: equalRunCount,
  rounds,
});

/** Against the scenario as written. */
const confirmationJson = (study: Study, change: Confirmation | null) => ({
  probability_better: change && roundTo(change.probabilityBetter, 4),
  probability_of_min_difference: change && roundTo(change.probabilityOfMinDifference, 4),
  better_seeds: change?.betterSeedCount ?? null,
  more_runs: change?.moreRuns
    ? {
        runs: change.moreRuns.runs,
        half_width: roundObjective(study, change.moreRuns.halfWidth),
        runs_to_halve: change.moreRuns.runsToHalve,
      }
    : null,
});

const describe = (study: Study) => ({
  name: study.name,
  description: study.description,
  method: study.method,
  parameters: study.parameters.map((parameter) => ({
    name: parameter.name,
    path: parameter.path,
    ...(parameter.isFactor ? { is_factor: true } : {}),
    as_written: writtenForm(parameter, parameter.writtenValue),
  })),
  seeds: study.seeds,
  samples: study.samples,
  budget: study.budget,
  fork_at: study.forkAtMs === null ? null : isoUtc(study.forkAtMs),
  objective: { [study.objective.direction]: study.objective.text },
  constraints: study.constraints.map(({ name, bound, limit }) => ({ kpi: name, [bound]: limit })),
  confidence: study.confidence,
  min_difference: study.minDifference,
});

const scoreOf = (study: Study, scored: ScoredCandidate) => ({
  parameters: Object.fromEntries(
    study.parameters.map((parameter) => [parameter.name, writtenForm(parameter, parameterValue(parameter, scored))]),
  ),
  feasible: scored.isFeasible,
  held_pct: constraintShares(study, scored),
  ...(scored.refusal === null ? {} : { refusal: scored.refusal }),
  objective: objectiveInterval(study, scored.objective),
  kpis:
    scored.refusal === null
      ? Object.fromEntries(
          NUMERIC_KPI_NAMES.map((name) => [moneyName(name, study.currency), interval(scored.kpis.get(name) ?? null)]),
        )
      : {},
});

const roundedJson = ({ study, rounded }: StudyResult) =>
  rounded && {
    digits: rounded.digits,
    ...scoreOf(study, rounded.scored),
    objective_less_best: objectiveInterval(study, rounded.difference),
  };

const referenceOf = (study: Study, { name, scored, unexpressed }: StudyResult["references"][number]) => ({
  name,
  not_expressed: unexpressed,
  ...scoreOf(study, scored),
});

/** Share of the seeds on which each constraint is satisfied. */
const constraintShares = ({ constraints }: Study, scored: ScoredCandidate) =>
  constraints.map((constraint, k) => ({
    constraint: constraintText(constraint),
    pct: roundFigure(100 * scored.satisfiedShares[k]),
  }));

/** Shortfalls and their bound, means over the seeds of the bound. */
function boundOf(result: StudyResult) {
  const { bound, bestBound, written, best, references } = result;
  if (bound === null) return null;
  const shortfallOf = (scored: ScoredCandidate, seedsOf = bound) => roundFigure(meanShortfallKwh(seedsOf, scored));
  return {
    seeds: bound.seeds,
    method: bound.method,
    counted_kwh: roundFigure(bound.coveredRequestKwh),
    ...limitsOf(bound),
    as_written_shortfall_kwh: shortfallOf(written),
    best_shortfall_kwh: best === null ? null : shortfallOf(best.scored, bestBound ?? bound),
    best_settings: bestBound === null ? null : { method: bestBound.method, ...limitsOf(bestBound) },
    references: references.map(({ name, scored }) => ({ name, shortfall_kwh: shortfallOf(scored) })),
    assumptions: BOUND_ASSUMPTIONS.map((key) => textOf("en", key)),
  };
}

function limitsOf(bound: StudyBound) {
  const { boundKwh, withoutOutagesKwh, unlimitedEnergyKwh, unlimitedPowerKwh } = boundMeans(bound);
  return {
    least_shortfall_kwh: roundFigure(boundKwh),
    least_without_outages_kwh: roundFigure(withoutOutagesKwh),
    least_with_any_energy_kwh: roundFigure(unlimitedEnergyKwh),
    least_with_any_power_kwh: roundFigure(unlimitedPowerKwh),
  };
}

const paretoJson = (kpis: readonly NumericKpiName[], { study, front, frontShares, candidates }: StudyResult) => ({
  kpis: kpis.map((kpi) => moneyName(kpi, study.currency)),
  front: front.map((place, k) => ({
    candidate: place + 1,
    ...pairOf(study, kpis, candidates[place]),
    share_on_front: frontShares.length === 0 ? null : roundTo(frontShares[k], 3),
  })),
});

const pairOf = ({ currency }: Study, kpis: readonly NumericKpiName[], { kpis: figures }: ScoredCandidate) =>
  Object.fromEntries(kpis.map((kpi) => [moneyName(kpi, currency), roundFigure(figures.get(kpi)?.mean ?? null)]));

const effectOf = (study: Study, { parameter, low, high }: ParameterEffect) => ({
  parameter: parameter.name,
  low: { value: low.value, objective_less_written: objectiveInterval(study, low.difference) },
  high: { value: high.value, objective_less_written: objectiveInterval(study, high.difference) },
});

const interval = (estimate: Estimate | null) => intervalEnds(estimate, roundFigure);

/** An interval of the objective, or of a difference of objectives. */
const objectiveInterval = (study: Study, estimate: Estimate | null) =>
  intervalEnds(estimate, (value) => (value === null ? null : roundObjective(study, value)));

const intervalEnds = (estimate: Estimate | null, round: (value: number | null) => number | null) =>
  estimate === null ? null : { mean: round(estimate.mean), low: round(estimate.low), high: round(estimate.high) };
