import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";

/** A derated site: its limit falls from 100 % to `limitPct` and rises again after the end. */
interface Derating {
  /** Number of the fault. */
  readonly number: number;
  readonly site: number;
  readonly limitPct: number;
  readonly rampInMs: number;
  readonly rampOutMs: number;
  readonly startMs: EpochMs;
  /** NaN: it lasts. */
  endMs: EpochMs;
  /** Limit at the end, from which it rises. */
  endPct: number;
}

/** Deratings in force and those whose limit still rises (docs/model/sandbox.md#derate). */
export class Deratings extends Copyable {
  private deratings: Derating[] = [];

  begin(number: number, derating: Omit<Derating, "number" | "endMs" | "endPct">): void {
    this.deratings.push({ ...derating, number, endMs: Number.NaN, endPct: Number.NaN });
  }

  end(number: number, atMs: EpochMs): void {
    const derating = this.deratings.find((candidate) => candidate.number === number);
    if (derating === undefined) return;
    derating.endPct = limitPctAt(derating, atMs);
    derating.endMs = atMs;
  }

  /** Share of the rated power of a site, 0..1. Drops those that are over. */
  shareAt(site: number, atMs: EpochMs): number {
    this.deratings = this.deratings.filter(
      (derating) => Number.isNaN(derating.endMs) || limitPctAt(derating, atMs) < 100,
    );
    let pct = 100;
    for (const derating of this.deratings) if (derating.site === site) pct = Math.min(pct, limitPctAt(derating, atMs));
    return pct / 100;
  }

  /** When the limit of a site changes next; `Infinity`: it does not. */
  nextChangeMs(site: number, atMs: EpochMs): EpochMs {
    let nextMs = Number.POSITIVE_INFINITY;
    for (const derating of this.deratings)
      if (derating.site === site) nextMs = Math.min(nextMs, nextStepMs(derating, atMs));
    return nextMs;
  }
}

/** A ramp in equal steps of at most one percent of the rated power, each at the end of its part of the time. */
interface Ramp {
  readonly startMs: EpochMs;
  readonly durationMs: number;
  readonly fromPct: number;
  readonly toPct: number;
}

function rampOf({ startMs, endMs, endPct, limitPct, rampInMs, rampOutMs }: Derating): Ramp {
  return Number.isNaN(endMs)
    ? { startMs, durationMs: rampInMs, fromPct: 100, toPct: limitPct }
    : { startMs: endMs, durationMs: rampOutMs, fromPct: endPct, toPct: 100 };
}

const stepCount = ({ fromPct, toPct }: Ramp): number => Math.max(1, Math.ceil(Math.abs(toPct - fromPct)));

const stepMs = (ramp: Ramp, step: number): EpochMs =>
  ramp.startMs + Math.ceil((step * ramp.durationMs) / stepCount(ramp));

/** Number of steps that are over at an instant. */
function stepsAt(ramp: Ramp, atMs: EpochMs): number {
  const count = stepCount(ramp);
  if (ramp.durationMs === 0) return count;
  let step = Math.min(count, Math.floor(((atMs - ramp.startMs) * count) / ramp.durationMs));
  while (step < count && stepMs(ramp, step + 1) <= atMs) step++;
  while (step > 0 && atMs < stepMs(ramp, step)) step--;
  return step;
}

function limitPctAt(derating: Derating, atMs: EpochMs): number {
  const ramp = rampOf(derating);
  const count = stepCount(ramp);
  const step = stepsAt(ramp, atMs);
  return step === count ? ramp.toPct : ramp.fromPct + ((ramp.toPct - ramp.fromPct) * step) / count;
}

function nextStepMs(derating: Derating, atMs: EpochMs): EpochMs {
  const ramp = rampOf(derating);
  const step = stepsAt(ramp, atMs);
  return step < stepCount(ramp) ? stepMs(ramp, step + 1) : Number.POSITIVE_INFINITY;
}
