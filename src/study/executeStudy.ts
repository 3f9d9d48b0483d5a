import { kpiOf, type NumericKpiName } from "../accounting/kpis/kpiRegistry.ts";
import { assert } from "../base/assert.ts";
import { canonicalJson } from "../base/canonicalJson.ts";
import { largestOf, smallestOf } from "../base/lists.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import type { BoundSolver } from "./bound/exactBoundKwh.ts";
import { studyBound } from "./bound/studyBound.ts";
import { buildReferenceRules, type ReferenceRule } from "./referenceRules.ts";
import { createDesign, type ParameterPatch, parameterLevels, scenarioPatch } from "./search/candidateDesign.ts";
import { optimise } from "./search/optimise.ts";
import { roundWeights } from "./search/roundedWeights.ts";
import { compareWithAll, countIndistinguishable, settingsKey } from "./statistics/multipleComparisons.ts";
import {
  bestCandidateIndex,
  pairedDifference,
  type ScoredCandidate,
  scoreCandidate,
} from "./statistics/scoreCandidate.ts";
import type { Study } from "./study.ts";
import type { BestCandidate, HeldOutResult, NamedCandidate, ParameterEffect, StudyResult } from "./studyResult.ts";
import type { EvaluationRunner } from "./workers/evaluationRunner.ts";

/** Studies of more parameters have no effects: each effect takes two candidates. */
const TORNADO_MAX = 20;

/** Number of runs of a study, as far as it is known before the study begins. */
export function countPlannedRuns(study: Study, references: readonly ReferenceRule[]): number {
  const { parameters, seeds } = study;
  const design = study.method === "optimise" ? (study.budget ?? 1) : createDesign(study, 0).length;
  const tornado = parameters.length > TORNADO_MAX ? 0 : 2 * parameters.length;
  const heldOut = seeds.length > 1 ? 2 + references.length : 0;
  return seeds.length * (1 + design + tornado + references.length + heldOut);
}

/** Runs all candidates of a study. Their order depends on the study alone. */
export async function executeStudy(
  study: Study,
  worldOf: (patch: ParameterPatch) => WorldSpec,
  evaluations: EvaluationRunner,
  bounding: { readonly solve: BoundSolver; readonly signal: AbortSignal },
): Promise<Omit<StudyResult, "scenarioHash" | "applyCommand">> {
  const world = worldOf({});
  const scoreAll = createScorer(study, evaluations, study.seeds);
  const rules = buildReferenceRules(study, world);
  const baseCandidates: ParameterPatch[] = [{}, ...rules.map(({ patch }) => patch)];
  const design = createDesign(study, world.seed);
  // All candidates known from the start run in one batch, so that workers synchronise once.
  const [written, ...referenceScores] = await scoreAll([...baseCandidates, ...design, ...parameterEnds(study).flat()]);
  const searched =
    study.method === "optimise"
      ? await optimise(study, world.seed, baseCandidates, scoreAll)
      : { candidates: await scoreAll(design), path: null };
  const { candidates } = searched;
  const best = selectBest(study, written, candidates);
  const references = rules.map(({ name, unexpressed }, k) => ({ name, unexpressed, scored: referenceScores[k] }));
  return {
    study,
    written,
    candidates,
    differences: candidates.map((candidate) => pairedDifference(study, candidate, written)),
    best,
    rounded: best === null ? null : await roundWeights(study, best, scoreAll),
    front: study.pareto === null ? [] : paretoFront(candidates, study.pareto),
    tornado: await evaluateTornado(study, written, scoreAll),
    references,
    heldOut: best === null ? null : await evaluateHeldOut(study, { best, written, references }, evaluations),
    bound: await studyBound(world, study.seeds, bounding),
    bestBound:
      best === null || changesOnlyWeights(best.scored.patch)
        ? null
        : await studyBound(worldOf(best.scored.patch), study.seeds, bounding),
    search: searched.path === null ? null : { path: searched.path, stopped: searched.stopped },
  };
}

/** The bound is independent of weights and VPP options. */
const changesOnlyWeights = (patch: ParameterPatch): boolean =>
  Object.keys(patch).every((path) => path.startsWith("weights.") || path.startsWith("vpps."));

type ScoreCandidates = (patches: readonly ParameterPatch[]) => Promise<ScoredCandidate[]>;

/** Scores candidates on given seeds, each distinct candidate once. */
function createScorer(study: Study, evaluations: EvaluationRunner, seeds: readonly number[]): ScoreCandidates {
  const scoredByKey = new Map<string, ScoredCandidate>();
  return async (patches) => {
    const keys = patches.map((patch) => canonicalJson(patch));
    const firsts = new Set<string>();
    const unscored = patches.filter((_, k) => !scoredByKey.has(keys[k]) && !firsts.has(keys[k]) && firsts.add(keys[k]));
    const changes = unscored.map((patch) => scenarioPatch(study, patch));
    await evaluations.evaluateEach(changes, seeds, (k, outcomes) => {
      scoredByKey.set(canonicalJson(unscored[k]), scoreCandidate(study, unscored[k], outcomes));
    });
    return keys.map((key) => scoredByKey.get(key) as ScoredCandidate);
  };
}

function selectBest(
  study: Study,
  written: ScoredCandidate,
  candidates: readonly ScoredCandidate[],
): BestCandidate | null {
  const all = [written, ...candidates];
  const bestIndex = bestCandidateIndex(study, all);
  if (bestIndex < 0) return null;
  const scored = all[bestIndex];
  const key = settingsKey(study.parameters, scored);
  const others = candidates.filter(
    (candidate, k) => k !== bestIndex - 1 && candidate.isFeasible && settingsKey(study.parameters, candidate) !== key,
  );
  return {
    candidateIndex: bestIndex - 1,
    scored,
    difference: pairedDifference(study, scored, written),
    indistinguishableCount: countIndistinguishable(study, scored, others),
  };
}

/** Each parameter alone at its lowest and its highest value; empty above `TORNADO_MAX` parameters. */
function parameterEnds({ parameters }: Study): [low: ParameterPatch, high: ParameterPatch][] {
  if (parameters.length > TORNADO_MAX) return [];
  return parameters.map(({ path, domain }) => {
    const levels = parameterLevels(domain);
    return [{ [path]: smallestOf(levels) }, { [path]: largestOf(levels) }];
  });
}

async function evaluateTornado(
  study: Study,
  written: ScoredCandidate,
  scoreAll: ScoreCandidates,
): Promise<ParameterEffect[]> {
  const ends = parameterEnds(study);
  const scored = await scoreAll(ends.flat());
  const effects = ends.map((patches, k): ParameterEffect => {
    const { path } = study.parameters[k];
    const end = (side: 0 | 1) => ({
      value: patches[side][path],
      difference: pairedDifference(study, scored[2 * k + side], written),
    });
    return { parameter: study.parameters[k], low: end(0), high: end(1) };
  });
  const size = ({ low, high }: ParameterEffect) =>
    Math.max(Math.abs(low.difference?.mean ?? 0), Math.abs(high.difference?.mean ?? 0));
  return effects
    .map((effect, k) => ({ effect, k }))
    .sort((a, b) => size(b.effect) - size(a.effect) || a.k - b.k)
    .map(({ effect }) => effect);
}

const hasNoVariance = ({ objectivePerSeed }: ScoredCandidate): boolean =>
  objectivePerSeed === null || objectivePerSeed.every((value) => value === objectivePerSeed[0]);

/** The same number of seeds as given, after the largest of them and disjoint from them. */
function nextSeeds(given: readonly number[]): number[] {
  const usedSeeds = new Set(given);
  const seeds: number[] = [];
  const largest = given.reduce((most, seed) => Math.max(most, seed), 0);
  let next = largest < Number.MAX_SAFE_INTEGER - given.length ? largest + 1 : 0;
  for (; seeds.length < given.length; next++) if (!usedSeeds.has(next)) seeds.push(next);
  return seeds;
}

/** Evaluates the best candidate on seeds that had no part in its selection, as many as the study has. */
async function evaluateHeldOut(
  study: Study,
  {
    best,
    written,
    references,
  }: { best: BestCandidate; written: ScoredCandidate; references: readonly NamedCandidate[] },
  evaluations: EvaluationRunner,
): Promise<HeldOutResult | null> {
  // Without variance on the study's seeds, other seeds would give the same values.
  if (study.seeds.length < 2 || [best.scored, written, ...references.map(({ scored }) => scored)].every(hasNoVariance))
    return null;
  const seeds = nextSeeds(study.seeds);
  const compared = [
    { name: "best", patch: best.scored.patch },
    { name: "as written", patch: written.patch },
    ...references.map(({ name, scored }) => ({ name, patch: scored.patch })),
  ];
  const scored = await createScorer(study, evaluations, seeds)(compared.map(({ patch }) => patch));
  const { count, differences } = compareWithAll(study, scored[0], scored);
  return {
    seeds,
    comparisonCount: count,
    rows: compared.map(({ name }, k) => ({ name, scored: scored[k], bestMinusThis: differences[k] })),
  };
}

/**
 * Indices of the feasible candidates that no other one dominates. Sorted by the first KPI, best first; of equal
 * candidates the first one.
 */
export function paretoFront(
  candidates: readonly ScoredCandidate[],
  [first, second]: readonly [NumericKpiName, NumericKpiName],
): number[] {
  const cost = (scored: ScoredCandidate, kpi: NumericKpiName): number => {
    const { direction } = kpiOf(kpi);
    assert(direction !== "neutral", () => `a study reads no Pareto front of ${kpi}, which has no better direction`);
    const mean = scored.kpis.get(kpi)?.mean ?? Number.POSITIVE_INFINITY;
    return direction === "more" ? -mean : mean;
  };
  const points = candidates
    .map((scored, place) => ({ place, scored, x: cost(scored, first), y: cost(scored, second) }))
    .filter(({ scored, x, y }) => scored.isFeasible && x < Number.POSITIVE_INFINITY && y < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.x - b.x || a.y - b.y || a.place - b.place);
  const front: number[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  for (const { place, y } of points)
    if (y < lowest) {
      front.push(place);
      lowest = y;
    }
  return front;
}
