import { MS_PER_HOUR } from "../base/time.ts";
import { createGlobMatcher } from "../scenario/parse/createGlobMatcher.ts";
import type { WorldSpec } from "../simulation/worldSpec.ts";
import { kindOf } from "../site/components/registry.ts";
import type { SiteSpec } from "../site/siteSpec.ts";
import type { ParameterPatch } from "./search/candidateDesign.ts";
import type { Study, StudyParameter } from "./study.ts";

/** Weights that somebody would choose without a study. */
export interface ReferenceRule {
  readonly name: "equal weights" | "by rated power" | "by energy";
  readonly patch: ParameterPatch;
}

/**
 * The usual rules for the members whose weights a study varies, each as far as the parameters can say it: members of one
 * parameter get its mean. None where no weight is varied.
 */
export function buildReferenceRules({ parameters }: Study, world: WorldSpec): ReferenceRule[] {
  const weights = parameters.filter(({ path }) => path.startsWith("weights."));
  if (weights.length === 0) return [];
  const sites = weights.map((parameter) => sitesOf(parameter, world));
  const rule = (name: ReferenceRule["name"], of: (site: SiteSpec) => number): ReferenceRule[] => {
    const values = sites.map((members) => meanOf(members.map(of)));
    return values.every((value) => value > 0) ? [{ name, patch: scaleToParameters(weights, values) }] : [];
  };
  const longestHours =
    world.awards.reduce((most, { startMs, endMs }) => Math.max(most, endMs - startMs), 0) / MS_PER_HOUR;
  return [
    ...rule("equal weights", () => 1),
    ...rule("by rated power", ratedKw),
    ...rule("by energy", (site) => energyKwh(site, longestHours)),
  ];
}

function sitesOf({ path }: StudyParameter, { vpps, sites }: WorldSpec): SiteSpec[] {
  const [, name, glob] = path.split(".");
  const test = createGlobMatcher(glob);
  const vpp = vpps.find((candidate) => candidate.name === name);
  return (vpp?.members ?? []).map(({ site }) => sites[site]).filter((site) => test(site.name));
}

/** As large as fits the parameters: only the ratio of weights counts, and large ones meet the lower bounds last. */
function scaleToParameters(parameters: readonly StudyParameter[], values: readonly number[]): ParameterPatch {
  const limits = parameters.map(({ domain }) =>
    domain.kind === "values"
      ? { low: Math.min(...domain.values), high: Math.max(...domain.values) }
      : { low: domain.low, high: domain.high },
  );
  const scale = Math.min(...values.map((value, k) => limits[k].high / value));
  const fitting = values.map((value, k) => Math.max(limits[k].low, Math.round(1e6 * value * scale) / 1e6));
  return Object.fromEntries(parameters.map(({ path }, k) => [path, fitting[k]]));
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** kW that a site can move to either side, the larger one. */
const ratedKw = ({ components }: SiteSpec): number =>
  components.reduce((kw, component) => kw + kindOf(component).study.ratedKw(component), 0);

/** kWh between the bounds of a site's stores; a component without a store counts as lasting through the longest award. */
const energyKwh = ({ components }: SiteSpec, longestHours: number): number =>
  components.reduce((kwh, component) => kwh + kindOf(component).study.energyKwh(component, longestHours), 0);
