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
  readonly realMs: number;
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

  constructor(speed: Speed, nowMs: EpochMs, realMs: number) {
    this.speed = speed;
    this.origin = { realMs, nowMs };
    this.samples = [this.origin];
  }

  /** Target of the simulated clock, in whole milliseconds; `Infinity` at speed `max`. */
  targetMs(realMs: number): EpochMs {
    if (this.speed === "max") return Number.POSITIVE_INFINITY;
    return this.origin.nowMs + Math.floor((realMs - this.origin.realMs) * this.speed);
  }

  /** Simulated seconds by which the world lags; 0 at speed `max`, which has no target. */
  lagSeconds(nowMs: EpochMs, realMs: number): number {
    if (this.speed === "max") return 0;
    return Math.max(0, this.targetMs(realMs) - nowMs) / MS_PER_SECOND;
  }

  /** Records the instant that the world has reached. */
  recordReached(nowMs: EpochMs, realMs: number): void {
    const last = this.samples[this.samples.length - 1];
    if (realMs - last.realMs < SAMPLE_SPACING_MS) return;
    this.samples.push({ realMs, nowMs });
    // One sample before the window is retained, so that the whole window is covered.
    while (this.samples.length > 2 && this.samples[1].realMs <= realMs - SAMPLE_WINDOW_MS) this.samples.shift();
  }

  /** Simulated seconds per real second over the last two real seconds. */
  achievedSpeed(nowMs: EpochMs, realMs: number): number {
    const first = this.samples[0];
    return realMs <= first.realMs ? 0 : (nowMs - first.nowMs) / (realMs - first.realMs);
  }
}
