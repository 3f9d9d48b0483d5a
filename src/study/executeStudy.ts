import { canonicalJson } from "../base/canonicalJson.ts";
import { largestOf, meanOf, smallestOf } from "../base/lists.ts";
import { RandomStreams } from "../engine/kernel/randomStreams.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import type { StudyPlan } from "./allocation/allocatedRuns.ts";
import { HELD_OUT_LOOKS } from "./allocation/confirm.ts";
import { equalStudy } from "./allocation/equalStudy.ts";
import { countRaceRuns, roundSeeds } from "./allocation/halving.ts";
import { EFFECT_SEEDS, FINALIST_SEEDS, raceStudy } from "./allocation/raceStudy.ts";
import { FINALISTS_MAX, SEARCH_SEEDS } from "./allocation/searchFinalists.ts";
import { countSelectionSeeds } from "./allocation/seedPlan.ts";
import type { BoundSolver } from "./bound/exactBoundKwh.ts";
import { studyBound } from "./bound/studyBound.ts";
import { buildReferenceRules, type ReferenceRule } from "./referenceRules.ts";
import { createDesign, type ParameterPatch, parameterLevels } from "./search/candidateDesign.ts";
import { frontOf } from "./statistics/front.ts";
import { frontShares } from "./statistics/frontShare.ts";
import { settingsKey } from "./statistics/multipleComparisons.ts";
import { pairedDifference, type ScoredCandidate } from "./statistics/scoreCandidate.ts";
import { isRace, type Study } from "./study.ts";
import type { ParameterEffect, StudyResult } from "./studyResult.ts";
import type { EvaluationRunner } from "./workers/evaluationRunner.ts";

/** Studies of more parameters have no effects: each effect takes two candidates. */
const TORNADO_MAX = 20;

/** Number of runs of a study, as far as it is known before the study begins; looks at held-out seeds may end earlier. */
export function countPlannedRuns(study: Study, references: readonly ReferenceRule[]): number {
  return isRace(study) ? countRacePlan(study, references) : countEqualPlan(study, references);
}

function countEqualPlan(study: Study, references: readonly ReferenceRule[]): number {
  const { seeds } = study;
  const design = study.method === "optimise" ? (study.budget ?? 1) : createDesign(study, 0).length;
  const heldOut = seeds.length > 1 ? 2 + references.length : 0;
  return seeds.length * (1 + design + 2 * effectCount(study) + references.length + heldOut);
}

function countRacePlan(study: Study, references: readonly ReferenceRule[]): number {
  const { method, budget } = study;
  const isSearch = method === "optimise";
  const entrants = 1 + references.length + (isSearch ? FINALISTS_MAX : createDesign(study, 0).length);
  const rounds = roundSeeds(isSearch ? FINALIST_SEEDS : 1, countSelectionSeeds(study));
  const search = isSearch ? SEARCH_SEEDS * (budget ?? 1) : 0;
  const heldOut = 2 * HELD_OUT_LOOKS[HELD_OUT_LOOKS.length - 1] + references.length * HELD_OUT_LOOKS[0];
  return search + countRaceRuns(entrants, rounds) + EFFECT_SEEDS * 2 * effectCount(study) + heldOut;
}

/** What each distinct candidate on every seed would have taken; a tail needs more seeds than a race begins with. */
function countEqualRuns(study: Study, { rules, design, ends }: StudyPlan, { best }: Pick<StudyResult, "best">): number {
  const seedCount = study.objective.worstPct === null ? study.seeds.length : countSelectionSeeds(study);
  const rulePatches = rules.map(({ patch }) => patch);
  const distinct = (patches: readonly ParameterPatch[], keyOf: (patch: ParameterPatch) => string): number =>
    new Set(patches.map(keyOf)).size;
  const first = distinct([{}, ...rulePatches, ...design, ...ends], (patch) => canonicalJson(patch));
  const heldOut = distinct([best?.scored.patch ?? {}, {}, ...rulePatches], (patch) =>
    settingsKey(study.parameters, { patch }),
  );
  return seedCount * (first + (study.budget ?? 0) + (best === null ? 0 : heldOut));
}

const effectCount = ({ parameters }: Study): number => (parameters.length > TORNADO_MAX ? 0 : parameters.length);

/** Runs the candidates of a study. Their order depends on the study alone. */
export async function executeStudy(
  study: Study,
  worldOf: (patch: ParameterPatch) => WorldSpec,
  evaluations: EvaluationRunner,
  bounding: { readonly solve: BoundSolver; readonly signal: AbortSignal },
): Promise<Omit<StudyResult, "scenarioHash" | "applyCommand">> {
  const world = worldOf({});
  const rules = buildReferenceRules(study, world);
  const ends = parameterEnds(study);
  const plan = { rules, design: createDesign(study, world.seed), ends: ends.flat(), seed: world.seed };
  const {
    ends: scoredEnds,
    rounds,
    ...found
  } = await (isRace(study) ? raceStudy : equalStudy)(study, plan, evaluations);
  const { written, candidates, best } = found;
  // The bound is compared with means on the seeds that it has.
  const boundSeeds = study.seeds.slice(0, written.seedCount);
  return {
    ...found,
    study,
    differences: candidates.map((candidate) => pairedDifference(study, candidate, written)),
    ...paretoFront(study, candidates, { seedCount: written.seedCount, seed: world.seed }),
    tornado: effects(study, written, ends, scoredEnds),
    allocation: {
      method: isRace(study) ? "race" : "equal",
      runCount: evaluations.runCount,
      equalRunCount: isRace(study) ? countEqualRuns(study, plan, found) : evaluations.runCount,
      rounds,
    },
    bound: await studyBound(world, boundSeeds, bounding),
    bestBound:
      best === null || changesOnlyWeights(best.scored.patch)
        ? null
        : await studyBound(worldOf(best.scored.patch), boundSeeds, bounding),
  };
}

/** The bound is independent of weights and VPP options. */
const changesOnlyWeights = (patch: ParameterPatch): boolean =>
  Object.keys(patch).every((path) => path.startsWith("weights.") || path.startsWith("vpps."));

/** Each parameter alone at its lowest and its highest value; empty above `TORNADO_MAX` parameters. */
function parameterEnds({ parameters }: Study): [low: ParameterPatch, high: ParameterPatch][] {
  if (parameters.length > TORNADO_MAX) return [];
  return parameters.map(({ path, domain }) => {
    const levels = parameterLevels(domain);
    return [{ [path]: smallestOf(levels) }, { [path]: largestOf(levels) }];
  });
}

function effects(
  study: Study,
  written: ScoredCandidate,
  ends: ReturnType<typeof parameterEnds>,
  scored: readonly ScoredCandidate[],
): ParameterEffect[] {
  const found = ends.map((patches, k): ParameterEffect => {
    const { path } = study.parameters[k];
    const end = (side: 0 | 1) => ({
      value: patches[side][path],
      difference: pairedDifference(study, scored[2 * k + side], written),
    });
    return { parameter: study.parameters[k], low: end(0), high: end(1) };
  });
  const size = ({ low, high }: ParameterEffect) =>
    Math.max(Math.abs(low.difference?.mean ?? 0), Math.abs(high.difference?.mean ?? 0));
  return found
    .map((effect, k) => ({ effect, k }))
    .sort((a, b) => size(b.effect) - size(a.effect) || a.k - b.k)
    .map(({ effect }) => effect);
}

/**
 * The feasible candidates that no other one dominates, sorted by the first KPI, of those that stayed to the end; of equal candidates the
 * first one.
 *
 * @returns their indices, and the share of resampled seeds on which each is on the front; none of a single seed
 */
export function paretoFront(
  { name, pareto }: Study,
  candidates: readonly ScoredCandidate[],
  { seedCount, seed }: { seedCount: number; seed: number },
): Pick<StudyResult, "front" | "frontShares"> {
  if (pareto === null) return { front: [], frontShares: [] };
  const compared = [...candidates.keys()].filter(
    (k) => candidates[k].seedCount === seedCount && candidates[k].isFeasible,
  );
  const costs = compared.map((k) => candidates[k].frontCosts);
  const front = frontOf(costs.map((figures) => figures.map(meanOf)));
  const stream = new RandomStreams(seed).getStream("study front", name);
  return {
    front: front.map((place) => compared[place]),
    frontShares: seedCount < 2 ? [] : frontShares(costs, front, stream),
  };
}
