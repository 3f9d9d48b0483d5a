import { KPI_NAMES } from "../../accounting/kpis/kpis.ts";
import { roundTo } from "../../base/rounding.ts";
import { isoUtc } from "../../base/time.ts";
import { VERSION } from "../../version.ts";
import { BOUND_ASSUMPTIONS, type StudyBound } from "../bound/studyBound.ts";
import { eachOf } from "../statistics/comparisons.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { Scored } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import type { Effect, StudyResult } from "../studyResult.ts";
import { boundMeans, shortfallBeside } from "./boundWords.ts";
import { constraintText, roundedObjective } from "./words.ts";

/** What summary.json of a study holds; equal results give equal bytes. */
export function summaryJson(result: StudyResult): string {
  const { study, written, candidates, best, front, tornado, references, heldOut, search } = result;
  const summary = {
    study: describe(study),
    scenario: { name: study.scenarioName, hash: result.scenarioHash, version: VERSION },
    candidates: candidates.length,
    feasible: candidates.filter(({ feasible }) => feasible).length,
    refused: candidates.filter(({ refusal }) => refusal !== null).length,
    best:
      best === null
        ? null
        : {
            candidate: best.candidate + 1,
            ...scoreOf(study, best.scored),
            objective_less_written: goal(study, best.difference),
            not_ruled_out: best.notRuledOut,
          },
    as_written: scoreOf(study, written),
    references: references.map(({ name, scored }) => ({ name, ...scoreOf(study, scored) })),
    held_out:
      heldOut === null
        ? null
        : {
            seeds: heldOut.seeds,
            // Intervals of best_less_this hold all at once with the study's confidence.
            comparisons: heldOut.comparisons,
            confidence_of_each: roundTo(eachOf(heldOut.comparisons, study.confidence), 6),
            rows: heldOut.rows.map(({ name, scored, bestLess }) => ({
              name,
              objective: goal(study, scored.objective),
              feasible: scored.feasible,
              held_pct: held(study, scored),
              best_less_this: goal(study, bestLess),
            })),
          },
    tornado: tornado.map((effect) => effectOf(study, effect)),
    pareto:
      study.pareto === null
        ? null
        : {
            kpis: study.pareto,
            front: front.map((place) => ({
              candidate: place + 1,
              ...pairOf(study.pareto as readonly string[], candidates[place]),
            })),
          },
    bound: boundOf(result),
    search:
      search === null
        ? null
        : {
            stopped: search.stopped,
            path: search.path.map(({ evaluations, restart, generation, reach, best: merit }) => ({
              evaluations,
              restart,
              generation,
              reach: roundTo(reach, 6),
              best_objective:
                merit.violation > 0
                  ? null
                  : roundedObjective(study, study.objective.direction === "minimise" ? merit.value : -merit.value),
            })),
          },
  };
  return `${JSON.stringify(summary, null, 2)}\n`;
}

const describe = (study: Study) => ({
  name: study.name,
  description: study.description,
  method: study.method,
  parameters: study.parameters.map(({ name, path, writtenValue }) => ({ name, path, as_written: writtenValue })),
  seeds: study.seeds,
  samples: study.samples,
  budget: study.budget,
  fork_at: study.forkAtMs === null ? null : isoUtc(study.forkAtMs),
  objective: { [study.objective.direction]: study.objective.text },
  constraints: study.constraints.map(({ kpi, bound, limit }) => ({ kpi, [bound]: limit })),
  confidence: study.confidence,
});

const scoreOf = (study: Study, scored: Scored) => ({
  parameters: Object.fromEntries(
    study.parameters.map(({ name, path, writtenValue }) => [name, scored.patch[path] ?? writtenValue]),
  ),
  feasible: scored.feasible,
  held_pct: held(study, scored),
  ...(scored.refusal === null ? {} : { refusal: scored.refusal }),
  objective: goal(study, scored.objective),
  kpis:
    scored.refusal === null
      ? Object.fromEntries(KPI_NAMES.map((name) => [name, interval(scored.kpis.get(name) ?? null)]))
      : {},
});

/** Share of the seeds on which each constraint holds. */
const held = ({ constraints }: Study, scored: Scored) =>
  constraints.map((constraint, k) => ({ constraint: constraintText(constraint), pct: rounded(100 * scored.held[k]) }));

/** Shortfall beside its bound, means over the seeds of the bound. */
function boundOf(result: StudyResult) {
  const { bound, bestBound, written, best, references } = result;
  if (bound === null) return null;
  const beside = (scored: Scored, of = bound) => rounded(shortfallBeside(of, scored));
  return {
    seeds: bound.seeds,
    method: bound.method,
    counted_kwh: rounded(bound.countedKwh),
    ...limitsOf(bound),
    as_written_shortfall_kwh: beside(written),
    best_shortfall_kwh: best === null ? null : beside(best.scored, bestBound ?? bound),
    best_settings: bestBound === null ? null : { method: bestBound.method, ...limitsOf(bestBound) },
    references: references.map(({ name, scored }) => ({ name, shortfall_kwh: beside(scored) })),
    assumptions: BOUND_ASSUMPTIONS,
  };
}

function limitsOf(bound: StudyBound) {
  const { leastKwh, noOutagesKwh, anyEnergyKwh, anyPowerKwh } = boundMeans(bound);
  return {
    least_shortfall_kwh: rounded(leastKwh),
    least_without_outages_kwh: rounded(noOutagesKwh),
    least_with_any_energy_kwh: rounded(anyEnergyKwh),
    least_with_any_power_kwh: rounded(anyPowerKwh),
  };
}

const pairOf = (kpis: readonly string[], { kpis: figures }: Scored) =>
  Object.fromEntries(kpis.map((kpi) => [kpi, rounded(figures.get(kpi)?.mean ?? null)]));

const effectOf = (study: Study, { parameter, low, high }: Effect) => ({
  parameter,
  low: { value: low.value, objective_less_written: goal(study, low.difference) },
  high: { value: high.value, objective_less_written: goal(study, high.difference) },
});

/** Of a figure. */
const interval = (estimate: Estimate | null) => ends(estimate, rounded);

/** Of the objective, or of a difference of it. */
const goal = (study: Study, estimate: Estimate | null) =>
  ends(estimate, (value) => (value === null ? null : roundedObjective(study, value)));

const ends = (estimate: Estimate | null, round: (value: number | null) => number | null) =>
  estimate === null ? null : { mean: round(estimate.mean), low: round(estimate.low), high: round(estimate.high) };

const rounded = (value: number | null): number | null => (value === null ? null : roundTo(value, 3));
