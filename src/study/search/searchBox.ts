import { log, pow } from "../../base/elementary.ts";
import type { RandomStream } from "../../engine/kernel/randomStreams.ts";
import { CmaEs } from "./cmaEs.ts";

/** Rank of a point: by violation, then by value. Smaller is better in both. */
export interface Merit {
  readonly violation: number;
  readonly value: number;
}

export interface SearchStep {
  /** Points evaluated so far. */
  readonly evaluations: number;
  /** Counted from 0; each restart has a larger population. */
  readonly restart: number;
  readonly generation: number;
  /** Longest axis of the sampling distribution, relative to the box. */
  readonly stepLength: number;
  readonly best: Merit;
}

export interface SearchResult {
  readonly best: Float64Array;
  readonly merit: Merit;
  /** One step per generation. */
  readonly path: readonly SearchStep[];
  readonly stopped: "budget" | "no progress";
  readonly generations: readonly Generation[];
}

/** Of one generation. */
interface Generation {
  readonly best: Float64Array;
  /** Of its better half. */
  readonly centre: Float64Array;
}

export interface SearchOptions {
  /** Points to evaluate first, in box coordinates; the search starts around the first of them. */
  readonly startPoints: readonly ArrayLike<number>[];
  readonly dimension: number;
  /** Largest number of evaluated points, at least 1. */
  readonly budget: number;
  readonly stream: RandomStream;
  /**
   * Whether merits of two generations can be compared. Otherwise no best point is kept, `best` is that of the last generation, and the
   * search ends with its budget.
   */
  readonly isComparable?: boolean;
}

/** Smaller distances, relative to the box, are treated as 0. */
const STEP_LENGTH_MIN = 1e-5;
/** Values that differ by less, relative to their size, are equal. */
const VALUE_DIFFERENCE_MIN = 1e-10;
/** Consecutive restarts without a better point that end the search. */
const FAILED_RESTARTS_MAX = 3;
const INITIAL_SIGMA = 0.3;

/**
 * Searches for the best point of the unit box with CMA-ES. Each converged search is restarted with twice the
 * population. The search is deterministic: points depend on the stream and on merits alone.
 *
 * @param meritsOf evaluates points; merits in the same order
 */
export async function searchBox(
  options: SearchOptions,
  meritsOf: (points: readonly Float64Array[]) => Promise<readonly Merit[]>,
): Promise<SearchResult> {
  const { dimension, budget, stream, startPoints, isComparable = true } = options;
  const path: SearchStep[] = [];
  const generations: Generation[] = [];
  let best = Float64Array.from(startPoints[0] ?? new Float64Array(dimension).fill(0.5));
  let merit: Merit = { violation: Number.POSITIVE_INFINITY, value: Number.POSITIVE_INFINITY };
  let evaluations = 0;
  let failedRestarts = 0;
  for (let restart = 0; ; restart++) {
    const before = merit;
    const given = restart === 0 ? startPoints : [];
    const population = Math.max((4 + Math.floor(3 * log(dimension))) * pow(2, restart), given.length);
    const mean = restart === 0 ? best : Float64Array.from({ length: dimension }, () => stream.nextUniform());
    const cma = new CmaEs({ mean, sigma: INITIAL_SIGMA, population, stream });
    const bests: Merit[] = [];
    for (;;) {
      // The budget may end inside a generation: the remaining points are evaluated without an update.
      const points = cma.ask(cma.generation === 0 ? given : []).slice(0, budget - evaluations);
      const merits = await meritsOf(points);
      evaluations += points.length;
      const order = orderOf(merits);
      if (!isComparable || compareMerit(merits[order[0]], merit) < 0) {
        merit = merits[order[0]];
        best = Float64Array.from(points[order[0]]);
      }
      path.push({ evaluations, restart, generation: cma.generation, stepLength: cma.axisLengths.longest, best: merit });
      if (points.length === cma.population) cma.tell(order);
      generations.push({ best: Float64Array.from(points[order[0]]), centre: Float64Array.from(cma.mean) });
      if (budget <= evaluations) return { best, merit, path, stopped: "budget", generations };
      bests.push(merits[order[0]]);
      if (hasConverged(cma) || (isComparable && isFlat(cma, bests, merits))) break;
    }
    failedRestarts = !isComparable || compareMerit(merit, before) < 0 ? 0 : failedRestarts + 1;
    if (FAILED_RESTARTS_MAX <= failedRestarts) return { best, merit, path, stopped: "no progress", generations };
  }
}

function compareMerit(a: Merit, b: Merit): number {
  if (a.violation !== b.violation) return a.violation < b.violation ? -1 : 1;
  return a.value === b.value ? 0 : a.value < b.value ? -1 : 1;
}

/** Indices from best to worst; ties in order. */
const orderOf = (merits: readonly Merit[]): number[] =>
  [...merits.keys()].sort((a, b) => compareMerit(merits[a], merits[b]) || a - b);

function hasConverged({ axisLengths: { longest, shortest } }: CmaEs): boolean {
  return longest < STEP_LENGTH_MIN || longest > 1e7 * shortest;
}

/** Whether recent values are all equal. */
function isFlat(cma: CmaEs, bests: readonly Merit[], merits: readonly Merit[]): boolean {
  const window = 10 + Math.ceil((30 * cma.dimension) / cma.population);
  if (bests.length < window) return false;
  const recent = [...bests.slice(-window), ...merits].map(({ violation, value }) => violation + value);
  const low = Math.min(...recent);
  const high = Math.max(...recent);
  return high - low <= VALUE_DIFFERENCE_MIN * Math.max(1, Math.abs(low)) || !(high - low > 0);
}
