import type { MembershipLog } from "../../accounting/history/membershipLog.ts";
import type { SpanList } from "../../accounting/history/spanList.ts";
import { accepted, type Result, refused } from "../../base/result.ts";
import type { Site } from "../../site/site.ts";
import type { HistoryPeriod } from "../shared/historyRules.ts";

export interface SelectedMember {
  readonly site: Site;
  /** When it belonged to the VPP. */
  readonly spans: SpanList;
}

/**
 * The members that a request for history is about, in order of registration: those named, else those that belonged to
 * the VPP at some time of the period. One that has left can be named.
 */
export function selectMembers(
  membership: MembershipLog,
  sites: readonly Site[],
  emsIds: readonly string[] | undefined,
  { startMs, endMs }: HistoryPeriod,
): Result<readonly SelectedMember[]> {
  const known = [...membership.spansBySite].map(([site, spans]) => ({ site: sites[site], spans }));
  if (emsIds === undefined) return accepted(known.filter(({ spans }) => spans.overlaps(startMs, endMs)));
  const wanted = new Set(emsIds);
  const selected = known.filter(({ site }) => wanted.delete(site.spec.emsId));
  const [unknown] = wanted;
  if (unknown === undefined) return accepted(selected);
  return refused({
    kind: "invalid_parameter",
    details: `${unknown} is not a member of the VPP`,
    parameter: `ems_ids[${emsIds.indexOf(unknown)}]`,
    receivedValue: unknown,
    emsId: unknown,
    requiredAction: "Name members as GET members lists them, or leave ems_ids out",
  });
}
