import type { AwardPiece, AwardPieceListener } from "../../../accounting/settlement/awardSettlement.ts";
import { CAUSE_INDEX } from "../../../accounting/settlement/causes.ts";
import type { ShortfallGap } from "../../../accounting/settlement/shortfallAttribution.ts";
import { roundTo } from "../../../base/rounding.ts";
import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import type { Instruction } from "../../../engine/vpp/instructions/instruction.ts";

/** Power from which a gap counts, in kW, and as a part of the requested power (docs/model/sandbox.md#alarm-limit). */
const LIMIT_KW = 1;
const LIMIT_FRACTION = 0.01;

export const gapLimitKw = (requestedKw: number): number => Math.max(LIMIT_KW, LIMIT_FRACTION * Math.abs(requestedKw));

/** The past of one gap that has not ended. */
interface WatchedGap {
  /** Since when there is a gap of this cause. */
  readonly presentMs: EpochMs;
  /** When it reached the limit; `null`: it has not, or has fallen below half the limit since. */
  readonly reachedMs: EpochMs | null;
  /** Begin of the ramp on which it rises; without meaning where it does not. */
  readonly risingMs: EpochMs;
  readonly isRising: boolean;
  readonly toKw: number;
  readonly toMs: EpochMs;
}

/** Since when a gap is as large as it is. */
export interface GapSince {
  /** When it reached the limit, or began if it has not. */
  readonly sinceMs: EpochMs;
  /** Whether it has reached the limit and not fallen below half of it since. */
  readonly isReached: boolean;
}

type GapOrigin = Pick<ShortfallGap, "stage" | "cause" | "site">;

/** The gaps of one running instruction, from piece to piece (docs/model/sandbox.md#alarm-since). */
class GapWatch {
  private readonly gaps: Map<number, WatchedGap>;

  constructor(gaps: ReadonlyMap<number, WatchedGap> = new Map()) {
    this.gaps = new Map(gaps);
  }

  /** An independent watch with the same past. */
  copy(): GapWatch {
    return new GapWatch(this.gaps);
  }

  /** Takes the gaps of the next period. @param toMs  `Infinity`: until the next call */
  add(fromMs: EpochMs, toMs: EpochMs, requestedKw: number, gaps: readonly ShortfallGap[]): void {
    if (gaps.length === 0) return this.gaps.clear();
    const limitKw = gapLimitKw(requestedKw);
    for (const gap of gaps) {
      const key = keyOf(gap);
      const before = this.gaps.get(key);
      const isJoined = before !== undefined && fromMs <= before.toMs;
      this.gaps.set(key, nextGap(isJoined ? before : null, gap, fromMs, toMs, limitKw));
    }
    for (const [key, gap] of this.gaps) if (gap.toMs !== toMs) this.gaps.delete(key);
  }

  /** @param nowMs  of a gap that has just begun */
  since(gap: GapOrigin, nowMs: EpochMs): GapSince {
    const known = this.gaps.get(keyOf(gap));
    const reachedMs = known?.reachedMs ?? null;
    return { sinceMs: reachedMs ?? known?.presentMs ?? nowMs, isReached: reachedMs !== null };
  }
}

const CAUSES_MAX = 16;

const keyOf = ({ stage, cause, site }: GapOrigin): number =>
  (((site ?? -1) + 1) * CAUSES_MAX + CAUSE_INDEX[cause]) * 2 + Number(stage === "delivery");

/** Difference up to which two powers are one on a ramp that is settled in pieces. */
const JOINED_KW = 0.01;

/** @param before  the same gap in the period before; `null`: there was none */
function nextGap(
  before: WatchedGap | null,
  gap: ShortfallGap,
  fromMs: EpochMs,
  toMs: EpochMs,
  limitKw: number,
): WatchedGap {
  // As printed, so that a gap of exactly the limit counts.
  const [fromKw, toKw] = [roundTo(gap.fromKw, 3), roundTo(gap.toKw, 3)];
  const isRising = fromKw < toKw;
  const isOnRamp = before?.isRising === true && Math.abs(fromKw - before.toKw) <= JOINED_KW;
  const risingMs = isOnRamp ? before.risingMs : fromMs;
  let reachedMs = before?.reachedMs ?? null;
  if (fromKw < limitKw / 2) reachedMs = null;
  if (limitKw <= fromKw) reachedMs ??= risingMs;
  if (isRising && limitKw <= toKw) reachedMs ??= risingMs;
  if (toKw < limitKw / 2) reachedMs = null;
  return { presentMs: before?.presentMs ?? fromMs, reachedMs, risingMs, isRising, toKw, toMs };
}

/** The gaps of all running instructions. */
export class GapWatches implements AwardPieceListener {
  private readonly watches = new Map<Instruction, GapWatch>();

  addPiece(instruction: Instruction, piece: AwardPiece): void {
    addPieceTo(this.watchOf(instruction), piece);
  }

  /** Takes the gaps of an instruction without pieces, from an instant on. */
  add(instruction: Instruction, fromMs: EpochMs, requestedKw: number, gaps: readonly ShortfallGap[]): void {
    this.watchOf(instruction).add(fromMs, Number.POSITIVE_INFINITY, requestedKw, gaps);
  }

  /** An instruction ends, or is replaced by another. */
  ended(instruction: Instruction): void {
    this.watches.delete(instruction);
  }

  /** A watch that continues from the last settlement, as a listener of its own. */
  continued(instruction: Instruction): AwardPieceListener & Pick<GapWatch, "since"> {
    const watch = this.watchOf(instruction).copy();
    return {
      addPiece: (_instruction, piece) => addPieceTo(watch, piece),
      since: (gap, nowMs) => watch.since(gap, nowMs),
    };
  }

  private watchOf(instruction: Instruction): GapWatch {
    let watch = this.watches.get(instruction);
    if (watch === undefined) {
      watch = new GapWatch();
      this.watches.set(instruction, watch);
    }
    return watch;
  }
}

function addPieceTo(watch: GapWatch, { fromMs, toMs, requestedKw, attribution }: AwardPiece): void {
  if (toMs <= fromMs) return;
  watch.add(fromMs, toMs, requestedKw, attribution?.pieceGaps((toMs - fromMs) / MS_PER_HOUR) ?? []);
}
