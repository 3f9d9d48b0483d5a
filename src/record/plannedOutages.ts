import type { Period } from "../site/siteSpec.ts";
import type { WorldSpec } from "../world/worldSpec.ts";

/** Awards whose period meets planned maintenance of a member: registration does not see it coming (decisions.md 72). */
export function plannedOutageWarnings(spec: WorldSpec): string[] {
  const planned = spec.sites.map((site): Period[] => [...site.maintenance]);
  for (const event of spec.events)
    if (event.kind === "maintenance") planned[event.site].push({ startMs: event.atMs, endMs: event.untilMs });
  if (planned.every((periods) => periods.length === 0)) return [];
  const warnings: string[] = [];
  for (const award of spec.awards) {
    const away = spec.vpps[award.vpp].members
      .filter(({ site }) => planned[site].some(({ startMs, endMs }) => startMs < award.endMs && award.startMs < endMs))
      .map(({ site }) => spec.sites[site].name);
    if (away.length > 0) warnings.push(`award ${award.awardId} meets planned maintenance of ${away.join(", ")}`);
  }
  return warnings;
}
