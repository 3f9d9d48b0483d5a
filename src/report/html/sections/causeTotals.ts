import type { AwardRow } from "../../../accounting/runRecord.ts";
import { CAUSES, type Cause } from "../../../accounting/settlement/causes.ts";

/** What one cause took in a whole run. */
export interface CauseTotal {
  readonly cause: Cause;
  readonly shortfallKwh: number;
  /** Awards in which it took part, by energy or by power at the start. */
  readonly awardCount: number;
  /** The most that it left uncovered at the start of one award. */
  readonly uncoveredMaxKw: number;
}

/** Causes that took part at all, largest shortfall first, then largest uncovered power, then in the order of CAUSES. */
export function causeTotals(awards: readonly AwardRow[]): readonly CauseTotal[] {
  const totals = CAUSES.map((cause, k) => ({ cause, k, shortfallKwh: 0, awardCount: 0, uncoveredMaxKw: 0 }));
  for (const { shortfallByCauseKwh, uncoveredByCauseKw } of awards) {
    for (const total of totals) {
      const kwh = shortfallByCauseKwh[total.k];
      const kw = Math.abs(uncoveredByCauseKw[total.k]);
      total.shortfallKwh += kwh;
      total.uncoveredMaxKw = Math.max(total.uncoveredMaxKw, kw);
      if (0 < kwh || 0 < kw) total.awardCount += 1;
    }
  }
  return totals
    .filter(({ awardCount: count }) => 0 < count)
    .sort((a, b) => b.shortfallKwh - a.shortfallKwh || b.uncoveredMaxKw - a.uncoveredMaxKw || a.k - b.k)
    .map(({ k: _, ...total }) => total);
}

/** The awards that lacked most: by energy, then by power at the start, then in record order. */
export function sortByShortfall(awards: readonly AwardRow[]): readonly AwardRow[] {
  const size = (award: AwardRow): number => award.shortfallKwh ?? 0;
  const power = (award: AwardRow): number => Math.abs(award.uncoveredKw ?? 0);
  return awards
    .map((award, k) => ({ award, k }))
    .sort((a, b) => size(b.award) - size(a.award) || power(b.award) - power(a.award) || a.k - b.k)
    .map(({ award }) => award);
}

/** Whether an award lacked anything that shows at three decimals. */
export const hasShortfall = (award: AwardRow): boolean =>
  0.0005 <= (award.shortfallKwh ?? 0) || 0.0005 <= Math.abs(award.uncoveredKw ?? 0);
