import type { Study } from "../study.ts";

/** Seeds on which a recommendation is confirmed at most, but for a tail of more seeds. */
export const HELD_OUT_SEEDS_MAX = 64;

/** Seeds for the choice: those of the study and as many that follow, and enough for a tail. */
export const countSelectionSeeds = ({ seeds, objective }: Pick<Study, "seeds" | "objective">): number =>
  objective.worstPct === null ? 2 * seeds.length : Math.max(2 * seeds.length, HELD_OUT_SEEDS_MAX);

/** Seeds by their use, in the order of their use; no seed has two. */
export interface SeedPlan {
  readonly selection: readonly number[];
  readonly heldOut: readonly number[];
}

export function planSeeds(study: Pick<Study, "seeds" | "objective">): SeedPlan {
  const { seeds, objective } = study;
  const count = countSelectionSeeds(study);
  const selection = [...seeds, ...nextSeeds(seeds, count - seeds.length)];
  return { selection, heldOut: nextSeeds(selection, objective.worstPct === null ? HELD_OUT_SEEDS_MAX : count) };
}

/** Seeds of a search, after those of its plan. */
export const searchSeeds = ({ selection, heldOut }: SeedPlan, count: number): number[] =>
  nextSeeds([...selection, ...heldOut], count);

/** Seeds after the largest of those given and disjoint from them; from 0 where no larger ones are safe integers. */
export function nextSeeds(given: readonly number[], count: number): number[] {
  const usedSeeds = new Set(given);
  const seeds: number[] = [];
  const largest = given.reduce((most, seed) => Math.max(most, seed), 0);
  let next = largest < Number.MAX_SAFE_INTEGER - count ? largest + 1 : 0;
  for (; seeds.length < count; next++) if (!usedSeeds.has(next)) seeds.push(next);
  return seeds;
}
