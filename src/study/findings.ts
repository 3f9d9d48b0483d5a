import { canonicalJson } from "../base/canonicalJson.ts";
import type { WorldSpec } from "../simulation/worldSpec.ts";
import type { Solve } from "./bound/exactBound.ts";
import { studyBound } from "./bound/studyBound.ts";
import { type Reference, referencesOf } from "./references.ts";
import { designOf, levelsOf, type Patch } from "./search/candidates.ts";
import { optimise } from "./search/optimise.ts";
import { compareWith, countNotRuledOut, settingsKey } from "./statistics/comparisons.ts";
import { paretoFront } from "./statistics/paretoFront.ts";
import { bestOf, pairedDifference, type Scored, scoreCandidate } from "./statistics/scoreCandidate.ts";
import type { Study } from "./study.ts";
import type { Best, Effect, HeldOut, NamedScore, StudyResult } from "./studyResult.ts";
import type { Evaluations } from "./workers/evaluations.ts";

/** Effects of more parameters than this are left out: each costs two candidates. */
const TORNADO_MAX = 20;

/** How many runs a study needs, as far as that is known before it begins. */
export function runsPlanned(study: Study, references: readonly Reference[]): number {
  const { parameters, seeds } = study;
  const design = study.method === "optimise" ? (study.budget ?? 1) : designOf(study, 0).length;
  const tornado = parameters.length > TORNADO_MAX ? 0 : 2 * parameters.length;
  const heldOut = seeds.length > 1 ? 2 + references.length : 0;
  return seeds.length * (1 + design + tornado + references.length + heldOut);
}

/** Runs everything that a study asks for, in an order that depends on nothing but the study. */
export async function findOut(
  study: Study,
  worldOf: (patch: Patch) => WorldSpec,
  evaluations: Evaluations,
  bounding: { readonly solve: Solve; readonly signal: AbortSignal },
): Promise<Omit<StudyResult, "scenarioHash">> {
  const world = worldOf({});
  const scoreAll = scorer(study, evaluations, study.seeds);
  const rules = referencesOf(study, world);
  const usual: Patch[] = [{}, ...rules.map(({ patch }) => patch)];
  const design = designOf(study, world.seed);
  // All that is known from the start in one go: whoever runs has to wait for the others once, not after every part.
  const [written, ...ruled] = await scoreAll([...usual, ...design, ...endsOf(study).flat()]);
  const found =
    study.method === "optimise"
      ? await optimise(study, world.seed, usual, scoreAll)
      : { candidates: await scoreAll(design), path: null };
  const { candidates } = found;
  const best = bestOfAll(study, written, candidates);
  const references = rules.map(({ name }, k) => ({ name, scored: ruled[k] }));
  return {
    study,
    written,
    candidates,
    differences: candidates.map((candidate) => pairedDifference(study, candidate, written)),
    best,
    front: study.pareto === null ? [] : paretoFront(candidates, study.pareto),
    tornado: await tornadoOf(study, written, scoreAll),
    references,
    heldOut: best === null ? null : await heldOutOf(study, { best, written, references }, evaluations),
    bound: await studyBound(world, study.seeds, bounding),
    bestBound:
      best === null || touchesWeightsAlone(best.scored.patch)
        ? null
        : await studyBound(worldOf(best.scored.patch), study.seeds, bounding),
    search: found.path === null ? null : { path: found.path, stopped: found.stopped },
  };
}

/** Weights and options of VPPs do not show in the bound. */
const touchesWeightsAlone = (patch: Patch): boolean =>
  Object.keys(patch).every((path) => path.startsWith("weights.") || path.startsWith("vpps."));

type Score = (patches: readonly Patch[]) => Promise<Scored[]>;

/** Scores candidates on some seeds, each of them once. */
function scorer(study: Study, evaluations: Evaluations, seeds: readonly number[]): Score {
  const known = new Map<string, Scored>();
  return async (patches) => {
    const keys = patches.map((patch) => canonicalJson(patch));
    const firsts = new Set<string>();
    const fresh = patches.filter((_, k) => !known.has(keys[k]) && !firsts.has(keys[k]) && firsts.add(keys[k]));
    await evaluations.each(fresh, seeds, (k, outcomes) => {
      known.set(canonicalJson(fresh[k]), scoreCandidate(study, fresh[k], outcomes));
    });
    return keys.map((key) => known.get(key) as Scored);
  };
}

function bestOfAll(study: Study, written: Scored, candidates: readonly Scored[]): Best | null {
  const all = [written, ...candidates];
  const place = bestOf(study, all);
  if (place < 0) return null;
  const scored = all[place];
  const key = settingsKey(study.parameters, scored);
  const others = candidates.filter(
    (candidate, k) => k !== place - 1 && candidate.feasible && settingsKey(study.parameters, candidate) !== key,
  );
  return {
    candidate: place - 1,
    scored,
    difference: pairedDifference(study, scored, written),
    notRuledOut: countNotRuledOut(study, scored, others),
  };
}

/** Each parameter alone at its lowest and its highest value; none where there are too many of them. */
function endsOf({ parameters }: Study): [low: Patch, high: Patch][] {
  if (parameters.length > TORNADO_MAX) return [];
  return parameters.map(({ path, choices }) => {
    const levels = levelsOf(choices);
    return [{ [path]: Math.min(...levels) }, { [path]: Math.max(...levels) }];
  });
}

async function tornadoOf(study: Study, written: Scored, scoreAll: Score): Promise<Effect[]> {
  const ends = endsOf(study);
  const scored = await scoreAll(ends.flat());
  const effects = ends.map((patches, k): Effect => {
    const { name, path } = study.parameters[k];
    const end = (which: 0 | 1) => ({
      value: patches[which][path],
      difference: pairedDifference(study, scored[2 * k + which], written),
    });
    return { parameter: name, low: end(0), high: end(1) };
  });
  const size = ({ low, high }: Effect) =>
    Math.max(Math.abs(low.difference?.mean ?? 0), Math.abs(high.difference?.mean ?? 0));
  return effects
    .map((effect, k) => ({ effect, k }))
    .sort((a, b) => size(b.effect) - size(a.effect) || a.k - b.k)
    .map(({ effect }) => effect);
}

const isSteady = ({ objectives }: Scored): boolean =>
  objectives === null || objectives.every((value) => value === objectives[0]);

/** As many seeds as are given, the next ones that are not among them. */
function seedsBeyond(given: readonly number[]): number[] {
  const taken = new Set(given);
  const seeds: number[] = [];
  const largest = given.reduce((most, seed) => Math.max(most, seed), 0);
  let next = largest < Number.MAX_SAFE_INTEGER - given.length ? largest + 1 : 0;
  for (; seeds.length < given.length; next++) if (!taken.has(next)) seeds.push(next);
  return seeds;
}

/** As many seeds as the study has, after its largest: none of them had a say in the choice. */
async function heldOutOf(
  study: Study,
  { best, written, references }: { best: Best; written: Scored; references: readonly NamedScore[] },
  evaluations: Evaluations,
): Promise<HeldOut | null> {
  // Where no seed makes a difference to any of them, others would make none either.
  if (study.seeds.length < 2 || [best.scored, written, ...references.map(({ scored }) => scored)].every(isSteady))
    return null;
  const seeds = seedsBeyond(study.seeds);
  const named = [
    { name: "best", patch: best.scored.patch },
    { name: "as written", patch: written.patch },
    ...references.map(({ name, scored }) => ({ name, patch: scored.patch })),
  ];
  const scored = await scorer(study, evaluations, seeds)(named.map(({ patch }) => patch));
  const { count, together } = compareWith(study, scored[0], scored);
  return {
    seeds,
    comparisons: count,
    rows: named.map(({ name }, k) => ({ name, scored: scored[k], bestLess: together[k] })),
  };
}
