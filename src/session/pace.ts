import { type EpochMs, MS_PER_SECOND } from "../base/time.ts";

/** Simulated seconds in a real one, 0.1 to 100000, or as fast as the machine can. */
export type Speed = number | "max";

export const SPEED_MIN = 0.1;
export const SPEED_MAX = 100_000;

export const isSpeed = (value: unknown): value is Speed =>
  value === "max" || (typeof value === "number" && SPEED_MIN <= value && value <= SPEED_MAX);

/** Over how much real time the achieved speed is taken. */
const SAMPLE_WINDOW_MS = 2_000;
/** Samples of it lie this far apart. */
const SAMPLE_SPACING_MS = 100;

interface PaceSample {
  readonly wallMs: number;
  readonly nowMs: EpochMs;
}

/**
 * Maps real time to simulated time while a clock runs: a straight line from where and when it was set going.
 *
 * Where the world cannot keep up, the line runs ahead of it; the distance is the lag.
 */
export class Pace {
  readonly speed: Speed;
  readonly #origin: PaceSample;
  #samples: PaceSample[];

  constructor(speed: Speed, nowMs: EpochMs, wallMs: number) {
    this.speed = speed;
    this.#origin = { wallMs, nowMs };
    this.#samples = [this.#origin];
  }

  /** Where the simulated clock should stand, in whole milliseconds; `Infinity` at full speed. */
  targetMs(wallMs: number): EpochMs {
    if (this.speed === "max") return Number.POSITIVE_INFINITY;
    return this.#origin.nowMs + Math.floor((wallMs - this.#origin.wallMs) * this.speed);
  }

  /** Simulated seconds that the world is behind; at full speed there is nothing to be behind of. */
  lagSeconds(nowMs: EpochMs, wallMs: number): number {
    if (this.speed === "max") return 0;
    return Math.max(0, this.targetMs(wallMs) - nowMs) / MS_PER_SECOND;
  }

  /** Tells where the world has got to. */
  recordReached(nowMs: EpochMs, wallMs: number): void {
    const last = this.#samples[this.#samples.length - 1];
    if (wallMs - last.wallMs < SAMPLE_SPACING_MS) return;
    this.#samples.push({ wallMs, nowMs });
    // One sample stays from before the window, so that it is covered whole.
    while (this.#samples.length > 2 && this.#samples[1].wallMs <= wallMs - SAMPLE_WINDOW_MS) this.#samples.shift();
  }

  /** Simulated seconds in a real one over the last two real seconds. */
  achievedSpeed(nowMs: EpochMs, wallMs: number): number {
    const first = this.#samples[0];
    return wallMs <= first.wallMs ? 0 : (nowMs - first.nowMs) / (wallMs - first.wallMs);
  }
}
