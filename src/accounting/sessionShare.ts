import { roundTo } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import { type Kpis, kpiValue } from "./kpis/kpiRegistry.ts";
import type { AwardRow, PrintedTotals, SessionShare } from "./runRecord.ts";
import { type AwardTotals, sumTotals } from "./settlement/totalsUntil.ts";

/** The totals of each award until a session opened, in the order of the awards. */
export interface TotalsBeforeSession {
  readonly openedMs: EpochMs;
  readonly awards: readonly AwardTotals[];
}

/** Divides the figures of a run at the opening of a session (docs/model/report-files.md#session). */
export function shareOfSession(
  { openedMs, awards }: TotalsBeforeSession,
  rows: readonly AwardRow[],
  kpis: Kpis,
): SessionShare {
  const sum = sumTotals(awards);
  const whole = {
    requestedKwh: kpiValue(kpis, "requested_kwh") ?? 0,
    deliveredKwh: kpiValue(kpis, "delivered_kwh") ?? 0,
    shortfallKwh: kpiValue(kpis, "shortfall_kwh") ?? 0,
    excessKwh: kpiValue(kpis, "excess_kwh") ?? 0,
  };
  const wholePenaltyJpy = kpiValue(kpis, "penalty_jpy");
  const totals = (shareOf: (name: keyof AwardTotals, run: number) => number): PrintedTotals => ({
    requestedKwh: shareOf("requestedKwh", whole.requestedKwh),
    deliveredKwh: shareOf("deliveredKwh", whole.deliveredKwh),
    shortfallKwh: shareOf("shortfallKwh", whole.shortfallKwh),
    excessKwh: shareOf("excessKwh", whole.excessKwh),
    penaltyJpy: wholePenaltyJpy === null ? null : shareOf("penaltyJpy", wholePenaltyJpy),
  });
  return {
    openedMs,
    before: totals((name) => roundTo(sum[name], 3)),
    within: totals((name, run) => remainder(run, sum[name])),
    divided: rows.flatMap(({ awardId, startMs, endMs, shortfallKwh }, k) => {
      if (shortfallKwh === null || openedMs <= startMs || endMs <= openedMs) return [];
      const beforeKwh = roundTo(awards[k].shortfallKwh, 3);
      return [{ awardId, beforeKwh, withinKwh: remainder(shortfallKwh, beforeKwh) }];
    }),
  };
}

/** What is left of a printed total. */
const remainder = (whole: number, part: number): number => roundTo(roundTo(whole, 3) - roundTo(part, 3), 3) || 0;
