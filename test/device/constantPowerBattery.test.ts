import fc from "fast-check";
import { expect, test } from "vitest";
import type { BatterySpec } from "../../src/engine/device/battery/batterySpec.ts";
import { ConstantPowerFlow, constantPowerRatings } from "../../src/engine/device/battery/constantPowerBattery.ts";
import { planSegmentwise } from "../../src/engine/device/battery/planBattery.ts";
import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";
import { Trajectory } from "../../src/engine/device/curve/trajectory.ts";
import { runs } from "../depth.ts";
import { battery, START } from "./batteries.ts";

const STILL: DevicePlanInput = {
  startMs: START,
  storedKwh: 50,
  flowingKw: 0,
  targetKw: 0,
  targetSlopeKwPerMs: 0,
  inService: true,
  importLimitKw: Number.POSITIVE_INFINITY,
  exportLimitKw: Number.POSITIVE_INFINITY,
};

/** All numbers of a plan; -0 is 0. */
const numbersOf = (plan: Trajectory) =>
  Array.from({ length: plan.count }, (_, k) =>
    [
      plan.startMsOf(k),
      plan.afterMsOf(k),
      plan.constKwOf(k),
      plan.slopeKwPerMsOf(k),
      plan.expKwOf(k),
      plan.storedKwhOf(k),
      plan.storedKwhPerMsOf(k),
      plan.storedKwhPerMs2Of(k),
      plan.ratePerMsOf(k),
      plan.limitedByOf(k),
    ].map((value) => value + 0),
  );

function planIfConstant(spec: BatterySpec, motion: DevicePlanInput, out: Trajectory): boolean {
  const ratings = constantPowerRatings(spec);
  const flow = new ConstantPowerFlow();
  flow.startMs = motion.startMs;
  flow.storedKwh = motion.storedKwh;
  if (ratings === null || !flow.plan(ratings, motion.targetKw, motion.importLimitKw, motion.exportLimitKw))
    return false;
  flow.writeTo(out);
  return true;
}

/** Around every bound, nearer and further than what counts as equal. */
const nearly = (...exact: readonly number[]) =>
  fc
    .tuple(fc.constantFrom(...exact), fc.constantFrom(0, 1e-12, -1e-12, 5e-10, -5e-10, 2e-9, 1e-6, -1e-6, 2e-6, -2e-6))
    .map(([value, off]) => value + off);

const motions = fc.record({
  storedKwh: fc.oneof(nearly(10, 90), fc.double({ min: 0, max: 100, noNaN: true })),
  flowingKw: fc.constantFrom(0, 30, -100),
  targetKw: fc.oneof(nearly(0, 100, -100, 40), fc.double({ min: -150, max: 150, noNaN: true })),
  importLimitKw: fc.constantFrom(0, 1e-10, 40, Number.POSITIVE_INFINITY),
  exportLimitKw: fc.constantFrom(0, 1e-10, 40, Number.POSITIVE_INFINITY),
});
const specs = fc.record({
  chargeEfficiency: fc.constantFrom(1, 0.95, 0.333),
  dischargeEfficiency: fc.constantFrom(1, 0.95, 0.333),
  auxiliaryKw: fc.constantFrom(0, 1.5),
  powerTaper: fc.constantFrom(null, []),
});

test("plans to the last digit the same as from switch to switch", () => {
  let plain = 0;
  fc.assert(
    fc.property(specs, motions, (given, motion) => {
      const spec = battery(given);
      const [short, long] = [new Trajectory(), new Trajectory()];
      for (const plan of [short, long]) plan.begin(START, spec.auxiliaryKw);
      planSegmentwise(spec, { ...STILL, ...motion }, long);
      const isPlain = planIfConstant(spec, { ...STILL, ...motion }, short);
      if (isPlain) plain++;
      expect(numbersOf(short)).toEqual(isPlain ? numbersOf(long) : []);
    }),
    { numRuns: runs(2_000, 2_000) },
  );
  // About half of them are plain: the comparison is not an empty one.
  expect(plain).toBeGreaterThan(500);
});
