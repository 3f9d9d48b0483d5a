import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";

/** Simulated seconds per real second, 0.1 to 100000, or as fast as possible. */
export type Speed = number | "max";

export const SPEED_MIN = 0.1;
export const SPEED_MAX = 100_000;

export const isSpeed = (value: unknown): value is Speed =>
  value === "max" || (typeof value === "number" && SPEED_MIN <= value && value <= SPEED_MAX);

/** Real time over which the achieved speed is averaged. */
const SAMPLE_WINDOW_MS = 2_000;
/** Spacing of its samples. */
const SAMPLE_SPACING_MS = 100;

interface PaceSample {
  readonly wallMs: number;
  readonly nowMs: EpochMs;
}

/**
 * Maps real time to simulated time while a clock runs: linearly from the instant of its start.
 *
 * If the world is slower, the difference between target and world is the lag.
 */
export class Pace {
  readonly speed: Speed;
  private readonly origin: PaceSample;
  private samples: PaceSample[];

  constructor(speed: Speed, nowMs: EpochMs, wallMs: number) {
    this.speed = speed;
    this.origin = { wallMs, nowMs };
    this.samples = [this.origin];
  }

  /** Target of the simulated clock, in whole milliseconds; `Infinity` at speed `max`. */
  targetMs(wallMs: number): EpochMs {
    if (this.speed === "max") return Number.POSITIVE_INFINITY;
    return this.origin.nowMs + Math.floor((wallMs - this.origin.wallMs) * this.speed);
  }

  /** Simulated seconds by which the world lags; 0 at speed `max`, which has no target. */
  lagSeconds(nowMs: EpochMs, wallMs: number): number {
    if (this.speed === "max") return 0;
    return Math.max(0, this.targetMs(wallMs) - nowMs) / MS_PER_SECOND;
  }

  /** Records the instant that the world has reached. */
  recordReached(nowMs: EpochMs, wallMs: number): void {
    const last = this.samples[this.samples.length - 1];
    if (wallMs - last.wallMs < SAMPLE_SPACING_MS) return;
    this.samples.push({ wallMs, nowMs });
    // One sample before the window is retained, so that the whole window is covered.
    while (this.samples.length > 2 && this.samples[1].wallMs <= wallMs - SAMPLE_WINDOW_MS) this.samples.shift();
  }

  /** Simulated seconds per real second over the last two real seconds. */
  achievedSpeed(nowMs: EpochMs, wallMs: number): number {
    const first = this.samples[0];
    return wallMs <= first.wallMs ? 0 : (nowMs - first.nowMs) / (wallMs - first.wallMs);
  }
}
