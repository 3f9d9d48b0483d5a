import { type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../base/time.ts";
import type { ChargingSession } from "./evChargersSpec.ts";
import { sortSessions } from "./readSessions.ts";

/** Distributions that sessions are drawn from. Hours are local time of day. @see docs/model/ev-chargers.md#generator */
export interface SessionPattern {
  /** Probability that a car arrives at a connector on a workday, and on any other day. */
  readonly workdayProbability: number;
  readonly otherDayProbability: number;
  readonly arrivalHour: Normal;
  /** On the day of the arrival if later than it, else on the next day. */
  readonly departureHour: Normal;
  /** Energy that the car has used since it last had the energy wanted. */
  readonly energyUsedKwh: Normal;
  readonly capacityKwh: number;
  readonly socWantedPct: number;
  /** No car arrives with less. */
  readonly socOnArrivalMinPct: number;
  readonly maxKw: number;
  /** Share of the sessions with a two-way car. */
  readonly twoWayShare: number;
}

/** A normal distribution, cut at three standard deviations. */
export interface Normal {
  readonly mean: number;
  readonly deviation: number;
}

/** A local calendar day. */
export interface PatternDay {
  readonly midnightMs: EpochMs;
  readonly isWorkday: boolean;
}

/** A random stream, as kernel/randomStreams.ts has it. */
export interface Draws {
  /** Uniform in [0, 1). */
  nextUniform(): number;
  /** Mean 0, standard deviation 1. */
  nextNormal(): number;
}

/** Cars that are parked at home overnight. */
export const HOME: SessionPattern = {
  workdayProbability: 0.36,
  otherDayProbability: 0.36,
  arrivalHour: { mean: 18, deviation: 2 },
  departureHour: { mean: 7.5, deviation: 1 },
  energyUsedKwh: { mean: 20, deviation: 8 },
  capacityKwh: 60,
  socWantedPct: 80,
  socOnArrivalMinPct: 10,
  maxKw: 7.4,
  twoWayShare: 0,
};

/** Cars of employees during working hours. */
export const WORKPLACE: SessionPattern = {
  ...HOME,
  workdayProbability: 0.7,
  otherDayProbability: 0,
  arrivalHour: { mean: 9, deviation: 1 },
  departureHour: { mean: 17, deviation: 1 },
  energyUsedKwh: { mean: 15, deviation: 4 },
};

/**
 * Draws the sessions of some days: at most one arrival a day at each connector.
 *
 * Every day takes the same draws from a connector's stream, so that a changed parameter or another connector moves no
 * other draw. A car that would arrive while the one before is still there arrives when that one departs.
 *
 * @param days  in order, without gaps
 * @param drawsOf  one stream for each connector
 */
export function generateSessions(
  pattern: SessionPattern,
  connectorCount: number,
  days: readonly PatternDay[],
  drawsOf: (connector: number) => Draws,
): ChargingSession[] {
  const sessions: ChargingSession[] = [];
  for (let connector = 0; connector < connectorCount; connector++) {
    const draws = drawsOf(connector);
    let freeMs = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < days.length; k++) {
      const nextMidnightMs = k + 1 < days.length ? days[k + 1].midnightMs : days[k].midnightMs + MS_PER_DAY;
      const session = drawSession(pattern, connector, days[k], nextMidnightMs, draws);
      const arrivalMs = Math.max(session.arrivalMs, freeMs);
      if (!session.takesPlace || session.departureMs <= arrivalMs) continue;
      const { takesPlace: _, ...drawn } = session;
      sessions.push({ ...drawn, arrivalMs });
      freeMs = session.departureMs;
    }
  }
  return sortSessions(sessions);
}

function drawSession(
  pattern: SessionPattern,
  connector: number,
  { midnightMs, isWorkday }: PatternDay,
  nextMidnightMs: EpochMs,
  draws: Draws,
): ChargingSession & { readonly takesPlace: boolean } {
  const takesPlace = draws.nextUniform() < (isWorkday ? pattern.workdayProbability : pattern.otherDayProbability);
  const twoWay = draws.nextUniform() < pattern.twoWayShare;
  const arrivalHour = hourOfDay(drawNormal(pattern.arrivalHour, draws));
  const departureHour = hourOfDay(drawNormal(pattern.departureHour, draws));
  const usedKwh = Math.max(0, drawNormal(pattern.energyUsedKwh, draws));
  const energyWantedKwh = (pattern.socWantedPct / 100) * pattern.capacityKwh;
  const onArrivalMinKwh = (Math.min(pattern.socOnArrivalMinPct, pattern.socWantedPct) / 100) * pattern.capacityKwh;
  return {
    takesPlace,
    connector,
    arrivalMs: midnightMs + wholeMinutes(arrivalHour),
    departureMs: (arrivalHour < departureHour ? midnightMs : nextMidnightMs) + wholeMinutes(departureHour),
    energyOnArrivalKwh: Math.max(onArrivalMinKwh, energyWantedKwh - usedKwh),
    energyWantedKwh,
    capacityKwh: pattern.capacityKwh,
    maxKw: pattern.maxKw,
    twoWay,
  };
}

const drawNormal = ({ mean, deviation }: Normal, draws: Draws): number =>
  mean + deviation * Math.max(-3, Math.min(3, draws.nextNormal()));

/** Hours before midnight or after the day's end are at the day's first or last minute. */
const hourOfDay = (hour: number): number => Math.max(0, Math.min(24 - 1 / 60, hour));

const wholeMinutes = (hours: number): number => Math.round((hours * MS_PER_HOUR) / MS_PER_MINUTE) * MS_PER_MINUTE;
