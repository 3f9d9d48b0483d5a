import {
  type ChargingSession,
  type EvChargersSpec,
  fullRateKwhPerMs,
  unservedKwh,
} from "../../../src/engine/device/evChargers/evChargersSpec.ts";

/** Energy that a car would not get by its departure had it charged at full power from its arrival on, in kWh. */
export function unreachableKwh(spec: EvChargersSpec, session: ChargingSession): number {
  const { arrivalMs, departureMs, energyOnArrivalKwh } = session;
  return unservedKwh(session, energyOnArrivalKwh + fullRateKwhPerMs(spec, session) * (departureMs - arrivalMs));
}
