import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";

/** A car within this of its wanted energy, its capacity or its minimum is there. */
export const BOUND_KWH = 1e-6;

/** Connectors of one site, the sessions at them, and how set-points are followed. @see docs/model/ev-chargers.md */
export interface EvChargersSpec {
  readonly kind: "ev_chargers";
  readonly componentId: string;
  readonly connectors: readonly Connector[];
  /** AC to the car's cells, 0..1. */
  readonly chargeEfficiency: number;
  /** The car's cells to AC, 0..1. */
  readonly dischargeEfficiency: number;
  /** What a car draws without a set-point. */
  readonly plan: ChargingPlan;
  readonly departure: DepartureRule;
  /** Two-way cars are discharged to this share of their capacity, not further. */
  readonly socMinPct: number;
  /** Sorted by arrival, then connector, as `readSessions` gives them; no two overlap at one connector. */
  readonly sessions: readonly ChargingSession[];
}

export interface Connector {
  readonly connectorId: string;
  /** Above 0. */
  readonly chargeMaxKw: number;
  /** 0: one-way. */
  readonly dischargeMaxKw: number;
}

/** `on_arrival`: full power until the wanted energy is reached; `spread`: one power for the whole stay. */
type ChargingPlan = "on_arrival" | "spread";

/** Whether a set-point may prevent that a car departs with the wanted energy (`best_effort`) or not (`protected`). */
type DepartureRule = "protected" | "best_effort";

/** One stay of one car at one connector: `arrivalMs <= t && t < departureMs`. */
export interface ChargingSession {
  /** Index into the connectors. */
  readonly connector: number;
  readonly arrivalMs: EpochMs;
  readonly departureMs: EpochMs;
  readonly energyOnArrivalKwh: number;
  /** At departure; at most the capacity. */
  readonly energyWantedKwh: number;
  readonly capacityKwh: number;
  /** Largest power of the car, at the AC side, in both directions. */
  readonly maxKw: number;
  readonly twoWay: boolean;
}

/** Largest charging power of a session: the smaller one of connector and car. */
export const chargeMaxKw = (spec: EvChargersSpec, { connector, maxKw }: ChargingSession): number =>
  Math.min(spec.connectors[connector].chargeMaxKw, maxKw);

/** Largest discharging power of a session, as a positive number; 0 where car or connector is one-way. */
export const dischargeMaxKw = (spec: EvChargersSpec, { connector, maxKw, twoWay }: ChargingSession): number =>
  twoWay ? Math.min(spec.connectors[connector].dischargeMaxKw, maxKw) : 0;

/** Energy that discharging leaves in a car. */
export const energyMinKwh = (spec: EvChargersSpec, { capacityKwh }: ChargingSession): number =>
  (spec.socMinPct / 100) * capacityKwh;

/** kWh in the cells per ms of charging at full power. */
export const fullRateKwhPerMs = (spec: EvChargersSpec, session: ChargingSession): number =>
  (spec.chargeEfficiency * chargeMaxKw(spec, session)) / MS_PER_HOUR;

/** How long a car can still wait before it has to charge at full power until its departure, in ms; below 0: too late. */
export const laxityMs = (spec: EvChargersSpec, session: ChargingSession, storedKwh: number, atMs: EpochMs): number =>
  session.departureMs - atMs - (session.energyWantedKwh - storedKwh) / fullRateKwhPerMs(spec, session);

/** Energy below the wanted energy at a departure, in kWh; 0 within `BOUND_KWH`. */
export function unservedKwh({ energyWantedKwh }: ChargingSession, storedKwh: number): number {
  const kwh = energyWantedKwh - storedKwh;
  return kwh <= BOUND_KWH ? 0 : kwh;
}
