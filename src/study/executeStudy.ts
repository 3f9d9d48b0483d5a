import { canonicalJson } from "../base/canonicalJson.ts";
import type { WorldSpec } from "../simulation/worldSpec.ts";
import type { BoundSolver } from "./bound/exactBoundKwh.ts";
import { studyBound } from "./bound/studyBound.ts";
import { buildReferenceRules, type ReferenceRule } from "./referenceRules.ts";
import { createDesign, type ParameterPatch, parameterLevels } from "./search/candidateDesign.ts";
import { optimise } from "./search/optimise.ts";
import { compareWithAll, countIndistinguishable, settingsKey } from "./statistics/multipleComparisons.ts";
import { paretoFront } from "./statistics/paretoFront.ts";
import {
  bestCandidateIndex,
  pairedDifference,
  type ScoredCandidate,
  scoreCandidate,
} from "./statistics/scoreCandidate.ts";
import type { Study } from "./study.ts";
import type { BestCandidate, HeldOutResult, NamedCandidate, ParameterEffect, StudyResult } from "./studyResult.ts";
import type { EvaluationRunner } from "./workers/evaluationRunner.ts";

/** Effects of more parameters than this are left out: each costs two candidates. */
const TORNADO_MAX = 20;

/** How many runs a study needs, as far as that is known before it begins. */
export function countPlannedRuns(study: Study, references: readonly ReferenceRule[]): number {
  const { parameters, seeds } = study;
  const design = study.method === "optimise" ? (study.budget ?? 1) : createDesign(study, 0).length;
  const tornado = parameters.length > TORNADO_MAX ? 0 : 2 * parameters.length;
  const heldOut = seeds.length > 1 ? 2 + references.length : 0;
  return seeds.length * (1 + design + tornado + references.length + heldOut);
}

/** Runs everything that a study asks for, in an order that depends on nothing but the study. */
export async function executeStudy(
  study: Study,
  worldOf: (patch: ParameterPatch) => WorldSpec,
  evaluations: EvaluationRunner,
  bounding: { readonly solve: BoundSolver; readonly signal: AbortSignal },
): Promise<Omit<StudyResult, "scenarioHash">> {
  const world = worldOf({});
  const scoreAll = createScorer(study, evaluations, study.seeds);
  const rules = buildReferenceRules(study, world);
  const usual: ParameterPatch[] = [{}, ...rules.map(({ patch }) => patch)];
  const design = createDesign(study, world.seed);
  // All that is known from the start in one go: whoever runs has to wait for the others once, not after every part.
  const [written, ...ruled] = await scoreAll([...usual, ...design, ...parameterEnds(study).flat()]);
  const found =
    study.method === "optimise"
      ? await optimise(study, world.seed, usual, scoreAll)
      : { candidates: await scoreAll(design), path: null };
  const { candidates } = found;
  const best = selectBest(study, written, candidates);
  const references = rules.map(({ name }, k) => ({ name, scored: ruled[k] }));
  return {
    study,
    written,
    candidates,
    differences: candidates.map((candidate) => pairedDifference(study, candidate, written)),
    best,
    front: study.pareto === null ? [] : paretoFront(candidates, study.pareto),
    tornado: await evaluateTornado(study, written, scoreAll),
    references,
    heldOut: best === null ? null : await evaluateHeldOut(study, { best, written, references }, evaluations),
    bound: await studyBound(world, study.seeds, bounding),
    bestBound:
      best === null || changesOnlyWeights(best.scored.patch)
        ? null
        : await studyBound(worldOf(best.scored.patch), study.seeds, bounding),
    search: found.path === null ? null : { path: found.path, stopped: found.stopped },
  };
}

/** Weights and options of VPPs do not show in the bound. */
const changesOnlyWeights = (patch: ParameterPatch): boolean =>
  Object.keys(patch).every((path) => path.startsWith("weights.") || path.startsWith("vpps."));

type ScoreCandidates = (patches: readonly ParameterPatch[]) => Promise<ScoredCandidate[]>;

/** Scores candidates on some seeds, each of them once. */
function createScorer(study: Study, evaluations: EvaluationRunner, seeds: readonly number[]): ScoreCandidates {
  const known = new Map<string, ScoredCandidate>();
  return async (patches) => {
    const keys = patches.map((patch) => canonicalJson(patch));
    const firsts = new Set<string>();
    const fresh = patches.filter((_, k) => !known.has(keys[k]) && !firsts.has(keys[k]) && firsts.add(keys[k]));
    await evaluations.evaluateEach(fresh, seeds, (k, outcomes) => {
      known.set(canonicalJson(fresh[k]), scoreCandidate(study, fresh[k], outcomes));
    });
    return keys.map((key) => known.get(key) as ScoredCandidate);
  };
}

function selectBest(
  study: Study,
  written: ScoredCandidate,
  candidates: readonly ScoredCandidate[],
): BestCandidate | null {
  const all = [written, ...candidates];
  const place = bestCandidateIndex(study, all);
  if (place < 0) return null;
  const scored = all[place];
  const key = settingsKey(study.parameters, scored);
  const others = candidates.filter(
    (candidate, k) => k !== place - 1 && candidate.isFeasible && settingsKey(study.parameters, candidate) !== key,
  );
  return {
    candidateIndex: place - 1,
    scored,
    difference: pairedDifference(study, scored, written),
    indistinguishableCount: countIndistinguishable(study, scored, others),
  };
}

/** Each parameter alone at its lowest and its highest value; none where there are too many of them. */
function parameterEnds({ parameters }: Study): [low: ParameterPatch, high: ParameterPatch][] {
  if (parameters.length > TORNADO_MAX) return [];
  return parameters.map(({ path, domain }) => {
    const levels = parameterLevels(domain);
    return [{ [path]: Math.min(...levels) }, { [path]: Math.max(...levels) }];
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
    const { name, path } = study.parameters[k];
    const end = (which: 0 | 1) => ({
      value: patches[which][path],
      difference: pairedDifference(study, scored[2 * k + which], written),
    });
    return { parameter: name, low: end(0), high: end(1) };
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

/** As many seeds as are given, the next ones that are not among them. */
function nextSeeds(given: readonly number[]): number[] {
  const taken = new Set(given);
  const seeds: number[] = [];
  const largest = given.reduce((most, seed) => Math.max(most, seed), 0);
  let next = largest < Number.MAX_SAFE_INTEGER - given.length ? largest + 1 : 0;
  for (; seeds.length < given.length; next++) if (!taken.has(next)) seeds.push(next);
  return seeds;
}

/** As many seeds as the study has, after its largest: none of them had a say in the choice. */
async function evaluateHeldOut(
  study: Study,
  {
    best,
    written,
    references,
  }: { best: BestCandidate; written: ScoredCandidate; references: readonly NamedCandidate[] },
  evaluations: EvaluationRunner,
): Promise<HeldOutResult | null> {
  // Where no seed makes a difference to any of them, others would make none either.
  if (study.seeds.length < 2 || [best.scored, written, ...references.map(({ scored }) => scored)].every(hasNoVariance))
    return null;
  const seeds = nextSeeds(study.seeds);
  const named = [
    { name: "best", patch: best.scored.patch },
    { name: "as written", patch: written.patch },
    ...references.map(({ name, scored }) => ({ name, patch: scored.patch })),
  ];
  const scored = await createScorer(study, evaluations, seeds)(named.map(({ patch }) => patch));
  const { count, differences } = compareWithAll(study, scored[0], scored);
  return {
    seeds,
    comparisonCount: count,
    rows: named.map(({ name }, k) => ({ name, scored: scored[k], bestMinusThis: differences[k] })),
  };
}
