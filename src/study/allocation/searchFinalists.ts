import type { NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { meanOf, smallestOf } from "../../base/lists.ts";
import type { ReferenceRule } from "../referenceRules.ts";
import { type ParameterPatch, patchFromShares } from "../search/candidateDesign.ts";
import { meritOf, searchOf } from "../search/optimise.ts";
import { searchBox } from "../search/searchBox.ts";
import { frontOf } from "../statistics/front.ts";
import type { ScoredCandidate } from "../statistics/scoreCandidate.ts";
import { costOf, objectiveKpi, type Study } from "../study.ts";
import type { StudyResult } from "../studyResult.ts";
import type { EvaluationRunner } from "../workers/evaluationRunner.ts";
import { type SeedPlan, searchSeeds } from "./seedPlan.ts";
import { SeedRuns } from "./seedRuns.ts";

/** Fresh ones for each generation: fixed few seeds would draw the search to the optimum of these seeds. */
export const SEARCH_SEEDS = 3;
/** With `fork_at` generations take turns among as many, whose common part is kept. */
const FORKED_SEEDS = 15;
/** Last ones of each start of the search, of which each gives its best point and its centre. */
const FINAL_GENERATIONS = 10;
export const FINALISTS_MAX = 2 * FINAL_GENERATIONS;

interface Finalists {
  readonly finalists: readonly ParameterPatch[];
  readonly search: NonNullable<StudyResult["search"]>;
}

/** Searches with CMA-ES, each generation on seeds of its own. Its values are comparable within a generation alone. */
export async function searchFinalists(
  study: Study,
  { rules, seed, plan }: { rules: readonly ReferenceRule[]; seed: number; plan: SeedPlan },
  evaluations: EvaluationRunner,
): Promise<Finalists> {
  const box = searchOf(study, seed, [{}, ...rules.map(({ patch }) => patch)]);
  const seeds = searchSeeds(plan, study.forkAtMs === null ? SEARCH_SEEDS * box.budget : FORKED_SEEDS);
  const patchOf = (point: Float64Array): ParameterPatch => patchFromShares(study.parameters, [...point]);
  const extremes: ScoredCandidate[] = [];
  const furtherKpis = (study.pareto ?? []).filter((kpi) => kpi !== objectiveKpi(study));
  let place = 0;
  const { path, stopped, generations } = await searchBox({ ...box, isComparable: false }, async (points) => {
    const own = Array.from({ length: SEARCH_SEEDS }, () => seeds[place++ % seeds.length]);
    const scored = await new SeedRuns(study, evaluations, own).run(points.map(patchOf), SEARCH_SEEDS);
    extremes.push(...furtherKpis.map((kpi) => bestIn(kpi, scored)));
    return scored.map((candidate) => meritOf(study, candidate));
  });
  const last = generations.filter((_, k) => path[k + FINAL_GENERATIONS]?.restart !== path[k].restart);
  // Their seeds differ, so that this is a rough choice.
  const front = frontOf(extremes.map(({ frontCosts }) => frontCosts.map(meanOf))).map((k) => extremes[k].patch);
  const patches = [...last.flatMap(({ best, centre }) => [patchOf(best), patchOf(centre)]), ...front];
  return { finalists: distinct(patches), search: { path, stopped } };
}

function bestIn(kpi: NumericKpiName, scored: readonly ScoredCandidate[]): ScoredCandidate {
  const costs = scored.map(({ kpis }) => costOf(kpi, kpis.get(kpi)?.mean));
  return scored[costs.indexOf(smallestOf(costs))];
}

const distinct = (patches: readonly ParameterPatch[]): ParameterPatch[] => [
  ...new Map(patches.map((patch) => [JSON.stringify(patch), patch])).values(),
];
