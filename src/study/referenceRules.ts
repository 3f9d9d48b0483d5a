import { largestOf, smallestOf } from "../base/extremes.ts";
import { sumOf } from "../base/sums.ts";
import { MS_PER_HOUR } from "../base/time.ts";
import { createGlobMatcher } from "../scenario/parse/createGlobMatcher.ts";
import type { WorldSpec } from "../simulation/worldSpec.ts";
import { kindOf } from "../site/components/registry.ts";
import type { SiteSpec } from "../site/siteSpec.ts";
import type { ParameterPatch } from "./search/candidateDesign.ts";
import type { Study, StudyParameter } from "./study.ts";

/** Weights that an operator would choose without a study. */
export interface ReferenceRule {
  readonly name: "equal weights" | "by rated power" | "by energy";
  readonly patch: ParameterPatch;
}

/**
 * Common rules for the weights that a study varies. Members that share one parameter get their mean. Empty where the
 * study varies no weight.
 */
export function buildReferenceRules({ parameters }: Study, world: WorldSpec): ReferenceRule[] {
  const weights = parameters.filter(({ path }) => path.startsWith("weights."));
  if (weights.length === 0) return [];
  const sites = weights.map((parameter) => sitesOf(parameter, world));
  const createRule = (name: ReferenceRule["name"], of: (site: SiteSpec) => number): ReferenceRule[] => {
    const values = sites.map((members) => meanOf(members.map(of)));
    return values.every((value) => value > 0) ? [{ name, patch: scaleToParameters(weights, values) }] : [];
  };
  const longestHours =
    world.awards.reduce((most, { startMs, endMs }) => Math.max(most, endMs - startMs), 0) / MS_PER_HOUR;
  return [
    ...createRule("equal weights", () => 1),
    ...createRule("by rated power", ratedKw),
    ...createRule("by energy", (site) => energyKwh(site, longestHours)),
  ];
}

function sitesOf({ path }: StudyParameter, { vpps, sites }: WorldSpec): SiteSpec[] {
  const [, name, glob] = path.split(".");
  const test = createGlobMatcher(glob);
  const vpp = vpps.find((candidate) => candidate.name === name);
  return (vpp?.members ?? []).map(({ site }) => sites[site]).filter((site) => test(site.name));
}

/**
 * Scales values to the largest that the parameters permit. Only the ratio of weights matters, and large weights are
 * clamped least by the lower bounds.
 */
function scaleToParameters(parameters: readonly StudyParameter[], values: readonly number[]): ParameterPatch {
  const limits = parameters.map(({ domain }) =>
    domain.kind === "values"
      ? { low: smallestOf(domain.values), high: largestOf(domain.values) }
      : { low: domain.low, high: domain.high },
  );
  const scale = Math.min(...values.map((value, k) => limits[k].high / value));
  const weightsInLimits = values.map((value, k) => Math.max(limits[k].low, Math.round(1e6 * value * scale) / 1e6));
  return Object.fromEntries(parameters.map(({ path }, k) => [path, weightsInLimits[k]]));
}

const meanOf = (values: readonly number[]): number => (values.length === 0 ? 0 : sumOf(values) / values.length);

/** Rated power in kW, the larger of both directions. */
const ratedKw = ({ components }: SiteSpec): number =>
  sumOf(components, (component) => kindOf(component).study.ratedKw(component));

/** Usable energy in kWh; a component without storage counts its rated power over the longest award. */
const energyKwh = ({ components }: SiteSpec, longestHours: number): number =>
  sumOf(components, (component) => kindOf(component).study.energyKwh(component, longestHours));
