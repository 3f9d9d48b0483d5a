import fc from "fast-check";
import { expect, test } from "vitest";
import type { BatterySpec, TaperPoint } from "../../src/engine/device/battery/batterySpec.ts";
import { planBattery } from "../../src/engine/device/battery/planBattery.ts";
import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";
import { Trajectory } from "../../src/engine/device/curve/trajectory.ts";
import { runs, seedOr } from "../depth.ts";
import { battery, HOUR, netKwh, plannedTrajectory, registersOf, START } from "./batteries.ts";
import { stepBattery } from "./stepBattery.ts";

const tenths = (low: number, high: number) => fc.integer({ min: low * 10, max: high * 10 }).map((n) => n / 10);
const limit = fc.oneof({ weight: 2, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, tenths(0, 120));
const fraction = fc.integer({ min: 0, max: 10 }).map((n) => n / 10);

const taper = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 5 }).chain((places) =>
  fc.array(fc.tuple(fraction, fraction), { minLength: places.length, maxLength: places.length }).map((fractions) =>
    places
      .sort((a, b) => a - b)
      .map(
        (place, k): TaperPoint => ({
          socPct: 5 * place,
          importFraction: fractions[k][0],
          exportFraction: fractions[k][1],
        }),
      ),
  ),
);

const spec: fc.Arbitrary<BatterySpec> = fc
  .record({
    ratedCapKwh: tenths(20, 300),
    importMaxKw: tenths(0, 100),
    exportMaxKw: tenths(0, 100),
    socOpMinPct: tenths(0, 40),
    socOpMaxPct: tenths(60, 100),
    chargeEfficiency: fc.integer({ min: 70, max: 100 }).map((n) => n / 100),
    dischargeEfficiency: fc.integer({ min: 70, max: 100 }).map((n) => n / 100),
    selfDischargePctPerDay: fc.oneof(fc.constant(0), fc.constantFrom(0.001, 0.1, 3, 40)),
    auxiliaryKw: fc.oneof(fc.constant(0), tenths(0, 5)),
    rampKwPerS: fc.oneof(fc.constant(null), fc.constantFrom(0.01, 0.1, 0.7, 5, 50)),
    powerTaper: fc.oneof(fc.constant(null), taper),
  })
  .map((changes) => battery(changes));

interface Case {
  readonly spec: BatterySpec;
  readonly motion: DevicePlanInput;
}

const cases: fc.Arbitrary<Case> = spec.chain((spec) =>
  fc
    .record({
      socPct: fc.oneof(
        tenths(0, 100),
        fc.constantFrom(spec.socOpMinPct, spec.socOpMaxPct),
        fc.constantFrom(...(spec.powerTaper ?? []).map((point) => point.socPct), 50),
      ),
      flowingKw: fc.oneof(fc.constant(0), tenths(-100, 100)),
      targetKw: fc.oneof(tenths(-120, 120), fc.constantFrom(0, 0.1, -0.1)),
      targetKwPerHour: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, tenths(-150, 150)),
      inService: fc.integer({ min: 0, max: 19 }).map((n) => 0 < n),
      importLimitKw: limit,
      exportLimitKw: limit,
    })
    .map(({ socPct, targetKwPerHour, ...motion }) => ({
      spec,
      motion: {
        ...motion,
        startMs: START,
        storedKwh: (socPct * spec.ratedCapKwh) / 100,
        targetSlopeKwPerMs: targetKwPerHour / HOUR,
      },
    })),
);

const seed = seedOr(20260401);
const check = (name: string, count: number, property: (example: Case) => void) =>
  test(`${name} (seed ${seed})`, () => fc.assert(fc.property(cases, property), { seed, numRuns: runs(count) }));

check("a plan agrees with fine steps in power and energy", 150, ({ spec, motion }) => {
  const plan = plannedTrajectory(spec, motion);
  const stepMs = 100;
  let apartKwh = 0;
  let importKwh = 0;
  stepBattery(spec, motion, { stepS: stepMs / 1000, steps: 54_000 }, (step, kw, storedKwh) => {
    const atMs = START + step * stepMs;
    const nearSwitch = plan.nextStartMs(Math.max(START - 1, atMs - 10 * stepMs)) < atMs + 10 * stepMs;
    // Two steps early or late is as good as the steps can be while the power ramps.
    const around = [-2, 0, 2].map((steps) => plan.cellKwAt(Math.max(START, atMs + steps * stepMs)));
    const agrees = Math.min(...around) - 0.05 <= kw && kw <= Math.max(...around) + 0.05;
    if (!nearSwitch && !agrees) expect({ step, kw }).toEqual({ step, kw: plan.cellKwAt(atMs) });
    apartKwh = Math.max(apartKwh, Math.abs(plan.storedKwhAt(atMs) - storedKwh));
    importKwh += (Math.max(0, kw) * stepMs) / HOUR;
  });
  expect(apartKwh).toBeLessThan(0.01);
  expect(Math.abs(registersOf(plan, START, START + 54_000 * stepMs).cellInKwh - importKwh)).toBeLessThan(0.01);
});

check("what goes in less what comes out and is lost is what is stored", 3000, ({ spec, motion }) => {
  const plan = plannedTrajectory(spec, motion);
  const lossPerMs = spec.selfDischargePctPerDay / 100 / (24 * HOUR);
  const cuts = [0, 0.3, 1234.5, 60_000, 1_000_000, HOUR, 7 * HOUR, 40 * HOUR].map((ms) => START + ms);
  for (let k = 1; k < cuts.length; k++) {
    const [fromMs, toMs] = [cuts[k - 1], cuts[k]];
    const inKwh = spec.chargeEfficiency * registersOf(plan, fromMs, toMs).cellInKwh;
    const outKwh = registersOf(plan, fromMs, toMs).cellOutKwh / spec.dischargeEfficiency;
    const lostKwh = lossPerMs * registersOf(plan, fromMs, toMs).storedKwhMs;
    const storedKwh = plan.storedKwhAt(toMs) - plan.storedKwhAt(fromMs);
    expect(Math.abs(inKwh - outKwh - lostKwh - storedKwh)).toBeLessThan(1e-9);
    const auxiliaryKwh = (plan.auxiliaryKw * (toMs - fromMs)) / HOUR;
    const cellKwh = registersOf(plan, fromMs, toMs).cellInKwh - registersOf(plan, fromMs, toMs).cellOutKwh;
    expect(Math.abs(netKwh(plan, fromMs, toMs) - cellKwh - auxiliaryKwh)).toBeLessThan(1e-9);
  }
});

check("stored energy is continuous and does not leave its window by power", 3000, ({ spec, motion }) => {
  const plan = plannedTrajectory(spec, motion);
  const maxKwh = (spec.socOpMaxPct * spec.ratedCapKwh) / 100;
  const minKwh = (spec.socOpMinPct * spec.ratedCapKwh) / 100;
  // Decades on, a double no longer tells instants apart well enough.
  for (let k = 1; k < plan.count && plan.afterMsOf(k) < 366 * 24 * HOUR; k++) {
    const spanMs = plan.afterMsOf(k) - plan.afterMsOf(k - 1);
    const single = new Trajectory();
    single.begin(0, 0);
    single.append({
      afterMs: 0,
      cellKw: 0,
      slopeKwPerMs: 0,
      expKw: 0,
      storedKwh: plan.storedKwhOf(k - 1),
      storedKwhPerMs: plan.storedKwhPerMsOf(k - 1),
      storedKwhPerMs2: plan.storedKwhPerMs2Of(k - 1),
      ratePerMs: plan.ratePerMsOf(k - 1),
      limitedBy: 0,
    });
    expect(Math.abs(single.storedKwhAt(spanMs) - plan.storedKwhOf(k))).toBeLessThan(1e-9);
  }
  const endMs = START + 100 * HOUR;
  expect(registersOf(plan, START, endMs).storedMaxKwh).toBeLessThan(Math.max(maxKwh, motion.storedKwh) + 1e-9);
  if (spec.selfDischargePctPerDay === 0)
    expect(registersOf(plan, START, endMs).storedMinKwh).toBeGreaterThan(Math.min(minKwh, motion.storedKwh) - 1e-9);
});

check("planning anew at any instant changes nothing", 3000, ({ spec, motion }) => {
  const plan = plannedTrajectory(spec, motion);
  // Where a taper lets nothing through, power grows from rounding errors: a discharge that leaves such a point.
  const isTouchy = spec.powerTaper?.some((point) => point.importFraction === 0 || point.exportFraction === 0);
  const nearKwh = isTouchy ? 1e-2 : 5e-6;
  for (const afterMs of [1, 700, 20_000, 300_000, HOUR, 5 * HOUR]) {
    const againMs = START + afterMs;
    const again = new Trajectory();
    const targetKw = motion.targetKw + motion.targetSlopeKwPerMs * afterMs;
    const storedKwh = plan.storedKwhAt(againMs);
    const flowingKw = plan.cellKwAt(againMs);
    planBattery(spec, { ...motion, startMs: againMs, storedKwh, flowingKw, targetKw }, again);
    for (const laterMs of [0, 10, 5000, 600_000, 10 * HOUR]) {
      const atMs = againMs + laterMs;
      expect(Math.abs(again.storedKwhAt(atMs) - plan.storedKwhAt(atMs))).toBeLessThan(nearKwh);
      expect(Math.abs(netKwh(again, againMs, atMs) - netKwh(plan, againMs, atMs))).toBeLessThan(nearKwh);
    }
  }
});
