import { type EpochMs, isoUtc } from "../base/time.ts";
import { SessionRefusal } from "./refusal.ts";
import type { WallClock } from "./wallClock.ts";

/** What can be advanced: a world, seen from its host. */
export interface Advancing {
  readonly nowMs: EpochMs;
  /** Advances and does everything due at the instant. */
  runThrough(untilMs: EpochMs): void;
}

/** Real milliseconds after which others get a turn (decisions.md 136), less what one more piece may take. */
export const SLICE_WALL_MS = 8;
/** Real milliseconds that one piece of a slice should take: the clock is looked at between pieces. */
const PIECE_WALL_MS = 1;
const PIECE_MIN_MS = 1;

/** Advances worlds in slices short enough that reads and pings do not notice. */
export class Runner {
  readonly #wall: WallClock;
  /** Simulated milliseconds that took about as long as a piece may. */
  #pieceMs: number = 1_000;

  constructor(wall: WallClock) {
    this.#wall = wall;
  }

  /** One slice towards an instant. @param stopMs  no further in one go: somebody wants to look there */
  slice(world: Advancing, untilMs: EpochMs, stopMs: EpochMs = Number.POSITIVE_INFINITY): void {
    const beganMs = this.#wall.nowMs();
    const lastMs = Math.min(untilMs, stopMs);
    let atWallMs = beganMs;
    while (world.nowMs < lastMs && atWallMs - beganMs < SLICE_WALL_MS) {
      const leftMs = lastMs - world.nowMs;
      world.runThrough(world.nowMs + Math.min(leftMs, this.#pieceMs));
      const doneWallMs = this.#wall.nowMs();
      this.#adapt(doneWallMs - atWallMs, this.#pieceMs <= leftMs);
      atWallMs = doneWallMs;
    }
  }

  /** @param isWhole  whether it was a whole piece: what a shorter one took says little */
  #adapt(tookMs: number, isWhole: boolean): void {
    if (tookMs > PIECE_WALL_MS) this.#pieceMs = Math.max(PIECE_MIN_MS, Math.floor(this.#pieceMs / 2));
    else if (isWhole && tookMs < PIECE_WALL_MS / 4) this.#pieceMs = Math.min(PIECE_MAX_MS, 2 * this.#pieceMs);
  }

  /**
   * Slices until an instant is reached, others having their turn in between.
   *
   * @throws SessionRefusal when it was called off; the world stands where it has got to
   */
  async run(world: Advancing, untilMs: EpochMs, { stopMs, done, calledOff }: Between): Promise<void> {
    while (world.nowMs < untilMs) {
      if (calledOff?.() === true)
        throw new SessionRefusal(503, `The server is ending; the clock was stopped at ${isoUtc(world.nowMs)}`);
      this.slice(world, untilMs, stopMs?.());
      done?.();
      if (world.nowMs < untilMs) await new Promise<void>((resolve) => void this.#wall.after(0, resolve));
    }
  }
}

/** What happens between two slices. */
export interface Between {
  /** Where a slice ends at the latest. */
  readonly stopMs?: () => EpochMs;
  readonly done?: () => void;
  /** Whether to give up. */
  readonly calledOff?: () => boolean;
}

/** A day: growth that never ends would make the first piece after a quiet stretch endless. */
const PIECE_MAX_MS = 86_400_000;
