import { formatNameList, formatValue } from "../../../base/inputError.ts";
import { IDENTIFIER_PATTERN, IDENTIFIER_TITLE } from "../../../base/schemaBuilders.ts";
import { type ComponentConfig, kindOfKeys } from "../../../engine/site/components/registry.ts";
import { MEMBERS_MAX, type ResourceType } from "../../../engine/vpp/vppSpec.ts";
import { createGlobMatcher } from "../parse/createGlobMatcher.ts";
import { matchesPattern } from "../parse/jsonSchema.ts";
import type { LoadContext } from "../parse/loadContext.ts";
import { readEntries } from "../parse/readEntries.ts";
import { type SiteConfig, siteSchema } from "../schema/siteSchema.ts";
import type { MemberConfig, VppConfig } from "../schema/vppSchema.ts";

/** One site as written. Sites of one entry share the keys until a patch copies them. */
export interface ExpandedSite {
  readonly name: string;
  readonly config: SiteConfig;
}

/**
 * Expands entries with `count` and fleets from CSV files into single sites, in scenario order, and checks unique names.
 */
export function expandSites(loadContext: LoadContext, entries: readonly object[] | undefined): ExpandedSite[] {
  const { checker } = loadContext;
  const sites: ExpandedSite[] = [];
  const names = new Set<string>();
  for (const config of readEntries<SiteConfig>(loadContext, entries, siteSchema)) {
    // A wrong name or count is reported already; its site names are unknown.
    if (config.name === undefined || config.count === undefined) continue;
    if (config.count > 1 && !config.name.includes("{n")) {
      checker.reportError(
        config,
        "name",
        formatValue(config.name),
        `{n} in the name of ${config.count} sites, as in ${formatValue(`${config.name}-{n}`)}`,
      );
    }
    if (config.count > 1 && config.ems_id !== undefined) {
      checker.reportError(
        config,
        "ems_id",
        formatValue(config.ems_id),
        `no ems_id where count is ${config.count}: each site needs its own`,
      );
    }
    for (const name of namesOf(config)) {
      if (names.has(name)) checker.reportError(config, "name", `${formatValue(name)} again`, "each site name once");
      else if (!matchesPattern(IDENTIFIER_PATTERN, name))
        checker.reportError(config, "name", formatValue(name), IDENTIFIER_TITLE);
      names.add(name);
      sites.push({ name, config });
    }
  }
  return sites;
}

/** {n} is 1..count; {n:03} pads it with zeros to three digits. */
function namesOf({ name, count }: SiteConfig): string[] {
  if (!name.includes("{n")) return [name];
  return Array.from({ length: count }, (_, k) =>
    name.replace(/\{n(?::0?(\d))?\}/g, (_all, width: string | undefined) =>
      String(k + 1).padStart(Number(width ?? 0), "0"),
    ),
  );
}

/** One VPP with its globs resolved. */
export interface ExpandedVpp {
  config: VppConfig;
  readonly members: ExpandedMember[];
}

interface ExpandedMember {
  /** Index of the site. */
  readonly siteIndex: number;
  config: MemberConfig;
}

/** Members by site, in the order of the entries and, within a glob, of the scenario (docs/model/scenario-format.md#names). */
export function expandMembers(
  loadContext: LoadContext,
  vpps: readonly VppConfig[] | undefined,
  sites: readonly ExpandedSite[],
): ExpandedVpp[] {
  const { checker } = loadContext;
  const owners = new Map<number, VppConfig>();
  const names = new Set<string>();
  const byName = new SitesByName(sites);
  return (vpps ?? []).map((config) => {
    if (names.has(config.name))
      checker.reportError(config, "name", `${formatValue(config.name)} again`, "each VPP name once");
    if (config.name !== undefined) names.add(config.name);
    const members: ExpandedMember[] = [];
    for (const member of config.members ?? []) {
      for (const siteIndex of matchingSites(loadContext, member, byName)) {
        const owner = owners.get(siteIndex);
        if (owner === undefined) {
          owners.set(siteIndex, config);
          members.push({ siteIndex, config: member });
          checkResourceType(loadContext, member, sites[siteIndex]);
        } else {
          const ownerText = owner === config ? "this VPP" : `VPP ${owner.name}`;
          checker.reportError(
            member,
            "site",
            `${formatValue(sites[siteIndex].name)}, a member of ${ownerText} already`,
            "each site once, in one VPP",
          );
        }
      }
    }
    if (members.length > MEMBERS_MAX) {
      checker.reportError(config, "members", `${members.length} members`, `at most ${MEMBERS_MAX}`);
    }
    return { config, members };
  });
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Finds sites by globs without comparing every site for every VPP. */
class SitesByName {
  readonly sites: readonly ExpandedSite[];
  /** Indices of the sites in the order of their names. */
  private readonly sorted: readonly number[];

  constructor(sites: readonly ExpandedSite[]) {
    this.sites = sites;
    this.sorted = sites.map((_, k) => k).sort((a, b) => compareTexts(sites[a].name, sites[b].name));
  }

  /** Indices in the order of the scenario. */
  matching(glob: string): number[] {
    const [prefix] = glob.split("*", 1);
    const test = createGlobMatcher(glob);
    const matches: number[] = [];
    for (let k = this.firstFrom(prefix); k < this.sorted.length; k++) {
      const { name } = this.sites[this.sorted[k]];
      if (!name.startsWith(prefix)) break;
      if (test(name)) matches.push(this.sorted[k]);
    }
    return matches.sort((a, b) => a - b);
  }

  /** Index of the first name that is not before a text. */
  private firstFrom(text: string): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sites[this.sorted[middle]].name < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function matchingSites({ checker }: LoadContext, member: MemberConfig, byName: SitesByName): number[] {
  if (member.site === undefined) return [];
  const matches = byName.matching(member.site);
  if (matches.length === 0) {
    const names = formatNameList(
      byName.sites.map(({ name }) => name),
      12,
    );
    checker.reportError(
      member,
      "site",
      formatValue(member.site),
      `a site's name or a glob that matches one (sites: ${names || "none"})`,
    );
  }
  return matches;
}

function checkResourceType({ checker }: LoadContext, member: MemberConfig, { name, config }: ExpandedSite): void {
  const actual = resourceTypeOf(config.components ?? []);
  if (actual === null || member.resource_type === undefined || member.resource_type === actual) return;
  checker.reportError(member, "resource_type", member.resource_type, `${actual}, by the components of ${name}`);
}

/** One component: its type; several: multi_component (docs/model/apis.md#resource-type). `null`: no component, or one of an unknown kind. */
export function resourceTypeOf(components: readonly ComponentConfig[]): ResourceType | null {
  if (components.length === 0) return null;
  return components.length > 1
    ? "multi_component"
    : (kindOfKeys(components[0])?.scenario.resourceType(components[0]) ?? null);
}
