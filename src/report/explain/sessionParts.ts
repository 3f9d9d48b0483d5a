// The shortfall of an award before a session opened, apart from its shortfall in the session.
import type { AwardRow } from "../../accounting/settlement/awardRows.ts";
import type { Cause } from "../../accounting/settlement/causes.ts";
import { roundTo } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";
import type { CauseShare } from "./causeShares.ts";
import type { DispatchRound } from "./dispatchRounds.ts";
import type { SessionOpening } from "./readAwardFacts.ts";

/** Amounts at least 0; both parts of a shortfall add up to that of the award (docs/model/report-files.md#session). */
export interface SessionParts {
  readonly openedMs: EpochMs;
  readonly shortfallKwh: Parts;
  /** Empty where the report does not divide the causes. */
  readonly causes: readonly (Parts & { readonly cause: Cause })[];
  /** `null`: the report has no dispatches of the award. */
  readonly largestUncoveredKw: Parts | null;
}

interface Parts {
  readonly before: number;
  readonly within: number;
}

export function sessionParts(
  { openedMs, beforeKwh, byCauseKwh }: SessionOpening,
  award: AwardRow,
  shortfall: readonly CauseShare[],
  rounds: readonly DispatchRound[],
): SessionParts {
  return {
    openedMs,
    shortfallKwh: parted(award.shortfallKwh ?? 0, beforeKwh),
    causes:
      byCauseKwh.size === 0
        ? []
        : shortfall.map(({ cause, amount }) => ({ cause, ...parted(amount, byCauseKwh.get(cause) ?? 0) })),
    largestUncoveredKw: rounds.length === 0 ? null : largestUncovered(rounds, award, openedMs),
  };
}

/** Printed amounts may differ in their last digit from the sum of their parts. */
function parted(whole: number, part: number): Parts {
  const before = Math.min(part, whole);
  return { before, within: roundTo(whole - before, 3) };
}

/** The uncovered power of a dispatch lasts until the next dispatch. */
function largestUncovered(rounds: readonly DispatchRound[], { requestedKw }: AwardRow, openedMs: EpochMs): Parts {
  const largest = (some: readonly DispatchRound[]): number =>
    Math.max(0, ...some.map(({ uncoveredKw }) => uncoveredKw * Math.sign(requestedKw)));
  const firstWithin = rounds.findIndex(({ atMs }) => openedMs < atMs);
  const before = firstWithin < 0 ? rounds : rounds.slice(0, firstWithin);
  const within = firstWithin < 0 ? [] : rounds.slice(firstWithin);
  return { before: largest(before), within: largest([...before.slice(-1), ...within]) };
}
