import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { factorText, type Patch, type PatchValue } from "../../inputs/scenario/patch/patchValue.ts";
import type { ParameterDomain, Study, StudyParameter } from "../study.ts";

/** Values, factors, or indices of words, by study path; `scenarioPatch` makes a patch of them. Other paths have the scenario's values. */
export type ParameterPatch = Readonly<Record<string, number>>;

/** What a candidate sets, as a patch of the scenario. @param values  by study path */
export const scenarioPatch = ({ parameters }: Study, values: ParameterPatch): Patch =>
  Object.fromEntries(
    Object.entries(values).map(([path, value]) => {
      const parameter = parameters.find((candidate) => candidate.path === path);
      return [path, parameter === undefined ? value : patchValueOf(parameter, value)];
    }),
  );

export const patchValueOf = (
  { isFactor, words }: Pick<StudyParameter, "isFactor" | "words">,
  value: number,
): PatchValue => (isFactor ? factorText(value) : (words?.[value] ?? value));

/** Number of points of a grid. */
export const gridSize = (parameters: readonly StudyParameter[]): number =>
  parameters.reduce((product, { domain }) => product * parameterLevels(domain).length, 1);

/**
 * The candidates of a method, in order; empty for `optimise`, which finds them during the search.
 *
 * @param seed of the scenario, for random designs
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

/** Number of points of a range without `steps`: its ends and its middle. */
const DEFAULT_RANGE_STEPS = 3;

export function parameterLevels(domain: ParameterDomain): number[] {
  if (domain.kind === "values") return [...domain.values];
  const { low, high } = domain;
  const steps = domain.steps ?? DEFAULT_RANGE_STEPS;
  return Array.from({ length: steps }, (_, k) => (k === steps - 1 ? high : low + ((high - low) * k) / (steps - 1)));
}

/** Uniform and independent; each parameter has its own random stream. */
export function randomPatches(parameters: readonly StudyParameter[], count: number, seed: number): ParameterPatch[] {
  const streams = new RandomStreams(seed);
  const streamsByParameter = parameters.map(({ name }) => streams.getStream("study random", name));
  return Array.from({ length: count }, () =>
    patchFromShares(
      parameters,
      streamsByParameter.map((stream) => stream.nextUniform()),
    ),
  );
}

/** One point in each of `count` equal strata of every parameter; strata are combined at random. */
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

function valueAt(domain: ParameterDomain, share: number): number {
  if (domain.kind === "range") return domain.low + (domain.high - domain.low) * share;
  const { values } = domain;
  return values[Math.min(values.length - 1, Math.floor(share * values.length))];
}
