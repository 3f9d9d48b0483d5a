import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { ChargersTrajectory } from "./chargersTrajectory.ts";
import type { ChargingSession, EvChargersSpec } from "./evChargersSpec.ts";
import { undisturbedStoredKwh } from "./undisturbedPlan.ts";

/** No car is connected. */
export const NO_SESSION = -1;

/** The connected cars at an instant and their stored energy. */
export class ChargersState extends Copyable {
  /** Index of the session at each connector, or `NO_SESSION`. */
  readonly sessionAt: Int32Array;
  /** Of the car at each connector; 0 without one. */
  readonly storedKwh: Float64Array;
  /** Index of the next session to arrive. */
  nextSession = 0;

  /** A car that is connected at `startMs` has followed the plan since its arrival. */
  constructor(spec: EvChargersSpec, startMs: EpochMs) {
    super();
    const { connectors, sessions } = spec;
    this.sessionAt = new Int32Array(connectors.length).fill(NO_SESSION);
    this.storedKwh = new Float64Array(connectors.length);
    for (; this.nextSession < sessions.length; this.nextSession++) {
      const session = sessions[this.nextSession];
      if (startMs < session.arrivalMs) break;
      if (session.departureMs <= startMs) continue;
      this.sessionAt[session.connector] = this.nextSession;
      this.storedKwh[session.connector] = undisturbedStoredKwh(spec, session, startMs);
    }
  }

  /** Of all connected cars. */
  get storedSumKwh(): number {
    let sum = 0;
    for (let c = 0; c < this.storedKwh.length; c++) sum += this.storedKwh[c];
    return sum;
  }

  get connectedCount(): number {
    let count = 0;
    for (let c = 0; c < this.sessionAt.length; c++) if (this.sessionAt[c] !== NO_SESSION) count++;
    return count;
  }

  copyFrom(other: ChargersState): void {
    this.sessionAt.set(other.sessionAt);
    this.storedKwh.set(other.storedKwh);
    this.nextSession = other.nextSession;
  }
}

/** Takes in a session at its end. */
export interface DepartureVisitor {
  departed(session: ChargingSession, storedKwh: number): void;
}

/** When a car arrives or departs next, after the instant of the state; `Infinity`: never. */
export function nextSessionEventMs({ sessions }: EvChargersSpec, { sessionAt, nextSession }: ChargersState): EpochMs {
  let nextMs = nextSession < sessions.length ? sessions[nextSession].arrivalMs : Number.POSITIVE_INFINITY;
  for (let c = 0; c < sessionAt.length; c++)
    if (sessionAt[c] !== NO_SESSION) nextMs = Math.min(nextMs, sessions[sessionAt[c]].departureMs);
  return nextMs;
}

/**
 * Carries the state along a trajectory to an instant, at most its `endMs`. Cars that depart then are gone, those that
 * arrive then are connected.
 */
export function advanceChargers(
  spec: EvChargersSpec,
  state: ChargersState,
  trajectory: ChargersTrajectory,
  atMs: EpochMs,
  departures: DepartureVisitor,
): void {
  assert(atMs <= trajectory.endMs, "chargers are planned anew at the end of their trajectory");
  trajectory.readStored(atMs, state.storedKwh);
  const { sessions } = spec;
  const { sessionAt, storedKwh } = state;
  for (let c = 0; c < sessionAt.length; c++) {
    if (sessionAt[c] === NO_SESSION) continue;
    const session = sessions[sessionAt[c]];
    if (atMs < session.departureMs) continue;
    departures.departed(session, storedKwh[c]);
    sessionAt[c] = NO_SESSION;
    storedKwh[c] = 0;
  }
  for (; state.nextSession < sessions.length; state.nextSession++) {
    const { connector, arrivalMs, energyOnArrivalKwh } = sessions[state.nextSession];
    if (atMs < arrivalMs) return;
    assert(sessionAt[connector] === NO_SESSION, "a connector is free when a car arrives");
    sessionAt[connector] = state.nextSession;
    storedKwh[connector] = energyOnArrivalKwh;
  }
}
