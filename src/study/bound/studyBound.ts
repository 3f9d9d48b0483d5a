import { setImmediate } from "node:timers/promises";
import { type WorldSpec, withSeed } from "../../simulation/worldSpec.ts";
import { withAbort } from "../withAbort.ts";
import { aggregatedBoundKwh } from "./aggregatedBoundKwh.ts";
import { type BoundProblem, createBoundProblems } from "./boundProblem.ts";
import { type BoundSolver, EXACT_SIZE_MAX, exactBoundKwh, problemSize } from "./exactBoundKwh.ts";
import { unlimitedEnergyBoundKwh, withUnlimitedPower } from "./unlimitedBounds.ts";

/** The least shortfall that any weights, even changing at every award, could have reached. */
export interface ShortfallBound {
  readonly kwh: number;
  readonly method: BoundMethod;
}

/** `exact`: the linear programme of every VPP; `relaxed`: at least one VPP was too large for it, or beat the solver. */
export type BoundMethod = "exact" | "relaxed";

/** `null` where calls of the APIs could change anything, so that nothing can be said. */
export async function shortfallBound(world: WorldSpec): Promise<ShortfallBound | null> {
  return hasApiRequests(world) ? null : solveProblems(createBoundProblems(world), exactBoundKwh);
}

const hasApiRequests = ({ events }: WorldSpec): boolean => events.some(({ kind }) => kind === "request");

/** Begins all problems at once, and is done with those that are not solved before it returns. */
async function solveProblems(problems: readonly BoundProblem[], solve: BoundSolver): Promise<ShortfallBound> {
  const bounds = await Promise.all(problems.map((problem) => solveProblem(problem, solve)));
  return {
    kwh: bounds.reduce((sum, { kwh }) => sum + kwh, 0),
    method: bounds.every(({ method }) => method === "exact") ? "exact" : "relaxed",
  };
}

async function solveProblem(problem: BoundProblem, solve: BoundSolver): Promise<ShortfallBound> {
  const solved = problemSize(problem) <= EXACT_SIZE_MAX ? await solve(problem) : null;
  return solved === null ? { kwh: aggregatedBoundKwh(problem), method: "relaxed" } : { kwh: solved, method: "exact" };
}

export const BOUND_ASSUMPTIONS: readonly string[] = [
  "Weights alone may change, at every award and for every member; ratings, awards, outages and options are as written.",
  "A battery without plan, delay, ramp, latency or self-discharge of its own is held to its power, its efficiencies and its window of energy; tapers and output control are left out.",
  "Every other member may deliver, at each instant, all that its ratings, its weather and its load leave it, whatever it stores.",
  "Times in which awards or instructions of one VPP meet, and awards with frequency response, count as no shortfall, and leave batteries at any energy.",
  "Outages are known in advance, and nobody has to notice them.",
];

/** Seeds that get a bound at most, and cells of linear programmes (0.3 ms each) that may be solved for all of them. */
const SEEDS_MAX = 20;
const CELLS_MAX = 120_000;

export interface StudyBound {
  /** The first seeds of the study; all lists have an entry for each of them, in kWh. */
  readonly seeds: readonly number[];
  readonly boundKwh: readonly number[];
  readonly method: BoundMethod;
  /** What is asked in the awards that the bound counts: those that stand alone, and ask for a delta and nothing else. */
  readonly coveredRequestKwh: number;
  /** What the bound would be if nobody were ever out of service. */
  readonly withoutOutagesKwh: readonly number[];
  /** … if batteries had no end of energy, or of power. */
  readonly unlimitedEnergyKwh: readonly number[];
  readonly unlimitedPowerKwh: readonly number[];
}

/**
 * The bound on the study's seeds; `null` where nothing can be said. Programmes are begun as they are made, and may be
 * solved in any order and at one time.
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
  const used = seeds.slice(0, seedCount(inService));
  const begin = (problems: readonly BoundProblem[]): Promise<ShortfallBound> => {
    const begun = solveProblems(problems, solve);
    // Heard below, unless the signal comes first.
    begun.catch(() => {});
    return begun;
  };
  const unhurt = begin(inService);
  const least: Promise<ShortfallBound>[] = [];
  const anyPower: Promise<ShortfallBound>[] = [];
  const anyEnergyKwh: number[] = [];
  // Outages by chance are all that a bound knows of a seed.
  const isDrawn = world.sites.some(({ outages }) => outages !== null);
  for (const seed of isDrawn ? used : used.slice(0, 1)) {
    const problems = createBoundProblems(withSeed(world, seed));
    least.push(begin(problems));
    anyPower.push(begin(problems.map(withUnlimitedPower)));
    anyEnergyKwh.push(problems.reduce((sum, problem) => sum + unlimitedEnergyBoundKwh(problem), 0));
    await setImmediate();
    signal.throwIfAborted();
  }
  const found = await withAbort(Promise.all([unhurt, ...least, ...anyPower]), signal);
  const kwhOf = (bounds: readonly ShortfallBound[]) => perSeed(bounds.map(({ kwh }) => kwh));
  const perSeed = (kwh: readonly number[]) => (isDrawn ? kwh : used.map(() => kwh[0]));
  return {
    seeds: used,
    boundKwh: kwhOf(found.slice(1, 1 + least.length)),
    method: found.every(({ method }) => method === "exact") ? "exact" : "relaxed",
    coveredRequestKwh: inService.reduce((sum, problem) => sum + requestedKwhOf(problem), 0),
    withoutOutagesKwh: used.map(() => found[0].kwh),
    unlimitedEnergyKwh: perSeed(anyEnergyKwh),
    unlimitedPowerKwh: kwhOf(found.slice(1 + least.length)),
  };
}

const requestedKwhOf = ({ steps }: BoundProblem): number =>
  steps.reduce((sum, step) => sum + (step.kind === "free" ? 0 : step.requestedKwh), 0);

/** Two programmes a seed, as far as they are small enough to be solved. */
function seedCount(problems: readonly BoundProblem[]): number {
  const cells = problems.map(problemSize).filter((count) => count <= EXACT_SIZE_MAX);
  const total = cells.reduce((sum, count) => sum + count, 0);
  return Math.max(1, Math.min(SEEDS_MAX, Math.floor(CELLS_MAX / (2 * Math.max(1, total)))));
}
