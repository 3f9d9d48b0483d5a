// How often intervals contain the truth, of batteries with drawn parameters and meters with noise and lost samples.
import { expect, test } from "vitest";
import type { BatterySpec } from "../../../src/engine/device/battery/batterySpec.ts";
import { fitBattery } from "../../../src/twin/fit/battery.ts";
import {
  BATTERY,
  batteryInput,
  drawnSteps,
  fitOptions,
  METERING,
  meteredBattery,
  START_MS,
  streamOf,
} from "./measuredBattery.ts";

/** As steps by the second would tell. */
const FOLLOWING = { ...BATTERY, responseDelayMs: 6_000, rampKwPerS: 15 };
const BATTERIES = 200;
const DAYS = 10;

test("95 % intervals of 200 drawn batteries contain the truth 90 to 99 times of 100", () => {
  const stream = streamOf(11)("batteries");
  const between = (least: number, most: number) => least + (most - least) * stream.nextUniform();
  const contained = new Map<string, number>();
  for (let k = 0; k < BATTERIES; k++) {
    const truth: BatterySpec = {
      ...FOLLOWING,
      ratedCapKwh: between(400, 1_600),
      chargeEfficiency: between(0.9, 0.99),
      dischargeEfficiency: between(0.9, 0.99),
      selfDischargePctPerDay: between(0.2, 2),
      auxiliaryKw: between(0.5, 5),
    };
    const metering = { ...METERING, noiseKw: between(0.1, 0.5), socDigit: 0.01, lossShare: 0.03, seed: 1 + k };
    const table = meteredBattery(truth, drawnSteps(truth, DAYS, 1 + k), START_MS + DAYS * 86_400_000, metering);
    const rows = fitBattery(batteryInput(FOLLOWING, [table], fitOptions(1 + k, 200))).estimates;
    const values = {
      rated_cap: truth.ratedCapKwh * Math.sqrt(truth.dischargeEfficiency / truth.chargeEfficiency),
      round_trip_efficiency: truth.chargeEfficiency * truth.dischargeEfficiency,
      auxiliary_kw: truth.auxiliaryKw,
    };
    for (const [name, value] of Object.entries(values)) {
      const row = rows.find(({ parameter }) => parameter === name);
      const isIn = (row?.low ?? Number.NaN) <= value && value <= (row?.high ?? Number.NaN);
      contained.set(name, (contained.get(name) ?? 0) + (isIn ? 1 : 0));
    }
  }
  const shares = Object.fromEntries([...contained].map(([name, count]) => [name, count / BATTERIES]));
  for (const name of ["rated_cap", "round_trip_efficiency"]) {
    expect(shares[name], JSON.stringify(shares)).toBeGreaterThanOrEqual(0.9);
    expect(shares[name], JSON.stringify(shares)).toBeLessThanOrEqual(0.99);
  }
  expect(shares.auxiliary_kw).toBeGreaterThanOrEqual(0.9);
}, 600_000);
