import type { ChargingSession, EvChargersSpec } from "../../../src/engine/device/evChargers/evChargersSpec.ts";
import type { ChargersPlanInput } from "../../../src/engine/device/evChargers/planChargers.ts";

// An independent implementation of docs/model/ev-chargers.md in steps of one second: every step serves whole cars in
// order of their laxity, so that cars of equal laxity take turns. It shares no rule with the source.

const STEP_MS = 1_000;
const STEP_H = 1 / 3_600;

interface Car {
  readonly session: ChargingSession;
  readonly P: number;
  readonly Q: number;
  readonly min: number;
  E: number;
  /** Of the present step. */
  laxityS: number;
  kw: number;
}

export interface SteppedSample {
  readonly atMs: number;
  /** AC energy since the start. */
  readonly energyKwh: number;
  /** By connector; 0 without a car. */
  readonly storedKwh: readonly number[];
}

export interface SteppedRun {
  readonly samples: readonly SteppedSample[];
  /** By index of the session. */
  readonly atDeparture: ReadonlyMap<number, number>;
}

/** @param sampleMs  whole seconds between two samples */
export function steppedRun(
  spec: EvChargersSpec,
  inputAt: (atMs: number) => Omit<ChargersPlanInput, "startMs">,
  startMs: number,
  endMs: number,
  sampleMs: number,
): SteppedRun {
  const cars = new Map<number, Car>();
  const atDeparture = new Map<number, number>();
  const samples: SteppedSample[] = [];
  let energyKwh = 0;
  for (let atMs = startMs; ; atMs += STEP_MS) {
    for (const [k, { session, E }] of cars)
      if (session.departureMs <= atMs) {
        atDeparture.set(k, E);
        cars.delete(k);
      }
    spec.sessions.forEach((session, k) => {
      if (session.arrivalMs === atMs) cars.set(k, carOf(spec, session));
    });
    if ((atMs - startMs) % sampleMs === 0) {
      const storedKwh = spec.connectors.map(() => 0);
      for (const { session, E } of cars.values()) storedKwh[session.connector] = E;
      samples.push({ atMs, energyKwh, storedKwh });
    }
    if (endMs <= atMs) return { samples, atDeparture };
    energyKwh += step(spec, [...cars.values()], inputAt(atMs), atMs);
  }
}

function carOf(spec: EvChargersSpec, session: ChargingSession): Car {
  const connector = spec.connectors[session.connector];
  return {
    session,
    P: Math.min(connector.chargeMaxKw, session.maxKw),
    Q: session.twoWay ? Math.min(connector.dischargeMaxKw, session.maxKw) : 0,
    min: (spec.socMinPct / 100) * session.capacityKwh,
    E: session.energyOnArrivalKwh,
    laxityS: 0,
    kw: 0,
  };
}

/** @returns AC energy of the step */
function step(
  spec: EvChargersSpec,
  cars: readonly Car[],
  input: Omit<ChargersPlanInput, "startMs">,
  atMs: number,
): number {
  const eta = spec.chargeEfficiency;
  for (const car of cars) {
    const { departureMs, energyWantedKwh } = car.session;
    car.laxityS = (departureMs - atMs) / 1000 - (3600 * (energyWantedKwh - car.E)) / (eta * car.P);
    car.kw = 0;
  }
  if (input.inService) {
    if (input.setpointKw === null) followPlan(spec, cars, input.importLimitKw);
    else followSetpoint(spec, cars, input.setpointKw, input);
  }
  let kwh = 0;
  for (const car of cars) {
    kwh += car.kw * STEP_H;
    car.E += (car.kw > 0 ? car.kw * eta : car.kw / spec.dischargeEfficiency) * STEP_H;
  }
  return kwh;
}

/** Power that brings a car to a stored energy within the step, at most `kw`. */
const upTo = (spec: EvChargersSpec, car: Car, boundKwh: number, kw: number) =>
  Math.max(0, Math.min(kw, (boundKwh - car.E) / (spec.chargeEfficiency * STEP_H)));

/** Less than a step of laxity is none. */
const mustNotWait = ({ laxityS, E, session }: Car) => laxityS < 1 && E < session.energyWantedKwh - 1e-6;

function followPlan(spec: EvChargersSpec, cars: readonly Car[], limitKw: number): void {
  let left = limitKw;
  for (const car of byLaxity(cars)) {
    const { arrivalMs, departureMs, energyOnArrivalKwh, energyWantedKwh } = car.session;
    const hours = (departureMs - arrivalMs) / 3_600_000;
    const evenKw = Math.max(0, (energyWantedKwh - energyOnArrivalKwh) / (spec.chargeEfficiency * hours));
    const planKw = spec.plan === "spread" && !mustNotWait(car) ? Math.min(car.P, evenKw) : car.P;
    car.kw = Math.min(left, upTo(spec, car, energyWantedKwh, planKw));
    left -= car.kw;
  }
}

function followSetpoint(
  spec: EvChargersSpec,
  cars: readonly Car[],
  setpointKw: number,
  { importLimitKw, exportLimitKw }: Omit<ChargersPlanInput, "startMs">,
): void {
  const wanted = Math.min(importLimitKw, Math.max(-exportLimitKw, setpointKw));
  const must = (car: Car) => spec.departure === "protected" && mustNotWait(car);
  const required = cars.filter(must).reduce((sum, { P }) => sum + P, 0);
  if (wanted < required) {
    let toGive = required - wanted;
    let given = 0;
    for (const car of byLaxity(cars).reverse()) {
      if (must(car)) continue;
      const mostKw = Math.max(0, ((car.E - car.min) * spec.dischargeEfficiency) / STEP_H);
      const kw = Math.min(toGive, car.Q, mostKw);
      car.kw = -kw;
      toGive -= kw;
      given += kw;
    }
    let toTake = importLimitKw + given;
    for (const car of byLaxity(cars).filter(must)) {
      car.kw = Math.min(toTake, upTo(spec, car, car.session.energyWantedKwh, car.P));
      toTake -= car.kw;
    }
    return;
  }
  let left = wanted;
  for (const car of byLaxity(cars).filter(must)) left -= car.kw = car.P;
  for (const car of byLaxity(cars)) {
    if (must(car)) continue;
    car.kw = Math.min(left, upTo(spec, car, car.session.energyWantedKwh, car.P));
    left -= car.kw;
  }
  const others = cars.filter(({ E, session }) => session.energyWantedKwh - 1e-6 <= E && E < session.capacityKwh - 1e-6);
  const mostKw = others.reduce((sum, { P }) => sum + P, 0);
  for (const car of others)
    car.kw = upTo(spec, car, car.session.capacityKwh, mostKw === 0 ? 0 : car.P * Math.min(1, left / mostKw));
}

const byLaxity = (cars: readonly Car[]): Car[] => [...cars].sort((a, b) => a.laxityS - b.laxityS);
