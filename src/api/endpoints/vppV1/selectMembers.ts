import type { MembershipLog } from "../../../accounting/history/membershipLog.ts";
import type { SpanList } from "../../../accounting/history/spanList.ts";
import { accepted, type Result, refused } from "../../../base/result.ts";
import type { Site } from "../../../engine/site/site.ts";
import type { HistoryPeriod } from "../shared/historyRules.ts";

export interface SelectedMember {
  readonly site: Site;
  /** Periods of membership in the VPP. */
  readonly spans: SpanList;
}

/**
 * The members of a history request, in order of registration: those named, which may be former members, else those that
 * belonged to the VPP during a part of the period.
 */
export function selectMembers(
  membership: MembershipLog,
  sites: readonly Site[],
  emsIds: readonly string[] | undefined,
  { startMs, endMs }: HistoryPeriod,
): Result<readonly SelectedMember[]> {
  const everMembers = [...membership.spansBySite].map(([site, spans]) => ({ site: sites[site], spans }));
  if (emsIds === undefined) return accepted(everMembers.filter(({ spans }) => spans.overlaps(startMs, endMs)));
  const remainingIds = new Set(emsIds);
  const selected = everMembers.filter(({ site }) => remainingIds.delete(site.spec.emsId));
  const [unknown] = remainingIds;
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
