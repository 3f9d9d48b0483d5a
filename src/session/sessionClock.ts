import { type EpochMs, isoUtc } from "../base/time.ts";
import { wireTime } from "../endpoints/shared/wireTime.ts";
import type { ClockRecord } from "./clockRecord.ts";
import type { SessionListener } from "./listener.ts";
import { Pace, type Speed } from "./pace.ts";
import { SessionRefusal } from "./refusal.ts";
import { type Advancing, Runner, SLICE_WALL_MS } from "./runner.ts";
import type { WallClock } from "./wallClock.ts";

/** While the clock runs, a mark at least this often, in real milliseconds (decisions.md 134). */
const MARK_EVERY_MS = 1_000;
/** Real milliseconds between two looks at a clock that is not behind. */
const LOOK_EVERY_MS = 10;

/** What a session's clock moves, and whom it tells. */
export interface ClockGround {
  readonly wall: WallClock;
  /** The world of now: a restore puts another in its place. */
  readonly world: () => Advancing;
  readonly endMs: EpochMs;
  readonly listeners: readonly SessionListener[];
  /** Writes down how the clock stands. */
  readonly mark: () => void;
  /** Whether long advances are to be given up. */
  readonly calledOff: () => boolean;
  /** Something went wrong while nobody was waiting for an answer. */
  readonly failed: (error: unknown) => void;
}

/** The simulated clock of a session: held, or running with real time at some speed. */
export class SessionClock {
  readonly #ground: ClockGround;
  readonly #runner: Runner;
  #pace: Pace | null = null;
  #speed: Speed = 1;
  #markedWallMs = 0;
  #telling = false;
  #callOff: () => void = () => {};

  constructor(ground: ClockGround) {
    this.#ground = ground;
    this.#runner = new Runner(ground.wall);
  }

  get mode(): "paused" | "running" {
    return this.#pace === null ? "paused" : "running";
  }

  get speed(): Speed {
    return this.#speed;
  }

  record(): ClockRecord {
    const { nowMs } = this.#ground.world();
    const wallMs = this.#ground.wall.nowMs();
    return {
      now: wireTime(nowMs),
      mode: this.mode,
      speed: this.#speed,
      achieved_speed: rounded(this.#pace?.achievedSpeed(nowMs, wallMs) ?? 0),
      lag_seconds: rounded(this.#pace?.lagSeconds(Math.min(nowMs, this.#ground.endMs), wallMs) ?? 0),
      scenario_end: isoUtc(this.#ground.endMs),
    };
  }

  /**
   * While the clock runs: brings the world to the instant that the machine's clock says, or a slice towards it.
   *
   * @returns whether it got there
   */
  catchUp(): boolean {
    // A listener that reads is answered at the instant that it was told of.
    if (this.#pace === null || this.#telling) return true;
    const { wall, endMs } = this.#ground;
    const world = this.#ground.world();
    const wallMs = wall.nowMs();
    const targetMs = Math.min(this.#pace.targetMs(wallMs), endMs);
    if (targetMs <= world.nowMs) return true;
    // A slice may end early, where a listener wants to look.
    do {
      this.#runner.slice(world, targetMs, this.#stopMs());
      this.settled();
    } while (world.nowMs < targetMs && wall.nowMs() - wallMs < SLICE_WALL_MS);
    this.#pace?.reached(world.nowMs, wallMs);
    return targetMs <= world.nowMs;
  }

  /** Held at once, where the world is. */
  pause(): void {
    if (this.#pace === null) return;
    this.#halt();
    this.#ground.mark();
    this.#tell();
  }

  /** Sets the clock going, or changes its speed. At the scenario's end it stays held. */
  resume(speed: Speed = this.#speed): void {
    const { world, endMs } = this.#ground;
    this.#halt();
    this.#speed = speed;
    if (world().nowMs < endMs) this.#setGoing();
    this.#ground.mark();
    this.#tell();
  }

  /** Runs a held clock to an instant at full speed, others having their turn in between. */
  async advanceTo(untilMs: EpochMs): Promise<void> {
    if (this.#pace !== null)
      throw new SessionRefusal(409, "The clock is running; an advance is allowed while it is paused");
    const calledOff = await this.#runner
      .run(this.#ground.world(), untilMs, {
        stopMs: () => this.#stopMs(),
        done: () => {
          this.settled();
          this.#markIfDue();
        },
        calledOff: this.#ground.calledOff,
      })
      .then(() => null, refusalOf);
    this.#ground.mark();
    this.#tell();
    if (calledOff !== null) throw calledOff;
  }

  /** Stops without a word, for work that puts another world in place. @returns how to go on as it was */
  hold(): () => void {
    const wasRunning = this.#pace !== null;
    this.#halt();
    return () => {
      if (wasRunning && this.#ground.world().nowMs < this.#ground.endMs) this.#setGoing();
      this.#ground.mark();
      this.#tell();
    };
  }

  #setGoing(): void {
    const { wall, world } = this.#ground;
    this.#pace = new Pace(this.#speed, world().nowMs, wall.nowMs());
    this.#callOff = wall.after(0, () => this.#look());
  }

  #halt(): void {
    this.#callOff();
    this.#pace = null;
  }

  /** Now and then, and again at once while the world is behind. */
  #look(): void {
    try {
      const isThere = this.catchUp();
      const { wall, world, endMs } = this.#ground;
      if (this.#pace === null) return;
      if (endMs <= world().nowMs) return this.pause();
      this.#markIfDue();
      this.#callOff = wall.after(isThere ? LOOK_EVERY_MS : 0, () => this.#look());
    } catch (error) {
      this.#halt();
      this.#ground.failed(error);
    }
  }

  #markIfDue(): void {
    const wallMs = this.#ground.wall.nowMs();
    if (wallMs - this.#markedWallMs < MARK_EVERY_MS) return;
    this.#markedWallMs = wallMs;
    this.#ground.mark();
  }

  /** The first instant at which a listener wants to look. */
  #stopMs(): EpochMs {
    const { nowMs } = this.#ground.world();
    let stopMs = Number.POSITIVE_INFINITY;
    for (const listener of this.#ground.listeners) stopMs = Math.min(stopMs, listener.nextTickMs(nowMs));
    return stopMs;
  }

  /** Tells listeners that everything due at the present instant has been done. */
  settled(): void {
    const { nowMs } = this.#ground.world();
    this.tell((listener) => listener.settled(nowMs));
  }

  /** Tells every listener; the clock stands meanwhile. */
  tell(what: (listener: SessionListener) => void): void {
    this.#telling = true;
    try {
      for (const listener of this.#ground.listeners) what(listener);
    } finally {
      this.#telling = false;
    }
  }

  #tell(): void {
    if (this.#ground.listeners.length === 0) return;
    const record = this.record();
    this.tell((listener) => listener.clock(record));
  }
}

/** What is refused; anything else is a failure and goes on its way. */
function refusalOf(error: unknown): SessionRefusal {
  if (error instanceof SessionRefusal) return error;
  throw error;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
