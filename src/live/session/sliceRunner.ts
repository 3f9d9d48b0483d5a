import { type EpochMs, isoUtc } from "../../base/time.ts";
import { SessionRefusal } from "./sessionRefusal.ts";
import type { WallClock } from "./wallClock.ts";

/** A world, as its host advances it. */
export interface Advanceable {
  readonly nowMs: EpochMs;
  /** Advances to an instant and processes its events. */
  runThrough(untilMs: EpochMs): void;
}

/** Real milliseconds after which a slice begins no further piece (docs/model/sandbox.md#clock-record). */
export const SLICE_REAL_MS = 8;
/** Target duration of a piece of a slice, in real milliseconds; the elapsed time is checked between pieces. */
const STEP_WALL_MS = 1;
const STEP_MIN_MS = 1;

/** Advances worlds in slices short enough for reads and pings in between. */
export class SliceRunner {
  private readonly wallClock: WallClock;
  /** Simulated milliseconds that take about the target duration of a piece. */
  private stepMs: number = 1_000;
  /** Real time since which `pauseIfDue` counts. */
  private pausedMs: number;

  constructor(wallClock: WallClock) {
    this.wallClock = wallClock;
    this.pausedMs = wallClock.nowMs();
  }

  /** Lets other tasks run if the last pause is a slice ago; for work between the slices. */
  async pauseIfDue(): Promise<void> {
    if (this.wallClock.nowMs() - this.pausedMs < SLICE_REAL_MS) return;
    await this.pause();
  }

  private async pause(): Promise<void> {
    await new Promise<void>((resolve) => void this.wallClock.schedule(0, resolve));
    this.pausedMs = this.wallClock.nowMs();
  }

  /** Runs one slice towards an instant. @param stopMs  upper limit, for a listener's notification */
  runSlice(world: Advanceable, untilMs: EpochMs, stopMs: EpochMs = Number.POSITIVE_INFINITY): void {
    const beganMs = this.wallClock.nowMs();
    const lastMs = Math.min(untilMs, stopMs);
    let atRealMs = beganMs;
    while (world.nowMs < lastMs && atRealMs - beganMs < SLICE_REAL_MS) {
      const leftMs = lastMs - world.nowMs;
      world.runThrough(world.nowMs + Math.min(leftMs, this.stepMs));
      const doneRealMs = this.wallClock.nowMs();
      this.adapt({ tookMs: doneRealMs - atRealMs, isWhole: this.stepMs <= leftMs });
      atRealMs = doneRealMs;
    }
  }

  /** @param isWhole  whether the piece was complete; a shorter one is no measure */
  private adapt({ tookMs, isWhole }: { readonly tookMs: number; readonly isWhole: boolean }): void {
    if (tookMs > STEP_WALL_MS) this.stepMs = Math.max(STEP_MIN_MS, Math.floor(this.stepMs / 2));
    else if (isWhole && tookMs < STEP_WALL_MS / 4) this.stepMs = Math.min(STEP_MAX_MS, 2 * this.stepMs);
  }

  /**
   * Runs slices until an instant is reached, with other tasks in between.
   *
   * @throws SessionRefusal if cancelled; the world stays at the instant reached
   */
  async runUntil(
    world: Advanceable,
    untilMs: EpochMs,
    { stopMs, onSlice: done, isCancelled }: SliceHooks,
  ): Promise<void> {
    while (world.nowMs < untilMs) {
      if (isCancelled?.() === true)
        throw new SessionRefusal(503, `The server is ending; the clock was stopped at ${isoUtc(world.nowMs)}`);
      this.runSlice(world, untilMs, stopMs?.());
      done?.();
      if (world.nowMs < untilMs) await this.pause();
    }
  }
}

/** Called between two slices. */
interface SliceHooks {
  /** Upper limit of a slice. */
  readonly stopMs?: () => EpochMs;
  readonly onSlice?: () => void;
  /** Whether to cancel. */
  readonly isCancelled?: () => boolean;
}

/** One day. Without a limit, the piece after a long quiet period would take too long. */
const STEP_MAX_MS = 86_400_000;
