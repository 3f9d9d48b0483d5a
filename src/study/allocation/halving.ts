/** One round of a race. */
export interface RaceRound {
  /** On which each of its candidates has run at its end. */
  readonly seeds: number;
  readonly candidates: number;
}

/**
 * Numbers of seeds at the end of each round: 1, 2, 4, …, and the last one. Each round costs about as many runs, because half of the
 * candidates leave after each.
 *
 * @see Karnin, Koren, Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013: sequential halving
 */
export function roundSeeds(first: number, last: number): number[] {
  const rounds: number[] = [];
  for (let seeds = first; seeds < last; seeds *= 2) rounds.push(seeds);
  return [...rounds, last];
}

/** Those who stay: the better half, but not fewer than given. @param order  from best to worst */
export const betterHalf = <T>(order: readonly T[], fewest: number): T[] =>
  order.slice(0, Math.max(fewest, Math.ceil(order.length / 2)));

/** Of the better half by the objective alone, and of all by the front, at least as many stay. */
const BY_OBJECTIVE_MIN = 4;
const BY_FRONT_MIN = 16;

/**
 * Those who stay where a front is wanted: the better quarter by the objective, which alone would lose the front, and the better half by
 * layers of non-domination.
 *
 * @param order   from best to worst by the objective
 * @param layers  of each in that order
 */
export function betterForFront<T>(order: readonly T[], layers: readonly number[]): T[] {
  const half = Math.ceil(order.length / 2);
  const byLayer = [...order.keys()].sort((a, b) => layers[a] - layers[b] || a - b);
  const staying = new Set(byLayer.slice(0, Math.max(BY_FRONT_MIN, half)));
  return order.filter((_, k) => k < Math.max(BY_OBJECTIVE_MIN, Math.ceil(half / 2)) || staying.has(k));
}

/** Runs of a race among a number of candidates, of which half leave after each round. */
export function countRaceRuns(candidates: number, rounds: readonly number[]): number {
  let runs = 0;
  let left = candidates;
  let before = 0;
  for (const seeds of rounds) {
    runs += left * (seeds - before);
    before = seeds;
    if (left === 1) break;
    left = Math.ceil(left / 2);
  }
  return runs;
}
