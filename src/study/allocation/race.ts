import { assert } from "../../base/assert.ts";
import { meanOf } from "../../base/lists.ts";
import type { ParameterPatch } from "../search/candidateDesign.ts";
import { nonDominatedLayers } from "../statistics/front.ts";
import { compareCandidates, type ScoredCandidate } from "../statistics/scoreCandidate.ts";
import type { Study } from "../study.ts";
import { betterForFront, betterHalf, type RaceRound } from "./halving.ts";
import type { SeedRuns } from "./seedRuns.ts";

/** A race goes by means until there are seeds enough for a tail, so that some must stay until then. */
const TAIL_FINALISTS_MIN = 4;

interface Racer {
  readonly patch: ParameterPatch;
  /** The others race along, and are not chosen. */
  readonly isEligible: boolean;
}

interface RaceResult {
  readonly rounds: readonly RaceRound[];
  /** Of a racer, on the seeds that it has got. */
  readonly scoreOf: (patch: ParameterPatch) => ScoredCandidate;
}

/**
 * Runs candidates in rounds: the better half of each stays for the next one, which has more seeds.
 *
 * @param racers  of equal merit the first one is better; the runs of the very first stay held
 * @param seedsOfRounds  number of seeds at the end of each round
 */
export async function race(
  study: Study,
  racers: readonly Racer[],
  runs: SeedRuns,
  seedsOfRounds: readonly number[],
): Promise<RaceResult> {
  const scores = new Map<string, ScoredCandidate>();
  const rounds: RaceRound[] = [];
  let staying = distinctRacers(racers, runs);
  const [first] = staying;
  for (const seeds of seedsOfRounds) {
    const scored = await runs.run(
      staying.map(({ patch }) => patch),
      seeds,
    );
    scored.forEach((score) => scores.set(runs.keyOf(score.patch), score));
    rounds.push({ seeds, candidates: staying.length });
    if (staying.length === 1) break;
    const next = new Set(survivors(study, staying, scored));
    for (const racer of staying) if (!next.has(racer) && racer !== first) runs.release(racer.patch);
    staying = [...next];
  }
  const scoreOf = (patch: ParameterPatch): ScoredCandidate => {
    const score = scores.get(runs.keyOf(patch));
    assert(score !== undefined, () => "each candidate took part in the race");
    return { ...score, patch };
  };
  return { rounds, scoreOf };
}

/** The better half without those that the scenario refuses, in their own order, and at least one that can be chosen. */
function survivors(study: Study, staying: readonly Racer[], scored: readonly ScoredCandidate[]): Racer[] {
  const order = [...staying.keys()]
    .filter((k) => scored[k].refusal === null)
    .sort((a, b) => compareCandidates(study, scored[a], scored[b]) || a - b);
  const fewest = study.objective.worstPct === null ? 1 : TAIL_FINALISTS_MIN;
  const half =
    study.pareto === null ? betterHalf(order, fewest) : betterForFront(order, layersOf(order.map((k) => scored[k])));
  const firstEligible = order.find((k) => staying[k].isEligible);
  if (firstEligible !== undefined && !half.some((k) => staying[k].isEligible)) half.push(firstEligible);
  return half.sort((a, b) => a - b).map((k) => staying[k]);
}

/** Layers of non-domination by means of the figures of the front; infeasible ones are in the last. */
const layersOf = (scored: readonly ScoredCandidate[]): number[] =>
  nonDominatedLayers(
    scored.map(({ isFeasible, frontCosts }) =>
      frontCosts.map((costs) => (isFeasible ? meanOf(costs) : Number.POSITIVE_INFINITY)),
    ),
  );

/** Each of those whose runs are the same once; it can be chosen if one of them can. */
function distinctRacers(racers: readonly Racer[], runs: SeedRuns): Racer[] {
  const byKey = new Map<string, Racer>();
  for (const { patch, isEligible } of racers) {
    const key = runs.keyOf(patch);
    const known = byKey.get(key);
    byKey.set(key, { patch: known?.patch ?? patch, isEligible: isEligible || known?.isEligible === true });
  }
  return [...byKey.values()];
}
