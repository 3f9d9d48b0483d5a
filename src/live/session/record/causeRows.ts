import { CAUSES } from "../../../accounting/settlement/causes.ts";
import { sumOf } from "../../../base/lists.ts";
import { roundByLargestRemainder } from "../../../base/roundByLargestRemainder.ts";
import { roundTo } from "../../../base/rounding.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { Cause } from "../sandboxReads.ts";
import type { Balance, BalanceGap } from "./awardBalance.ts";
import { type GapSince, gapLimitKw } from "./gapWatch.ts";
import type { ReaderView } from "./hiddenShortfall.ts";
import type { SessionRecord } from "./sessionRecord.ts";

/** Missing power of one award by one cause at one site. */
export interface CauseRow extends GapSince {
  readonly stage: "allocation" | "delivery";
  readonly cause: Cause;
  /** Index of the site; `null`: none accounts for it, or it is not yet known. */
  readonly site: number | null;
  /** With three decimals, above 0. */
  readonly kw: number;
}

/** The missing power of an award as a reader knows it: first the uncovered, then the undelivered power, each the largest first. */
export function causeRows(
  { hiddenCauses }: SessionRecord,
  { gaps, uncoveredKw, notDeliveredKw, requestedKw }: Balance,
  nowMs: EpochMs,
  view: ReaderView,
): readonly CauseRow[] {
  const isHidden = ({ cause, site }: BalanceGap): boolean =>
    view === "noticed" && hiddenCauses.isHidden(cause, site, nowMs);
  const rowsOf = (stage: CauseRow["stage"], totalKw: number): CauseRow[] => {
    const ofStage = gaps.filter((gap) => gap.stage === stage);
    return joinUnknown(roundedRows(ofStage, totalKw, isHidden), gapLimitKw(requestedKw));
  };
  return [...rowsOf("allocation", uncoveredKw), ...rowsOf("delivery", notDeliveredKw)];
}

/** Since when the largest part of the uncovered power is missing; `null`: nothing is uncovered. */
export const uncoveredSinceMs = (rows: readonly CauseRow[]): EpochMs | null =>
  rows.find(({ stage }) => stage === "allocation")?.sinceMs ?? null;

/** The gaps in kW with three decimals, which sum to the total. */
function roundedRows(
  gaps: readonly BalanceGap[],
  totalKw: number,
  isHidden: (gap: BalanceGap) => boolean,
): readonly CauseRow[] {
  const parts = Float64Array.from(gaps, (gap) => 1000 * gap.kw);
  roundByLargestRemainder(Math.round(1000 * totalKw), parts, parts);
  return gaps.map((gap, k) => ({
    ...gap,
    ...(isHidden(gap) ? ({ cause: "not_yet_known", site: null } as const) : {}),
    kw: parts[k] / 1000,
  }));
}

/** Sums the power whose cause is not yet known, so that an answer does not reveal the number of sites; largest first. */
function joinUnknown(rows: readonly CauseRow[], limitKw: number): CauseRow[] {
  const unknown = rows.filter(({ cause }) => cause === "not_yet_known");
  const known = rows.filter(({ cause }) => cause !== "not_yet_known");
  const joined = unknown.slice(0, 1).map((first): CauseRow => {
    const kw = roundTo(
      sumOf(unknown, (row) => row.kw),
      3,
    );
    const reached = unknown.filter(({ isReached }) => isReached);
    const sinceMs = Math.min(...(reached.length > 0 ? reached : unknown).map((row) => row.sinceMs));
    return { ...first, kw, sinceMs, isReached: reached.length > 0 || limitKw <= kw };
  });
  return [...known, ...joined]
    .filter(({ kw }) => kw > 0)
    .sort((a, b) => b.kw - a.kw || orderOf(a.cause) - orderOf(b.cause));
}

const orderOf = (cause: Cause): number => (CAUSES as readonly Cause[]).indexOf(cause);
