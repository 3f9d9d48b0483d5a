import type { WorldSpec } from "../../world/worldSpec.ts";
import { aggregatedBoundKwh } from "./aggregatedBound.ts";
import { boundProblems } from "./boundProblem.ts";
import { cellsOf, EXACT_CELLS_MAX, exactBoundKwh } from "./exactBound.ts";

/** The least shortfall that any weights, even changing at every award, could have reached. */
export interface ShortfallBound {
  readonly kwh: number;
  /** `exact`: the linear programme of every VPP; `relaxed`: at least one VPP was too large for it. */
  readonly method: "exact" | "relaxed";
}

/** `null` where calls of the APIs could change anything, so that nothing can be said. */
export async function shortfallBound(world: WorldSpec): Promise<ShortfallBound | null> {
  if (world.events.some(({ kind }) => kind === "request")) return null;
  let kwh = 0;
  let method: ShortfallBound["method"] = "exact";
  for (const problem of boundProblems(world)) {
    const isSmall = cellsOf(problem) <= EXACT_CELLS_MAX;
    if (!isSmall) method = "relaxed";
    kwh += isSmall ? await exactBoundKwh(problem) : aggregatedBoundKwh(problem);
  }
  return { kwh, method };
}

export const BOUND_ASSUMPTIONS: readonly string[] = [
  "Weights alone may change, at every award and for every member; ratings, awards, outages and options are as written.",
  "A battery without plan, delay, ramp, latency or self-discharge of its own is held to its power, its efficiencies and its window of energy; tapers and output control are left out.",
  "Every other member may deliver, at each instant, all that its ratings, its weather and its load leave it, whatever it stores.",
  "Times in which awards or instructions of one VPP meet, and awards with frequency response, count as no shortfall, and leave batteries at any energy.",
  "Outages are known in advance, and nobody has to notice them.",
];

/** Seeds that get a bound at most: each may need a linear programme. */
const SEEDS_MAX = 20;

export interface StudyBound {
  /** The first seeds of the study, and the bound on each of them, in kWh. */
  readonly seeds: readonly number[];
  readonly kwh: readonly number[];
  readonly method: ShortfallBound["method"];
}

/** The bound on the study's seeds; `null` where nothing can be said. */
export async function studyBound(world: WorldSpec, seeds: readonly number[]): Promise<StudyBound | null> {
  const used = seeds.slice(0, SEEDS_MAX);
  // Outages by chance are all that a bound knows of a seed.
  const isDrawn = world.sites.some(({ outages }) => outages !== null);
  const kwh: number[] = [];
  let method: ShortfallBound["method"] = "exact";
  for (const seed of isDrawn ? used : used.slice(0, 1)) {
    const bound = await shortfallBound({ ...world, seed });
    if (bound === null) return null;
    if (bound.method === "relaxed") method = "relaxed";
    kwh.push(bound.kwh);
  }
  return { seeds: used, kwh: isDrawn ? kwh : used.map(() => kwh[0]), method };
}
