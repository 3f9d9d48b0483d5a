import { RandomStreams } from "../../kernel/random.ts";
import type { Choices, Parameter, Study } from "../study.ts";

/** Values by study path; what is left out stays as the scenario has it. */
export type Patch = Readonly<Record<string, number>>;

/** All points of a grid, the last parameter changing fastest. */
export const gridSize = (parameters: readonly Parameter[]): number =>
  parameters.reduce((product, { choices }) => product * levelsOf(choices).length, 1);

/**
 * The candidates of a method in their order; those of `optimise` are found on the way.
 *
 * @param seed of the scenario: random designs are drawn from it
 */
export function designOf(study: Study, seed: number): Patch[] {
  const { parameters, samples } = study;
  switch (study.method) {
    case "grid":
      return grid(parameters);
    case "one_at_a_time":
      return parameters.flatMap(({ path, choices }) => levelsOf(choices).map((value) => ({ [path]: value })));
    case "random":
      return randomPatches(parameters, samples ?? 0, seed);
    case "lhs":
      return latinHypercube(parameters, samples ?? 0, seed);
    case "optimise":
      return [];
  }
}

function grid(parameters: readonly Parameter[]): Patch[] {
  let patches: Patch[] = [{}];
  for (const { path, choices } of parameters) {
    const levels = levelsOf(choices);
    patches = patches.flatMap((patch) => levels.map((value) => ({ ...patch, [path]: value })));
  }
  return patches;
}

/** Points of a range whose number is not given: its ends and its middle. */
const RANGE_STEPS = 3;

export function levelsOf(choices: Choices): number[] {
  if (choices.kind === "values") return [...choices.values];
  const { low, high } = choices;
  const steps = choices.steps ?? RANGE_STEPS;
  return Array.from({ length: steps }, (_, k) => (k === steps - 1 ? high : low + ((high - low) * k) / (steps - 1)));
}

/** Uniform and independent, each parameter from a stream of its own. */
export function randomPatches(parameters: readonly Parameter[], count: number, seed: number): Patch[] {
  const streams = new RandomStreams(seed);
  const draws = parameters.map(({ name }) => streams.stream("study random", name));
  return Array.from({ length: count }, () =>
    patchOf(
      parameters,
      draws.map((stream) => stream.unit()),
    ),
  );
}

/** One point in each of `count` equal strata of every parameter, the strata joined at random. */
function latinHypercube(parameters: readonly Parameter[], count: number, seed: number): Patch[] {
  const streams = new RandomStreams(seed);
  const columns = parameters.map(({ name }) => {
    const stream = streams.stream("study lhs", name);
    const strata = Array.from({ length: count }, (_, k) => k);
    for (let k = count - 1; k > 0; k--) {
      const other = Math.floor(stream.unit() * (k + 1));
      [strata[k], strata[other]] = [strata[other], strata[k]];
    }
    return strata.map((stratum) => (stratum + stream.unit()) / count);
  });
  return Array.from({ length: count }, (_, k) =>
    patchOf(
      parameters,
      columns.map((column) => column[k]),
    ),
  );
}

/** @param shares one per parameter, 0..1 along its values or range */
export const patchOf = (parameters: readonly Parameter[], shares: readonly number[]): Patch =>
  Object.fromEntries(parameters.map(({ path, choices }, k) => [path, valueAt(choices, shares[k])]));

function valueAt(choices: Choices, share: number): number {
  if (choices.kind === "range") return choices.low + (choices.high - choices.low) * share;
  const { values } = choices;
  return values[Math.min(values.length - 1, Math.floor(share * values.length))];
}
