import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { type ChargingSession, chargeMaxKw, type EvChargersSpec, fullRateKwhPerMs } from "./evChargersSpec.ts";

/** Power of one session under `plan: spread`: the wanted energy over the whole stay, at most full power; 0 for a car that arrives above it. */
export function spreadKw(spec: EvChargersSpec, session: ChargingSession): number {
  const { arrivalMs, departureMs, energyOnArrivalKwh, energyWantedKwh } = session;
  const kw =
    ((energyWantedKwh - energyOnArrivalKwh) * MS_PER_HOUR) / (spec.chargeEfficiency * (departureMs - arrivalMs));
  return Math.max(0, Math.min(chargeMaxKw(spec, session), kw));
}

/** Stored energy of a car that has followed the plan since its arrival, without any limit from outside. */
export function undisturbedStoredKwh(spec: EvChargersSpec, session: ChargingSession, atMs: EpochMs): number {
  const { arrivalMs, energyOnArrivalKwh, energyWantedKwh } = session;
  if (energyWantedKwh <= energyOnArrivalKwh) return energyOnArrivalKwh;
  const kwhPerMs =
    spec.plan === "spread"
      ? (spec.chargeEfficiency * spreadKw(spec, session)) / MS_PER_HOUR
      : fullRateKwhPerMs(spec, session);
  return Math.min(energyWantedKwh, energyOnArrivalKwh + kwhPerMs * (atMs - arrivalMs));
}

/**
 * AC energy that the plan takes in a period, without set-points, limits and outages: the natural baseline.
 *
 * @param longestMs  `longestStayMs` of the sessions
 * @see docs/model/ev-chargers.md#baseline
 */
export function undisturbedKwh(spec: EvChargersSpec, longestMs: number, fromMs: EpochMs, toMs: EpochMs): number {
  const { sessions } = spec;
  let kwh = 0;
  for (let k = firstArrivalAfter(sessions, fromMs - longestMs); k < sessions.length; k++) {
    if (toMs <= sessions[k].arrivalMs) break;
    kwh += undisturbedSessionKwh(spec, sessions[k], fromMs, toMs);
  }
  return kwh;
}

/** Length of the longest stay; 0 without sessions. */
export const longestStayMs = (sessions: readonly ChargingSession[]): number =>
  sessions.reduce((longest, { arrivalMs, departureMs }) => Math.max(longest, departureMs - arrivalMs), 0);

function undisturbedSessionKwh(spec: EvChargersSpec, session: ChargingSession, fromMs: EpochMs, toMs: EpochMs): number {
  const startMs = Math.max(fromMs, session.arrivalMs);
  const endMs = Math.min(toMs, session.departureMs);
  if (endMs <= startMs) return 0;
  const gainedKwh = undisturbedStoredKwh(spec, session, endMs) - undisturbedStoredKwh(spec, session, startMs);
  return gainedKwh / spec.chargeEfficiency;
}

/** Index of the first session that arrives after an instant. */
function firstArrivalAfter(sessions: readonly ChargingSession[], atMs: EpochMs): number {
  let low = 0;
  let high = sessions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sessions[middle].arrivalMs <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
