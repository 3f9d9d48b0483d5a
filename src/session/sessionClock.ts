import { type EpochMs, isoUtc } from "../base/time.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import type { ClockRecord } from "./clockRecord.ts";
import { Pace, type Speed } from "./pace.ts";
import type { SessionListener } from "./sessionListener.ts";
import { SessionRefusal } from "./sessionRefusal.ts";
import { type Advanceable, SLICE_WALL_MS, SliceRunner } from "./sliceRunner.ts";
import type { WallClock } from "./wallClock.ts";

/** While the clock runs, a mark at least this often, in real milliseconds (docs/model/sandbox.md#clock-marks). */
const CLOCK_ENTRY_INTERVAL_MS = 1_000;
/** Real milliseconds between two looks at a clock that is not behind. */
const POLL_INTERVAL_MS = 10;

/** What a session's clock moves, and whom it tells. */
export interface ClockContext {
  readonly wallClock: WallClock;
  /** The world of now: a restore puts another in its place. */
  readonly world: () => Advanceable;
  readonly endMs: EpochMs;
  readonly listeners: readonly SessionListener[];
  /** Writes down how the clock stands. */
  readonly journalClock: () => void;
  /** Whether long advances are to be given up. */
  readonly isCancelled: () => boolean;
  /** Something went wrong while nobody was waiting for an answer. */
  readonly onFailure: (error: unknown) => void;
}

/** The simulated clock of a session: held, or running with real time at some speed. */
export class SessionClock {
  readonly #context: ClockContext;
  readonly #runner: SliceRunner;
  #pace: Pace | null = null;
  #speed: Speed = 1;
  #journalledWallMs = 0;
  #isNotifying = false;
  #cancelTimer: () => void = () => {};

  constructor(ground: ClockContext) {
    this.#context = ground;
    this.#runner = new SliceRunner(ground.wallClock);
  }

  get mode(): "paused" | "running" {
    return this.#pace === null ? "paused" : "running";
  }

  get speed(): Speed {
    return this.#speed;
  }

  record(): ClockRecord {
    const { nowMs } = this.#context.world();
    const wallMs = this.#context.wallClock.nowMs();
    return {
      now: wireTime(nowMs),
      mode: this.mode,
      speed: this.#speed,
      achieved_speed: rounded(this.#pace?.achievedSpeed(nowMs, wallMs) ?? 0),
      lag_seconds: rounded(this.#pace?.lagSeconds(Math.min(nowMs, this.#context.endMs), wallMs) ?? 0),
      scenario_end: isoUtc(this.#context.endMs),
    };
  }

  /**
   * While the clock runs: brings the world to the instant that the machine's clock says, or a slice towards it.
   *
   * @returns whether it got there
   */
  catchUp(): boolean {
    // A listener that reads is answered at the instant that it was told of.
    if (this.#pace === null || this.#isNotifying) return true;
    const { wallClock: wall, endMs } = this.#context;
    const world = this.#context.world();
    const wallMs = wall.nowMs();
    const targetMs = Math.min(this.#pace.targetMs(wallMs), endMs);
    if (targetMs <= world.nowMs) return true;
    // A slice may end early, where a listener wants to look.
    do {
      this.#runner.runSlice(world, targetMs, this.#stopMs());
      this.notifySettled();
    } while (world.nowMs < targetMs && wall.nowMs() - wallMs < SLICE_WALL_MS);
    this.#pace?.recordReached(world.nowMs, wallMs);
    return targetMs <= world.nowMs;
  }

  /** Held at once, where the world is. */
  pause(): void {
    if (this.#pace === null) return;
    this.#stop();
    this.#context.journalClock();
    this.#notifyClock();
  }

  /** Sets the clock going, or changes its speed. At the scenario's end it stays held. */
  resume(speed: Speed = this.#speed): void {
    const { world, endMs } = this.#context;
    this.#stop();
    this.#speed = speed;
    if (world().nowMs < endMs) this.#start();
    this.#context.journalClock();
    this.#notifyClock();
  }

  /** Runs a held clock to an instant at full speed, others having their turn in between. */
  async advanceTo(untilMs: EpochMs): Promise<void> {
    if (this.#pace !== null)
      throw new SessionRefusal(409, "The clock is running; an advance is allowed while it is paused");
    const calledOff = await this.#runner
      .runUntil(this.#context.world(), untilMs, {
        stopMs: () => this.#stopMs(),
        onSlice: () => {
          this.notifySettled();
          this.#journalIfDue();
        },
        isCancelled: this.#context.isCancelled,
      })
      .then(() => null, refusalOf);
    this.#context.journalClock();
    this.#notifyClock();
    if (calledOff !== null) throw calledOff;
  }

  /** Stops without a word, for work that puts another world in place. @returns how to go on as it was */
  hold(): () => void {
    const wasRunning = this.#pace !== null;
    this.#stop();
    return () => {
      if (wasRunning && this.#context.world().nowMs < this.#context.endMs) this.#start();
      this.#context.journalClock();
      this.#notifyClock();
    };
  }

  #start(): void {
    const { wallClock: wall, world } = this.#context;
    this.#pace = new Pace(this.#speed, world().nowMs, wall.nowMs());
    this.#cancelTimer = wall.schedule(0, () => this.#poll());
  }

  #stop(): void {
    this.#cancelTimer();
    this.#pace = null;
  }

  /** Now and then, and again at once while the world is behind. */
  #poll(): void {
    try {
      const isThere = this.catchUp();
      const { wallClock: wall, world, endMs } = this.#context;
      if (this.#pace === null) return;
      if (endMs <= world().nowMs) return this.pause();
      this.#journalIfDue();
      this.#cancelTimer = wall.schedule(isThere ? POLL_INTERVAL_MS : 0, () => this.#poll());
    } catch (error) {
      this.#stop();
      this.#context.onFailure(error);
    }
  }

  #journalIfDue(): void {
    const wallMs = this.#context.wallClock.nowMs();
    if (wallMs - this.#journalledWallMs < CLOCK_ENTRY_INTERVAL_MS) return;
    this.#journalledWallMs = wallMs;
    this.#context.journalClock();
  }

  /** The first instant at which a listener wants to look. */
  #stopMs(): EpochMs {
    const { nowMs } = this.#context.world();
    let stopMs = Number.POSITIVE_INFINITY;
    for (const listener of this.#context.listeners) stopMs = Math.min(stopMs, listener.nextTickMs(nowMs));
    return stopMs;
  }

  /** Tells listeners that everything due at the present instant has been done. */
  notifySettled(): void {
    const { nowMs } = this.#context.world();
    this.notifyListeners((listener) => listener.onSettled(nowMs));
  }

  /** Tells every listener; the clock stands meanwhile. */
  notifyListeners(what: (listener: SessionListener) => void): void {
    this.#isNotifying = true;
    try {
      for (const listener of this.#context.listeners) what(listener);
    } finally {
      this.#isNotifying = false;
    }
  }

  #notifyClock(): void {
    if (this.#context.listeners.length === 0) return;
    const record = this.record();
    this.notifyListeners((listener) => listener.onClock(record));
  }
}

/** What is refused; anything else is a failure and goes on its way. */
function refusalOf(error: unknown): SessionRefusal {
  if (error instanceof SessionRefusal) return error;
  throw error;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
