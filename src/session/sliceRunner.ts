import { type EpochMs, isoUtc } from "../base/time.ts";
import { SessionRefusal } from "./sessionRefusal.ts";
import type { WallClock } from "./wallClock.ts";

/** What can be advanced: a world, seen from its host. */
export interface Advanceable {
  readonly nowMs: EpochMs;
  /** Advances and does everything due at the instant. */
  runThrough(untilMs: EpochMs): void;
}

/** Real milliseconds after which others get a turn (docs/model/sandbox.md#clock-record), less what one more piece may take. */
export const SLICE_WALL_MS = 8;
/** Real milliseconds that one piece of a slice should take: the clock is looked at between pieces. */
const STEP_WALL_MS = 1;
const STEP_MIN_MS = 1;

/** Advances worlds in slices short enough that reads and pings do not notice. */
export class SliceRunner {
  readonly #wallClock: WallClock;
  /** Simulated milliseconds that took about as long as a piece may. */
  #stepMs: number = 1_000;

  constructor(wall: WallClock) {
    this.#wallClock = wall;
  }

  /** One slice towards an instant. @param stopMs  no further in one go: somebody wants to look there */
  runSlice(world: Advanceable, untilMs: EpochMs, stopMs: EpochMs = Number.POSITIVE_INFINITY): void {
    const beganMs = this.#wallClock.nowMs();
    const lastMs = Math.min(untilMs, stopMs);
    let atWallMs = beganMs;
    while (world.nowMs < lastMs && atWallMs - beganMs < SLICE_WALL_MS) {
      const leftMs = lastMs - world.nowMs;
      world.runThrough(world.nowMs + Math.min(leftMs, this.#stepMs));
      const doneWallMs = this.#wallClock.nowMs();
      this.#adapt(doneWallMs - atWallMs, this.#stepMs <= leftMs);
      atWallMs = doneWallMs;
    }
  }

  /** @param isWhole  whether it was a whole piece: what a shorter one took says little */
  #adapt(tookMs: number, isWhole: boolean): void {
    if (tookMs > STEP_WALL_MS) this.#stepMs = Math.max(STEP_MIN_MS, Math.floor(this.#stepMs / 2));
    else if (isWhole && tookMs < STEP_WALL_MS / 4) this.#stepMs = Math.min(STEP_MAX_MS, 2 * this.#stepMs);
  }

  /**
   * Slices until an instant is reached, others having their turn in between.
   *
   * @throws SessionRefusal when it was called off; the world stands where it has got to
   */
  async runUntil(
    world: Advanceable,
    untilMs: EpochMs,
    { stopMs, onSlice: done, isCancelled: calledOff }: SliceHooks,
  ): Promise<void> {
    while (world.nowMs < untilMs) {
      if (calledOff?.() === true)
        throw new SessionRefusal(503, `The server is ending; the clock was stopped at ${isoUtc(world.nowMs)}`);
      this.runSlice(world, untilMs, stopMs?.());
      done?.();
      if (world.nowMs < untilMs) await new Promise<void>((resolve) => void this.#wallClock.schedule(0, resolve));
    }
  }
}

/** What happens between two slices. */
export interface SliceHooks {
  /** Where a slice ends at the latest. */
  readonly stopMs?: () => EpochMs;
  readonly onSlice?: () => void;
  /** Whether to give up. */
  readonly isCancelled?: () => boolean;
}

/** A day: growth that never ends would make the first piece after a quiet stretch endless. */
const STEP_MAX_MS = 86_400_000;
