import type { PrintedTotals, SessionShare } from "../accounting/runRecord.ts";
import { isoUtc } from "../base/time.ts";

/** The key `session` of summary.json; empty without a session within the run (docs/model/report-files.md#session). */
export function sessionJson(session: SessionShare | null): object {
  if (session === null) return {};
  const { openedMs, before, within, divided } = session;
  return {
    session: {
      opened_at: isoUtc(openedMs),
      before: totalsJson(before),
      within: totalsJson(within),
      awards_in_force: divided.map(({ awardId, beforeKwh, withinKwh, causes }) => ({
        award_id: awardId,
        shortfall_before_kwh: beforeKwh,
        shortfall_within_kwh: withinKwh,
        causes: causes.map((part) => ({
          cause: part.cause,
          shortfall_before_kwh: part.beforeKwh,
          shortfall_within_kwh: part.withinKwh,
        })),
      })),
    },
  };
}

const totalsJson = ({ requestedKwh, deliveredKwh, shortfallKwh, excessKwh, penaltyJpy }: PrintedTotals) => ({
  requested_kwh: requestedKwh,
  delivered_kwh: deliveredKwh,
  shortfall_kwh: shortfallKwh,
  excess_kwh: excessKwh,
  penalty_jpy: penaltyJpy,
});
