import { RandomStreams } from "../../kernel/randomStreams.ts";
import type { ParameterDomain, Study, StudyParameter } from "../study.ts";

/** Values by study path; what is left out stays as the scenario has it. */
export type ParameterPatch = Readonly<Record<string, number>>;

/** All points of a grid, the last parameter changing fastest. */
export const gridSize = (parameters: readonly StudyParameter[]): number =>
  parameters.reduce((product, { domain }) => product * parameterLevels(domain).length, 1);

/**
 * The candidates of a method in their order; those of `optimise` are found on the way.
 *
 * @param seed of the scenario: random designs are drawn from it
 */
export function createDesign(study: Study, seed: number): ParameterPatch[] {
  const { parameters, samples } = study;
  switch (study.method) {
    case "grid":
      return grid(parameters);
    case "one_at_a_time":
      return parameters.flatMap(({ path, domain }) => parameterLevels(domain).map((value) => ({ [path]: value })));
    case "random":
      return randomPatches(parameters, samples ?? 0, seed);
    case "lhs":
      return latinHypercube(parameters, samples ?? 0, seed);
    case "optimise":
      return [];
  }
}

function grid(parameters: readonly StudyParameter[]): ParameterPatch[] {
  let patches: ParameterPatch[] = [{}];
  for (const { path, domain } of parameters) {
    const levels = parameterLevels(domain);
    patches = patches.flatMap((patch) => levels.map((value) => ({ ...patch, [path]: value })));
  }
  return patches;
}

/** Points of a range whose number is not given: its ends and its middle. */
const DEFAULT_RANGE_STEPS = 3;

export function parameterLevels(choices: ParameterDomain): number[] {
  if (choices.kind === "values") return [...choices.values];
  const { low, high } = choices;
  const steps = choices.steps ?? DEFAULT_RANGE_STEPS;
  return Array.from({ length: steps }, (_, k) => (k === steps - 1 ? high : low + ((high - low) * k) / (steps - 1)));
}

/** Uniform and independent, each parameter from a stream of its own. */
export function randomPatches(parameters: readonly StudyParameter[], count: number, seed: number): ParameterPatch[] {
  const streams = new RandomStreams(seed);
  const draws = parameters.map(({ name }) => streams.getStream("study random", name));
  return Array.from({ length: count }, () =>
    patchFromShares(
      parameters,
      draws.map((stream) => stream.nextUniform()),
    ),
  );
}

/** One point in each of `count` equal strata of every parameter, the strata joined at random. */
function latinHypercube(parameters: readonly StudyParameter[], count: number, seed: number): ParameterPatch[] {
  const streams = new RandomStreams(seed);
  const columns = parameters.map(({ name }) => {
    const stream = streams.getStream("study lhs", name);
    const strata = Array.from({ length: count }, (_, k) => k);
    for (let k = count - 1; k > 0; k--) {
      const other = Math.floor(stream.nextUniform() * (k + 1));
      [strata[k], strata[other]] = [strata[other], strata[k]];
    }
    return strata.map((stratum) => (stratum + stream.nextUniform()) / count);
  });
  return Array.from({ length: count }, (_, k) =>
    patchFromShares(
      parameters,
      columns.map((column) => column[k]),
    ),
  );
}

/** @param shares one per parameter, 0..1 along its values or range */
export const patchFromShares = (parameters: readonly StudyParameter[], shares: readonly number[]): ParameterPatch =>
  Object.fromEntries(parameters.map(({ path, domain }, k) => [path, valueAt(domain, shares[k])]));

function valueAt(choices: ParameterDomain, share: number): number {
  if (choices.kind === "range") return choices.low + (choices.high - choices.low) * share;
  const { values } = choices;
  return values[Math.min(values.length - 1, Math.floor(share * values.length))];
}
