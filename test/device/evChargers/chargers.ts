import {
  advanceChargers,
  ChargersState,
  type DepartureVisitor,
} from "../../../src/engine/device/evChargers/chargersState.ts";
import { ChargersTrajectory } from "../../../src/engine/device/evChargers/chargersTrajectory.ts";
import type { ChargingSession, EvChargersSpec } from "../../../src/engine/device/evChargers/evChargersSpec.ts";
import { type ChargersPlanInput, ChargersPlanner } from "../../../src/engine/device/evChargers/planChargers.ts";
import { sortSessions } from "../../../src/engine/device/evChargers/readSessions.ts";

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 3, 1);
const NEVER = Number.POSITIVE_INFINITY;

/** Times in hours after `START`. */
export interface Stay extends Partial<Omit<ChargingSession, "arrivalMs" | "departureMs">> {
  readonly from?: number;
  readonly to: number;
}

/** A one-way car of 100 kWh and 10 kW that arrives empty at `START` and is to be full. */
export const stay = ({ from = 0, to, ...changes }: Stay): ChargingSession => ({
  connector: 0,
  arrivalMs: START + from * HOUR,
  departureMs: START + to * HOUR,
  energyOnArrivalKwh: 0,
  energyWantedKwh: 100,
  capacityKwh: 100,
  maxKw: 10,
  twoWay: false,
  ...changes,
});

/** Lossless two-way connectors of 50 kW, as many as the stays need, minimum 10 %. */
export function chargers(stays: readonly Stay[], changes: Partial<EvChargersSpec> = {}): EvChargersSpec {
  const sessions = sortSessions(stays.map(stay));
  const count = 1 + Math.max(0, ...sessions.map(({ connector }) => connector));
  return {
    kind: "ev_chargers",
    componentId: "ev-1",
    connectors: Array.from({ length: count }, (_, k) => ({
      connectorId: `c${k}`,
      chargeMaxKw: 50,
      dischargeMaxKw: 50,
    })),
    chargeEfficiency: 1,
    dischargeEfficiency: 1,
    plan: "on_arrival",
    departure: "protected",
    socMinPct: 10,
    sessions,
    ...changes,
  };
}

export const UNLIMITED: Omit<ChargersPlanInput, "startMs" | "setpointKw"> = {
  importLimitKw: NEVER,
  exportLimitKw: NEVER,
  inService: true,
};

/** What holds from an instant on, until the next one. */
export interface InputFrom extends Partial<Omit<ChargersPlanInput, "startMs">> {
  readonly fromMs: number;
}

/** A departure as it happened. */
export interface Departed {
  readonly session: ChargingSession;
  readonly storedKwh: number;
}

/** What a run calls at every segment of every plan, with the part of it that was carried out. */
export type SegmentCheck = (
  trajectory: ChargersTrajectory,
  fromMs: number,
  toMs: number,
  input: ChargersPlanInput,
) => void;

/** Carries chargers through a sequence of inputs, planned anew wherever a plan ends. */
export function run(
  spec: EvChargersSpec,
  inputs: readonly InputFrom[],
  untilMs: number,
  check: SegmentCheck = () => {},
): { readonly state: ChargersState; readonly departed: readonly Departed[] } {
  const departed: Departed[] = [];
  const visitor: DepartureVisitor = {
    departed: (session, storedKwh) => {
      departed.push({ session, storedKwh });
    },
  };
  const state = new ChargersState(spec, START);
  const planner = new ChargersPlanner(spec);
  const trajectory = new ChargersTrajectory(spec.connectors.length);
  let atMs = START;
  while (atMs < untilMs) {
    const { fromMs: _, ...changes } = inputs.findLast(({ fromMs }) => fromMs <= atMs) ?? { fromMs: 0 };
    const input = { ...UNLIMITED, setpointKw: null, ...changes, startMs: atMs };
    const changeMs = inputs.find(({ fromMs }) => atMs < fromMs)?.fromMs ?? NEVER;
    const toMs = Math.min(planner.plan(state, input, trajectory), changeMs, untilMs);
    check(trajectory, atMs, toMs, input);
    advanceChargers(spec, state, trajectory, toMs, visitor);
    atMs = toMs;
  }
  return { state, departed };
}

/** AC energy into cars (`sign` 1), or out of cars, in kWh; what one car takes from another counts. */
export function carsKwh(
  trajectory: ChargersTrajectory,
  spec: EvChargersSpec,
  sign: 1 | -1,
  fromMs: number,
  toMs: number,
) {
  const { total } = trajectory;
  let kwMs = 0;
  for (let k = 0; k < total.count; k++) {
    const startMs = Math.max(fromMs, total.startMsOf(k));
    const spanMs = Math.max(0, Math.min(toMs, total.endMsOf(k)) - startMs);
    spec.connectors.forEach((_, c) => {
      if (spanMs > 0) kwMs += spanMs * Math.max(0, sign * trajectory.connectorKwAt(c, startMs));
    });
  }
  return kwMs / HOUR;
}
