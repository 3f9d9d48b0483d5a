import { roundTo } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import { type Kpis, kpiValue } from "./kpis/kpiRegistry.ts";
import type { DividedCause, PrintedTotals, SessionShare } from "./runRecord.ts";
import type { AwardRow } from "./settlement/awardRows.ts";
import { CAUSES } from "./settlement/causes.ts";
import { type AwardTotals, sumTotals } from "./settlement/totalsUntil.ts";

/** What came of an award until a session opened. */
export interface AwardBeforeSession extends AwardTotals {
  /** Shortfall in kWh, in the order of CAUSES; `null`: the award was not being executed when the session opened. */
  readonly byCauseKwh: Float64Array | null;
}

/** The figures of each award until a session opened, in the order of the awards. */
export interface TotalsBeforeSession {
  readonly openedMs: EpochMs;
  readonly awards: readonly AwardBeforeSession[];
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
    divided: rows.flatMap(({ awardId, startMs, endMs, shortfallKwh, shortfallByCauseKwh }, k) => {
      if (shortfallKwh === null || openedMs <= startMs || endMs <= openedMs) return [];
      const { byCauseKwh } = awards[k];
      const beforeKwh = roundTo(awards[k].shortfallKwh, 3);
      const causes = byCauseKwh === null ? [] : dividedCauses(shortfallByCauseKwh, byCauseKwh);
      return [{ awardId, beforeKwh, withinKwh: remainder(shortfallKwh, beforeKwh), causes }];
    }),
  };
}

const dividedCauses = (wholeKwh: Float64Array, beforeKwh: Float64Array): DividedCause[] =>
  CAUSES.map((cause, c) => {
    const before = roundTo(beforeKwh[c] ?? 0, 3);
    return { cause, beforeKwh: before, withinKwh: remainder(wholeKwh[c] ?? 0, before) };
  }).filter((part) => part.beforeKwh !== 0 || part.withinKwh !== 0);

/** What is left of a printed total. */
const remainder = (whole: number, part: number): number => roundTo(roundTo(whole, 3) - roundTo(part, 3), 3) || 0;
