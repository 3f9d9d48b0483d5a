import { type EpochMs, MS_PER_HOUR } from "../../../base/time.ts";
import { type ChargersState, NO_SESSION } from "./chargersState.ts";
import {
  BOUND_KWH,
  type ChargingSession,
  chargeMaxKw,
  dischargeMaxKw,
  type EvChargersSpec,
  energyMinKwh,
  fullRateKwhPerMs,
  laxityMs,
} from "./evChargersSpec.ts";

/** A car with less laxity has none. */
export const NO_LAXITY_MS = 1e-3;

/** Largest AC powers allowed from outside; at least 0, `Infinity` where there is no limit. */
export interface ConnectionLimits {
  readonly importLimitKw: number;
  readonly exportLimitKw: number;
}

/** Powers between which a set-point can be followed at an instant, import positive. */
interface PowerRange {
  /** Above 0 where cars must charge in order to depart with the wanted energy. */
  readonly lowestKw: number;
  readonly highestKw: number;
}

/** kWh in the cells, both at least 0. */
export interface EnergyAvailable {
  readonly importKwh: number;
  readonly exportKwh: number;
}

/** @see docs/model/ev-chargers.md#capability */
export function chargersCapability(
  spec: EvChargersSpec,
  state: ChargersState,
  atMs: EpochMs,
  { importLimitKw, exportLimitKw }: ConnectionLimits,
): PowerRange {
  let chargeKw = 0;
  let requiredKw = 0;
  let dischargeKw = 0;
  for (let c = 0; c < state.sessionAt.length; c++) {
    if (state.sessionAt[c] === NO_SESSION) continue;
    const session = spec.sessions[state.sessionAt[c]];
    const storedKwh = state.storedKwh[c];
    if (canCharge(session, storedKwh)) chargeKw += chargeMaxKw(spec, session);
    if (mustCharge(spec, session, storedKwh, atMs)) requiredKw += chargeMaxKw(spec, session);
    else if (energyMinKwh(spec, session) + BOUND_KWH < storedKwh) dischargeKw += dischargeMaxKw(spec, session);
  }
  const highestKw = Math.min(chargeKw, importLimitKw);
  return { lowestKw: Math.min(highestKw, Math.max(requiredKw - dischargeKw, -exportLimitKw)), highestKw };
}

/** What the connected cars can take until they depart, and give until a limit or their departure stops them. */
export function chargersEnergyAvailable(spec: EvChargersSpec, state: ChargersState, atMs: EpochMs): EnergyAvailable {
  let importKwh = 0;
  let exportKwh = 0;
  for (let c = 0; c < state.sessionAt.length; c++) {
    if (state.sessionAt[c] === NO_SESSION) continue;
    const session = spec.sessions[state.sessionAt[c]];
    const storedKwh = state.storedKwh[c];
    const leftMs = session.departureMs - atMs;
    const fullRate = fullRateKwhPerMs(spec, session);
    importKwh += Math.min(Math.max(0, session.capacityKwh - storedKwh), fullRate * leftMs);
    const rate = dischargeMaxKw(spec, session) / spec.dischargeEfficiency / MS_PER_HOUR;
    // Discharging uses up laxity beside the time that passes.
    const endMs =
      spec.departure === "protected"
        ? Math.max(0, laxityMs(spec, session, storedKwh, atMs)) / (1 + rate / fullRate)
        : leftMs;
    exportKwh += Math.min(Math.max(0, storedKwh - energyMinKwh(spec, session)), rate * Math.min(leftMs, endMs));
  }
  return { importKwh, exportKwh };
}

const canCharge = ({ capacityKwh }: ChargingSession, storedKwh: number): boolean => storedKwh < capacityKwh - BOUND_KWH;

/** Whether a protected departure requires full power from now on. */
function mustCharge(spec: EvChargersSpec, session: ChargingSession, storedKwh: number, atMs: EpochMs): boolean {
  if (spec.departure === "best_effort" || session.energyWantedKwh - BOUND_KWH <= storedKwh) return false;
  return laxityMs(spec, session, storedKwh, atMs) <= NO_LAXITY_MS;
}
