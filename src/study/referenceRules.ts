import { largestOf, smallestOf, sumOf } from "../base/lists.ts";
import { MS_PER_HOUR } from "../base/time.ts";
import type { WorldSpec } from "../engine/simulation/worldSpec.ts";
import { kindOf } from "../engine/site/components/registry.ts";
import type { SiteSpec } from "../engine/site/siteSpec.ts";
import type { VppSpec } from "../engine/vpp/vppSpec.ts";
import { createGlobMatcher } from "../inputs/scenario/parse/createGlobMatcher.ts";
import type { ParameterPatch } from "./search/candidateDesign.ts";
import type { Study, StudyParameter } from "./study.ts";

/** Weights that an operator would choose without a study. */
export interface ReferenceRule {
  readonly name: "equal weights" | "by rated power" | "by energy";
  readonly patch: ParameterPatch;
  /** Sites whose weight is not in the ratio of the rule, because the parameters cannot express it. */
  readonly unexpressed: readonly string[];
}

/**
 * Common rules for the weights of the VPPs in which a study varies one. Members that share a parameter get their mean, and
 * those whose weight is no parameter keep it: the others are in the ratio of the rule to them. Empty where the study varies
 * no weight.
 */
export function buildReferenceRules({ parameters }: Study, world: WorldSpec): ReferenceRule[] {
  const vpps = world.vpps
    .map((vpp) => weightedVpp(vpp, parameters, world.sites))
    .filter((vpp) => vpp.some(({ parameter }) => parameter !== null));
  if (vpps.length === 0) return [];
  const createRule = (name: ReferenceRule["name"], of: (site: SiteSpec) => number): ReferenceRule[] => {
    const rules = vpps.map((members) => weightsByRule(members, of));
    if (rules.some((rule) => rule === null)) return [];
    const found = rules.flatMap((rule) => rule ?? []);
    return [
      {
        name,
        patch: Object.assign({}, ...found.map(({ patch }) => patch)),
        unexpressed: found.flatMap(({ unexpressed }) => unexpressed),
      },
    ];
  };
  const longestHours =
    world.awards.reduce((most, { startMs, endMs }) => Math.max(most, endMs - startMs), 0) / MS_PER_HOUR;
  return [
    ...createRule("equal weights", () => 1),
    ...createRule("by rated power", ratedKw),
    ...createRule("by energy", (site) => energyKwh(site, longestHours)),
  ];
}

interface WeightedMember {
  readonly site: SiteSpec;
  readonly weight: number;
  /** `null`: its weight is no parameter. */
  readonly parameter: StudyParameter | null;
}

function weightedVpp(
  { name, members }: VppSpec,
  parameters: readonly StudyParameter[],
  sites: readonly SiteSpec[],
): WeightedMember[] {
  const matchers = parameters.flatMap((parameter) => {
    const [kind, vpp, glob] = parameter.path.split(".");
    // A factor keeps the ratio of its members, and so it expresses no rule.
    return kind === "weights" && vpp === name && !parameter.isFactor
      ? [{ parameter, matches: createGlobMatcher(glob) }]
      : [];
  });
  return members.map(({ site: index, allocationWeight: weight }) => {
    const site = sites[index];
    return { site, weight, parameter: matchers.find(({ matches }) => matches(site.name))?.parameter ?? null };
  });
}

/**
 * Weights in the ratio of a rule. Without a member whose weight is fixed, they are as large as the parameters permit: large
 * weights are clamped least by the lower bounds.
 *
 * @returns `null` for a rule that gives a parameter no weight
 */
function weightsByRule(
  members: readonly WeightedMember[],
  of: (site: SiteSpec) => number,
): Omit<ReferenceRule, "name"> | null {
  const parameters = [...new Set(members.flatMap(({ parameter }) => parameter ?? []))];
  const values = parameters.map((parameter) =>
    meanOf(members.filter((member) => member.parameter === parameter).map(({ site }) => of(site))),
  );
  if (values.some((value) => value <= 0)) return null;
  const limits = parameters.map(limitsOf);
  const fixed = members.filter(({ parameter, weight, site }) => parameter === null && weight > 0 && of(site) > 0);
  const scale =
    fixed.length > 0
      ? sumOf(fixed, ({ weight }) => weight) / sumOf(fixed, ({ site }) => of(site))
      : Math.min(...values.map((value, k) => limits[k].high / value));
  const weights = values.map((value, k) =>
    Math.max(limits[k].low, Math.min(limits[k].high, Math.round(1e6 * value * scale) / 1e6)),
  );
  const unexpressed = members.filter(({ site, weight, parameter }) => {
    const given = parameter === null ? weight : weights[parameters.indexOf(parameter)];
    return Math.abs(given - scale * of(site)) > 1e-6 * Math.max(1, given);
  });
  return {
    patch: Object.fromEntries(parameters.map(({ path }, k) => [path, weights[k]])),
    unexpressed: unexpressed.map(({ site }) => site.name),
  };
}

const limitsOf = ({ domain }: StudyParameter): { readonly low: number; readonly high: number } =>
  domain.kind === "values" ? { low: smallestOf(domain.values), high: largestOf(domain.values) } : domain;

const meanOf = (values: readonly number[]): number => (values.length === 0 ? 0 : sumOf(values) / values.length);

/** Rated power in kW, the larger of both directions. */
const ratedKw = ({ components }: SiteSpec): number =>
  sumOf(components, (component) => kindOf(component).study.ratedKw(component));

/** Usable energy in kWh; a component without storage counts its rated power over the longest award. */
const energyKwh = ({ components }: SiteSpec, longestHours: number): number =>
  sumOf(components, (component) => kindOf(component).study.energyKwh(component, longestHours));
