import type { BatterySpec } from "../../src/engine/device/battery/batterySpec.ts";
import { planBattery } from "../../src/engine/device/battery/planBattery.ts";
import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";
import { newStoreRegisters, type StoreRegisters, Trajectory } from "../../src/engine/device/curve/trajectory.ts";

export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 3, 1);

/** 100 kWh, ±100 kW, window 10 to 90 %, lossless unless said otherwise. */
export const battery = (changes: Partial<BatterySpec> = {}): BatterySpec => ({
  kind: "battery",
  componentId: "battery-1",
  fcrCapable: true,
  ratedCapKwh: 100,
  importMaxKw: 100,
  exportMaxKw: 100,
  socOpMinPct: 10,
  socOpMaxPct: 90,
  initialSocPct: 50,
  chargeEfficiency: 1,
  dischargeEfficiency: 1,
  selfDischargePctPerDay: 0,
  auxiliaryKw: 0,
  responseDelayMs: 0,
  rampKwPerS: null,
  powerTaper: null,
  ...changes,
});

/** Of a period. */
export function registersOf(
  trajectory: Trajectory,
  fromMs: number,
  toMs: number,
  changes: Partial<StoreRegisters> = {},
): StoreRegisters {
  const registers = { ...newStoreRegisters(), ...changes };
  trajectory.integrate(fromMs, toMs, registers);
  return registers;
}

/** AC energy with auxiliaries, import positive. */
export const netKwh = (trajectory: Trajectory, fromMs: number, toMs: number): number =>
  trajectory.importKwh(fromMs, toMs) - trajectory.exportKwh(fromMs, toMs);

export function plannedTrajectory(spec: BatterySpec, changes: Partial<DevicePlanInput> = {}): Trajectory {
  const out = new Trajectory();
  planBattery(
    spec,
    {
      startMs: START,
      storedKwh: 50,
      flowingKw: 0,
      targetKw: 0,
      targetSlopeKwPerMs: 0,
      inService: true,
      importLimitKw: Number.POSITIVE_INFINITY,
      exportLimitKw: Number.POSITIVE_INFINITY,
      ...changes,
    },
    out,
  );
  return out;
}
