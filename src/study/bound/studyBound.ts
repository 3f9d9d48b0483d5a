import { platform } from "#platform";
import { sumOf } from "../../base/lists.ts";
import { type WorldSpec, withSeed } from "../../engine/simulation/worldSpec.ts";
import { withAbort } from "../withAbort.ts";
import { type BoundProblem, createBoundProblems } from "./boundProblem.ts";
import { aggregatedBoundKwh, type BoundSolver, EXACT_SIZE_MAX, problemSize } from "./exactBoundKwh.ts";

/** Lower bound of the shortfall over all weights, even weights that change at every award. */
interface ShortfallBound {
  readonly kwh: number;
  readonly method: BoundMethod;
}

/** `exact`: every VPP's linear programme was solved. `relaxed`: at least one was too large, or its solver failed. */
type BoundMethod = "exact" | "relaxed";

const hasApiRequests = ({ events }: WorldSpec): boolean => events.some(({ kind }) => kind === "request");

/** Starts all problems synchronously; relaxed bounds are computed before it returns. */
async function solveProblems(problems: readonly BoundProblem[], solve: BoundSolver): Promise<ShortfallBound> {
  const bounds = await Promise.all(problems.map((problem) => solveProblem(problem, solve)));
  return {
    kwh: sumOf(bounds, ({ kwh }) => kwh),
    method: bounds.every(({ method }) => method === "exact") ? "exact" : "relaxed",
  };
}

async function solveProblem(problem: BoundProblem, solve: BoundSolver): Promise<ShortfallBound> {
  const solved = problemSize(problem) <= EXACT_SIZE_MAX ? await solve(problem) : null;
  return solved === null ? { kwh: aggregatedBoundKwh(problem), method: "relaxed" } : { kwh: solved, method: "exact" };
}

/** Texts of what a bound assumes. */
export const BOUND_ASSUMPTIONS = [
  "bound.assumption_1",
  "bound.assumption_2",
  "bound.assumption_3",
  "bound.assumption_4",
  "bound.assumption_5",
] as const;

/**
 * Largest number of seeds with a bound, and largest total size of the linear programmes of all of them (0.3 ms a cell).
 */
const SEEDS_MAX = 20;
const CELLS_MAX = 120_000;

export interface StudyBound {
  /** The first seeds of the study. All lists have one entry per seed, in kWh. */
  readonly seeds: readonly number[];
  readonly boundKwh: readonly number[];
  readonly method: BoundMethod;
  /** Energy requested by the awards in the bound: those of a delta alone that overlap no other request. */
  readonly coveredRequestKwh: number;
  /** The bound without outages. */
  readonly withoutOutagesKwh: readonly number[];
  /** The bound with unlimited storage capacity, and with unlimited power, of the batteries. */
  readonly unlimitedEnergyKwh: readonly number[];
  readonly unlimitedPowerKwh: readonly number[];
}

/**
 * The bound on the study's seeds; `null` where the scenario has API requests. Problems start as they are created, and
 * may be solved in any order and concurrently.
 *
 * @throws the reason of the signal
 */
export async function studyBound(
  world: WorldSpec,
  seeds: readonly number[],
  { solve, signal }: { readonly solve: BoundSolver; readonly signal: AbortSignal },
): Promise<StudyBound | null> {
  if (hasApiRequests(world)) return null;
  const inService = createBoundProblems(
    world,
    world.sites.map(() => []),
  );
  const usedSeeds = seeds.slice(0, seedCount(inService));
  const start = (problems: readonly BoundProblem[]): Promise<ShortfallBound> => {
    const pending = solveProblems(problems, solve);
    // `withAbort` below handles rejections, unless the signal aborts first.
    pending.catch(() => {});
    return pending;
  };
  const withoutOutages = start(inService);
  const actual: Promise<ShortfallBound>[] = [];
  const unlimitedPower: Promise<ShortfallBound>[] = [];
  const unlimitedEnergyKwh: number[] = [];
  // Random outages are the only part of a bound that depends on the seed.
  const hasRandomOutages = world.sites.some(({ outages }) => outages !== null);
  for (const seed of hasRandomOutages ? usedSeeds : usedSeeds.slice(0, 1)) {
    const problems = createBoundProblems(withSeed(world, seed));
    actual.push(start(problems));
    unlimitedPower.push(start(problems.map(withUnlimitedPower)));
    unlimitedEnergyKwh.push(sumOf(problems, unlimitedEnergyBoundKwh));
    await platform.yield();
    signal.throwIfAborted();
  }
  const solved = await withAbort(Promise.all([withoutOutages, ...actual, ...unlimitedPower]), signal);
  const kwhOf = (bounds: readonly ShortfallBound[]) => perSeed(bounds.map(({ kwh }) => kwh));
  const perSeed = (kwh: readonly number[]) => (hasRandomOutages ? kwh : usedSeeds.map(() => kwh[0]));
  return {
    seeds: usedSeeds,
    boundKwh: kwhOf(solved.slice(1, 1 + actual.length)),
    method: solved.every(({ method }) => method === "exact") ? "exact" : "relaxed",
    coveredRequestKwh: sumOf(inService, requestedKwhOf),
    withoutOutagesKwh: usedSeeds.map(() => solved[0].kwh),
    unlimitedEnergyKwh: perSeed(unlimitedEnergyKwh),
    unlimitedPowerKwh: kwhOf(solved.slice(1 + actual.length)),
  };
}

const requestedKwhOf = ({ steps }: BoundProblem): number =>
  sumOf(steps, (step) => (step.kind === "free" ? 0 : step.requestedKwh));

/** Number of seeds whose problems, two per seed, fit into the size limit. */
function seedCount(problems: readonly BoundProblem[]): number {
  const cells = problems.map(problemSize).filter((count) => count <= EXACT_SIZE_MAX);
  const total = sumOf(cells);
  return Math.max(1, Math.min(SEEDS_MAX, Math.floor(CELLS_MAX / (2 * Math.max(1, total)))));
}

/** The bound with unlimited storage capacity, in kWh: power alone limits delivery. */
function unlimitedEnergyBoundKwh({ steps }: BoundProblem): number {
  let shortfallKwh = 0;
  for (const step of steps) {
    if (step.kind === "free") continue;
    let availableKwh = step.otherMembersMaxKwh;
    for (const kwh of step.storageMaxKwh) availableKwh += kwh;
    shortfallKwh += Math.max(0, step.requestedKwh - availableKwh);
  }
  return shortfallKwh;
}

/** The same problem with batteries whose power can deliver every request in any period in service. */
const withUnlimitedPower = (problem: BoundProblem): BoundProblem => ({
  ...problem,
  steps: problem.steps.map((step) =>
    step.kind === "free"
      ? step
      : { ...step, storageMaxKwh: step.storageMaxKwh.map((kwh) => (kwh > 0 ? Math.max(kwh, step.requestedKwh) : 0)) },
  ),
});
