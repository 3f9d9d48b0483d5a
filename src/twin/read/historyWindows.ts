import { type EpochMs, MS_PER_DAY, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";

/** A period [startMs, endMs). */
export interface Period {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** Limits of one answer of a history. @see docs/model/apis.md#history-periods */
interface HistoryLimits {
  readonly points: number;
  /** Points times members. */
  readonly memberPoints: number;
}

const VPP_POWER: HistoryLimits = { points: 44_640, memberPoints: 446_400 };
const VPP_ENERGY: HistoryLimits = { points: 44_640, memberPoints: 44_640 };
export const SITE_POWER: HistoryLimits = { points: 30_000, memberPoints: 30_000 };
const PERIOD_DAYS_MAX = 31;

const POWER_DAYS = 60;
export const ENERGY_DAYS = 365;
export const SCHEDULE_DAYS = 30;

const BEFORE_START_MS = MS_PER_MINUTE;
const AFTER_START_MS = 4 * MS_PER_MINUTE;

/** The period around the start of an instruction that is read by the second. */
export const windowOfStart = (startMs: EpochMs): Period => ({
  startMs: startMs - BEFORE_START_MS,
  endMs: startMs + AFTER_START_MS,
});

export const overlap = (a: Period, b: Period): boolean => a.startMs < b.endMs && b.startMs < a.endMs;

/** Periods in order, those that overlap or touch as one. */
export function mergePeriods(periods: readonly Period[]): Period[] {
  const merged: { startMs: EpochMs; endMs: EpochMs }[] = [];
  for (const { startMs, endMs } of [...periods].sort((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else merged.push({ startMs, endMs });
  }
  return merged;
}

/** The common part of periods and a limit, in order. */
const clipPeriods = (periods: readonly Period[], within: Period): Period[] =>
  mergePeriods(
    periods
      .map(({ startMs, endMs }) => ({
        startMs: Math.max(startMs, within.startMs),
        endMs: Math.min(endMs, within.endMs),
      }))
      .filter(({ startMs, endMs }) => startMs < endMs),
  );

/** Cuts a period into parts that one answer may have. */
export function cutPeriod(period: Period, intervalS: number, members: number, limits: HistoryLimits): Period[] {
  const intervalMs = intervalS * MS_PER_SECOND;
  const points = Math.min(
    limits.points,
    Math.floor(limits.memberPoints / Math.max(1, members)),
    Math.floor((PERIOD_DAYS_MAX * MS_PER_DAY) / intervalMs),
  );
  const parts: Period[] = [];
  for (let startMs = period.startMs; startMs < period.endMs; startMs += points * intervalMs)
    parts.push({ startMs, endMs: Math.min(period.endMs, startMs + points * intervalMs) });
  return parts;
}

/** A request for history of the VPP. */
export interface HistoryRequest extends Period {
  readonly quantity: "energy" | "power";
  readonly intervalS: 1 | 60 | 1800;
}

interface HistoryPlan {
  readonly period: Period;
  readonly nowMs: EpochMs;
  readonly members: number;
  /** Starts of instructions. */
  readonly starts: readonly EpochMs[];
  readonly fcrPeriods: readonly Period[];
}

/** The part of a period that the history of power still has. */
export const powerPeriod = ({ startMs, endMs }: Period, nowMs: EpochMs): Period => ({
  startMs: Math.max(startMs, Math.ceil((nowMs - POWER_DAYS * MS_PER_DAY) / MS_PER_MINUTE) * MS_PER_MINUTE),
  endMs,
});

/** Every request for the history of the VPP that is known once the schedules are, in order (docs/model/twin.md#reads). */
export function historyRequests({ period, nowMs, members, starts, fcrPeriods }: HistoryPlan): HistoryRequest[] {
  const power = powerPeriod(period, nowMs);
  const requests = (quantity: "energy" | "power", intervalS: 1 | 60 | 1800, periods: readonly Period[]) =>
    periods
      .flatMap((each) => cutPeriod(each, intervalS, members, quantity === "energy" ? VPP_ENERGY : VPP_POWER))
      .map((each) => ({ quantity, intervalS, ...each }));
  if (power.endMs <= power.startMs) return requests("energy", 1800, [period]);
  const fine = clipPeriods([...starts.map(windowOfStart), ...fcrPeriods], power);
  return [...requests("energy", 1800, [period]), ...requests("power", 60, [power]), ...requests("power", 1, fine)];
}
