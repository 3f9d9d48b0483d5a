import { isoUtc } from "../../base/time.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { Period } from "../../site/siteSpec.ts";

/**
 * One sentence for each planned maintenance of a member that overlaps awards, because registration does not take it
 * into account (docs/model/allocation.md#planned-maintenance).
 */
export function plannedOutageWarnings(spec: WorldSpec): string[] {
  return plannedOutages(spec).flatMap(({ site, startMs, endMs }) => {
    const overlapped = spec.awards.filter(
      (award) =>
        startMs < award.endMs &&
        award.startMs < endMs &&
        spec.vpps[award.vpp].members.some((member) => member.site === site),
    );
    if (overlapped.length === 0) return [];
    const until = Number.isFinite(endMs) ? ` to ${isoUtc(endMs)}` : "";
    return `planned maintenance of ${spec.sites[site].name} from ${isoUtc(startMs)}${until} overlaps ${listNames(overlapped.map(({ awardId }) => awardId))}`;
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
