import { copyState } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { Site } from "../../engine/site/site.ts";
import { AwardAccount } from "./awardAccount.ts";
import { AwardSettlement, type PieceListeners } from "./awardSettlement.ts";
import { MemberCredits } from "./memberCredits.ts";
import { ShortfallAttribution } from "./shortfallAttribution.ts";

/**
 * A copy of the account of a running instruction, settled to an instant that the present trajectories reach. The account itself
 * is not settled, because its sums depend in the last bit on where they were interrupted.
 *
 * @param listeners  receive the pieces between the last settlement of the account and the instant
 */
export function settledCopy(
  account: AwardAccount,
  atMs: EpochMs,
  sites: readonly Site[],
  listeners: PieceListeners = NO_LISTENERS,
): AwardAccount {
  const copy = copyState(account, isShared);
  new AwardSettlement(sites, listeners).settle(copy, atMs);
  return copy;
}

const NO_LISTENERS: PieceListeners = { delivery: null, awards: [] };

/** Of an account, its own sums are copied; sites, instruction and prices are not. */
const isShared = (value: object): boolean =>
  !(
    value instanceof AwardAccount ||
    value instanceof ShortfallAttribution ||
    value instanceof MemberCredits ||
    ArrayBuffer.isView(value)
  );
