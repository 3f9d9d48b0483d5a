import { type ComponentConfig, kindOfKeys } from "../../site/components/registry.ts";
import { MEMBERS_MAX, type ResourceType } from "../../vpp/vppSpec.ts";
import { createGlobMatcher } from "../parse/createGlobMatcher.ts";
import { formatNameList, formatValue } from "../parse/inputError.ts";
import type { LoadContext } from "../parse/loadContext.ts";
import type { MemberConfig, VppConfig } from "../schema/vppSchema.ts";
import type { ExpandedSite } from "./expandSites.ts";

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
  return (vpps ?? []).map((config) => {
    if (names.has(config.name))
      checker.reportError(config, "name", `${formatValue(config.name)} again`, "each VPP name once");
    if (config.name !== undefined) names.add(config.name);
    const members: ExpandedMember[] = [];
    for (const member of config.members ?? []) {
      for (const siteIndex of matchingSites(loadContext, member, sites)) {
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

function matchingSites({ checker }: LoadContext, member: MemberConfig, sites: readonly ExpandedSite[]): number[] {
  if (member.site === undefined) return [];
  const test = createGlobMatcher(member.site);
  const matches: number[] = [];
  for (let k = 0; k < sites.length; k++) if (test(sites[k].name)) matches.push(k);
  if (matches.length === 0) {
    const names = formatNameList(
      sites.map(({ name }) => name),
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
