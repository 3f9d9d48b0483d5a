import { isoUtc } from "../../base/time.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { Period } from "../../site/siteSpec.ts";

/**
 * Awards whose period meets planned maintenance of a member: registration does not see it coming (docs/model/allocation.md#planned-maintenance). One
 * sentence for each maintenance.
 */
export function plannedOutageWarnings(spec: WorldSpec): string[] {
  return plannedOutages(spec).flatMap(({ site, startMs, endMs }) => {
    const met = spec.awards.filter(
      (award) =>
        startMs < award.endMs &&
        award.startMs < endMs &&
        spec.vpps[award.vpp].members.some((member) => member.site === site),
    );
    if (met.length === 0) return [];
    const until = Number.isFinite(endMs) ? ` to ${isoUtc(endMs)}` : "";
    return `planned maintenance of ${spec.sites[site].name} from ${isoUtc(startMs)}${until} meets ${listNames(met.map(({ awardId }) => awardId))}`;
  });
}

function plannedOutages({ sites, events }: WorldSpec): (Period & { readonly site: number })[] {
  const planned = sites.flatMap(({ maintenance }, site) => maintenance.map((period) => ({ ...period, site })));
  for (const event of events)
    if (event.kind === "maintenance") planned.push({ site: event.site, startMs: event.atMs, endMs: event.untilMs });
  return planned;
}

const NAMES_MAX = 3;

function listNames(names: readonly string[]): string {
  const named = names.slice(0, NAMES_MAX).join(", ");
  const more = names.length - NAMES_MAX;
  return `${names.length === 1 ? "award" : `${names.length} awards`}: ${named}${more > 0 ? ` and ${more} more` : ""}`;
}
