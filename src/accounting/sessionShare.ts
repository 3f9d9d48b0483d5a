import { roundTo } from "../base/rounding.ts";
import type { EpochMs } from "../base/time.ts";
import { type KpiName, type Kpis, kpiValue } from "./kpis/kpiRegistry.ts";
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

/** The key figure of each total. */
export const KPI_OF_TOTAL = {
  requestedKwh: "requested_kwh",
  deliveredKwh: "delivered_kwh",
  shortfallKwh: "shortfall_kwh",
  excessKwh: "excess_kwh",
  penaltyJpy: "penalty_jpy",
} as const satisfies Record<keyof AwardTotals, KpiName>;
export const TOTAL_NAMES = Object.keys(KPI_OF_TOTAL) as readonly (keyof AwardTotals)[];

/** Divides the figures of a run at the opening of a session (docs/model/report-files.md#session). */
export function shareOfSession(
  { openedMs, awards }: TotalsBeforeSession,
  rows: readonly AwardRow[],
  kpis: Kpis,
): SessionShare {
  const sum = sumTotals(awards);
  const totals = (shareOf: (name: keyof AwardTotals, run: number) => number): PrintedTotals => {
    const shares = TOTAL_NAMES.map((name) => {
      const run = kpiValue(kpis, KPI_OF_TOTAL[name]);
      return [name, run === null ? null : shareOf(name, run)];
    });
    // Only the penalty can have no value.
    return Object.fromEntries(shares) as PrintedTotals;
  };
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
