import { wireTime } from "../../api/endpoints/shared/wireTime.ts";
import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { ClockChange } from "./clockChange.ts";
import { Pace, type Speed } from "./pace.ts";
import type { ClockRecord } from "./sandboxCommands.ts";
import type { SandboxRole } from "./sandboxReads.ts";
import type { SessionListener } from "./sessionListener.ts";
import { SessionRefusal, scenarioEnded } from "./sessionRefusal.ts";
import { type Advanceable, SLICE_REAL_MS, SliceRunner } from "./sliceRunner.ts";
import type { WallClock } from "./wallClock.ts";

/**
 * Maximum real milliseconds between journalled clock states while the clock runs (docs/model/sandbox.md#clock-marks).
 */
const CLOCK_ENTRY_INTERVAL_MS = 1_000;
/** Real milliseconds between updates of a clock that does not lag. */
const POLL_INTERVAL_MS = 10;

/** Dependencies of a session's clock. */
interface ClockContext {
  /** The speed at which the clock first runs. */
  readonly speed: Speed;
  readonly wallClock: WallClock;
  /** The current world, which a restore replaces. */
  readonly world: () => Advanceable;
  readonly endMs: EpochMs;
  readonly listeners: readonly SessionListener[];
  /** Writes the state of the clock to the journal. @param change  absent: a mark of how far it has come */
  readonly journalClock: (change?: ClockChange) => void;
  /** Whether to cancel long advances. */
  readonly isCancelled: () => boolean;
  /** Whether the clock must stand still, because commands that have acted are not on disk yet. */
  readonly isCommitting: () => boolean;
  /** Called with errors outside any request. */
  readonly onFailure: (error: unknown) => void;
}

/** The simulated clock of a session: paused, or running at a multiple of real time. */
export class SessionClock {
  private readonly context: ClockContext;
  private readonly runner: SliceRunner;
  private pace: Pace | null = null;
  private chosenSpeed: Speed;
  private journalledRealMs = 0;
  private isNotifying = false;
  private cancelTimer: () => void = () => {};

  constructor(context: ClockContext) {
    this.context = context;
    this.chosenSpeed = context.speed;
    this.runner = new SliceRunner(context.wallClock);
  }

  get mode(): "paused" | "running" {
    return this.pace === null ? "paused" : "running";
  }

  get speed(): Speed {
    return this.chosenSpeed;
  }

  record(): ClockRecord {
    const { nowMs } = this.context.world();
    const realMs = this.context.wallClock.nowMs();
    return {
      now: wireTime(nowMs),
      mode: this.mode,
      speed: this.chosenSpeed,
      achieved_speed: rounded(this.pace?.achievedSpeed(nowMs, realMs) ?? 0),
      lag_seconds: rounded(this.pace?.lagSeconds(Math.min(nowMs, this.context.endMs), realMs) ?? 0),
      scenario_end: isoUtc(this.context.endMs),
    };
  }

  /**
   * While the clock runs, advances the world to the instant that corresponds to real time, or by one slice towards it.
   *
   * @returns whether it has reached that instant
   */
  catchUp(): boolean {
    // A read by a listener is answered at the instant of its notification.
    if (this.pace === null || this.isNotifying || this.context.isCommitting()) return true;
    const { wallClock, endMs } = this.context;
    const world = this.context.world();
    const realMs = wallClock.nowMs();
    const targetMs = Math.min(this.pace.targetMs(realMs), endMs);
    if (targetMs <= world.nowMs) return true;
    // A slice ends early at an instant that a listener requested.
    do {
      this.runner.runSlice(world, targetMs, this.stopMs());
      this.notifySettled();
    } while (world.nowMs < targetMs && wallClock.nowMs() - realMs < SLICE_REAL_MS);
    this.pace?.recordReached(world.nowMs, realMs);
    return targetMs <= world.nowMs;
  }

  /** Pauses immediately, at the instant reached. */
  pause(change: ClockChange): void {
    if (this.pace === null) return;
    this.stop();
    this.context.journalClock(change);
    this.notifyClock();
  }

  /** Starts the clock, or changes its speed. At the scenario's end it stays paused, and a caller is refused. */
  resume(speed: Speed = this.chosenSpeed, by: SandboxRole | null = null): void {
    const { world, endMs } = this.context;
    if (by !== null && endMs <= world().nowMs) throw new SessionRefusal(409, scenarioEnded(endMs));
    const change = this.pace === null ? "running" : "speed_changed";
    const isChange = world().nowMs < endMs && (this.pace === null || speed !== this.chosenSpeed);
    this.stop();
    this.chosenSpeed = speed;
    if (world().nowMs < endMs) this.start();
    this.context.journalClock(isChange ? { what: change, by } : undefined);
    this.notifyClock();
  }

  /** Advances a paused clock at full speed, with other tasks in between. */
  async advanceTo(untilMs: EpochMs, by: SandboxRole | null): Promise<void> {
    if (this.pace !== null)
      throw new SessionRefusal(409, "The clock is running; an advance is allowed while it is paused");
    if (this.context.world().nowMs < untilMs) this.context.journalClock({ what: "advanced", by, to_ms: untilMs });
    const cancellation = await this.runner
      .runUntil(this.context.world(), untilMs, {
        stopMs: () => this.stopMs(),
        onSlice: () => {
          this.notifySettled();
          this.journalIfDue();
        },
        isCancelled: this.context.isCancelled,
      })
      .then(() => null, refusalOf);
    this.context.journalClock();
    this.notifyClock();
    if (cancellation !== null) throw cancellation;
  }

  /**
   * Pauses without a notification, for tasks that replace the world. @returns a function that resumes the previous
   * state, or stays paused
   */
  hold(): (then?: "as before" | "paused") => void {
    const wasRunning = this.pace !== null;
    this.stop();
    return (then = "as before") => {
      if (then === "as before" && wasRunning && this.context.world().nowMs < this.context.endMs) this.start();
      this.context.journalClock();
      this.notifyClock();
    };
  }

  private start(): void {
    const { wallClock, world } = this.context;
    this.pace = new Pace(this.chosenSpeed, world().nowMs, wallClock.nowMs());
    this.cancelTimer = wallClock.schedule(0, () => this.poll());
  }

  private stop(): void {
    this.cancelTimer();
    this.pace = null;
  }

  /** Updates the clock periodically, and again immediately while it lags. */
  private poll(): void {
    try {
      const isThere = this.catchUp();
      const { wallClock, world, endMs } = this.context;
      if (this.pace === null) return;
      if (endMs <= world().nowMs) return this.pause({ what: "ended", by: null });
      this.journalIfDue();
      this.cancelTimer = wallClock.schedule(isThere ? POLL_INTERVAL_MS : 0, () => this.poll());
    } catch (error) {
      this.stop();
      this.context.onFailure(error);
    }
  }

  private journalIfDue(): void {
    const realMs = this.context.wallClock.nowMs();
    if (realMs - this.journalledRealMs < CLOCK_ENTRY_INTERVAL_MS) return;
    this.journalledRealMs = realMs;
    this.context.journalClock();
  }

  /** First instant at which a listener requests a notification. */
  private stopMs(): EpochMs {
    const { nowMs } = this.context.world();
    let stopMs = Number.POSITIVE_INFINITY;
    for (const listener of this.context.listeners) stopMs = Math.min(stopMs, listener.nextTickMs(nowMs));
    return stopMs;
  }

  /** Notifies listeners that all events of the present instant are processed. */
  notifySettled(): void {
    const { nowMs } = this.context.world();
    this.notifyListeners((listener) => listener.onSettled(nowMs));
  }

  /** Notifies every listener; the clock does not advance meanwhile. */
  notifyListeners(notify: (listener: SessionListener) => void): void {
    this.isNotifying = true;
    try {
      for (const listener of this.context.listeners) notify(listener);
    } finally {
      this.isNotifying = false;
    }
  }

  private notifyClock(): void {
    if (this.context.listeners.length === 0) return;
    const record = this.record();
    this.notifyListeners((listener) => listener.onClock(record));
  }
}

/** The refusal in an error; any other error is rethrown. */
function refusalOf(error: unknown): SessionRefusal {
  if (error instanceof SessionRefusal) return error;
  throw error;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
