import fc from "fast-check";
import { expect, test } from "vitest";
import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";
import type { DispatchableSpec } from "../../src/engine/device/dispatchable/dispatchableSpec.ts";
import { runs, seedOr } from "../depth.ts";
import { HOUR, netKwh, registersOf, START } from "./batteries.ts";
import { plannedPlantTrajectory, plant, reservoir } from "./plants.ts";

const tenths = (low: number, high: number) => fc.integer({ min: low * 10, max: high * 10 }).map((n) => n / 10);
const efficiency = fc.integer({ min: 70, max: 100 }).map((n) => n / 100);
const limit = fc.oneof({ weight: 2, arbitrary: fc.constant(Number.POSITIVE_INFINITY) }, tenths(0, 120));

const spec: fc.Arbitrary<DispatchableSpec> = fc
  .record({
    minOutputKw: fc.oneof(fc.constant(0), tenths(0, 100)),
    rampKwPerMin: fc.oneof(fc.constant(null), fc.constantFrom(0.3, 1, 10, 200)),
    reservoir: fc.oneof(
      fc.constant(null),
      fc
        .record({
          capacityKwh: tenths(1, 200),
          pumpMaxKw: tenths(0, 100),
          pumpingEfficiency: efficiency,
          generatingEfficiency: efficiency,
        })
        .map((changes) => reservoir(changes)),
    ),
  })
  .map((changes) => plant(changes));

interface Case {
  readonly spec: DispatchableSpec;
  readonly motion: DevicePlanInput;
}

const cases: fc.Arbitrary<Case> = spec.chain((spec) =>
  fc
    .record({
      fill: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      flowingKw: fc.oneof(fc.constant(0), tenths(-100, 0), fc.constant(-spec.minOutputKw)),
      targetKw: fc.oneof(tenths(-120, 120), fc.constantFrom(0, -spec.minOutputKw, -spec.minOutputKw / 2, -100)),
      targetKwPerHour: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, tenths(-150, 150)),
      inService: fc.integer({ min: 0, max: 19 }).map((n) => 0 < n),
      importLimitKw: limit,
      exportLimitKw: limit,
    })
    .map(({ fill, targetKwPerHour, ...motion }) => ({
      spec,
      motion: {
        ...motion,
        startMs: START,
        storedKwh: fill * (spec.reservoir?.capacityKwh ?? 0),
        targetSlopeKwPerMs: targetKwPerHour / HOUR,
      },
    })),
);

const seed = seedOr(20260403);
const check = (name: string, count: number, property: (example: Case) => void) =>
  test(`${name} (seed ${seed})`, () => fc.assert(fc.property(cases, property), { seed, numRuns: runs(count) }));

/** The rules of docs/model/dispatchable.md in small steps, as simply as they can be written. */
function stepPlant(
  { ratedOutputKw, minOutputKw, rampKwPerMin, reservoir }: DispatchableSpec,
  motion: DevicePlanInput,
  { stepS, steps }: { stepS: number; steps: number },
  visit: (step: number, kw: number, storedKwh: number) => void,
): void {
  const rampKw = ((rampKwPerMin ?? Number.POSITIVE_INFINITY) * stepS) / 60;
  const mostKw = Math.min(ratedOutputKw, motion.exportLimitKw);
  let storedKwh = motion.storedKwh;
  let outputKw = Math.max(0, -motion.flowingKw);
  for (let step = 0; step < steps; step++) {
    const target = motion.targetKw + motion.targetSlopeKwPerMs * 1000 * stepS * step;
    const canRun = motion.inService && minOutputKw <= mostKw && (reservoir === null || 1e-6 < storedKwh);
    const wantedKw = -target < minOutputKw / 2 || target >= 0 ? 0 : Math.min(mostKw, Math.max(minOutputKw, -target));
    outputKw = canRun ? nextOutput(Math.min(outputKw, mostKw), wantedKw, minOutputKw, step === 0 ? 0 : rampKw) : 0;
    if (rampKw === Number.POSITIVE_INFINITY && canRun) outputKw = wantedKw;
    const roomKwh = reservoir === null ? 0 : reservoir.capacityKwh - storedKwh;
    const canPump = motion.inService && reservoir !== null && outputKw === 0 && 0 < target && 1e-6 < roomKwh;
    const pumpKw = canPump ? Math.min(target, reservoir.pumpMaxKw, motion.importLimitKw) : 0;
    visit(step, pumpKw - outputKw, storedKwh);
    if (reservoir === null) continue;
    const gainKwh = pumpKw * reservoir.pumpingEfficiency - outputKw / reservoir.generatingEfficiency;
    storedKwh = Math.max(0, Math.min(reservoir.capacityKwh, storedKwh + (gainKwh * stepS) / 3600));
  }
}

function nextOutput(outputKw: number, wantedKw: number, minOutputKw: number, rampKw: number): number {
  if (wantedKw === 0) return outputKw - rampKw <= minOutputKw ? 0 : outputKw - rampKw;
  const running = Math.max(outputKw, minOutputKw);
  return running + Math.max(-rampKw, Math.min(rampKw, wantedKw - running));
}

check("a plan agrees with fine steps in power and energy", 300, ({ spec, motion }) => {
  const plan = plannedPlantTrajectory(spec, motion);
  const stepMs = 200;
  const steps = 30_000;
  let outKwh = 0;
  let inKwh = 0;
  let apartKwh = 0;
  let apartSteps = 0;
  stepPlant(spec, motion, { stepS: stepMs / 1000, steps }, (step, kw, storedKwh) => {
    const atMs = START + step * stepMs;
    outKwh += (Math.max(0, -kw) * stepMs) / HOUR;
    inKwh += (Math.max(0, kw) * stepMs) / HOUR;
    apartKwh = Math.max(apartKwh, Math.abs(storedKwh - plan.storedKwhAt(atMs)));
    if (0.1 < Math.abs(kw - plan.kwAt(atMs)) && 1.4 < Math.abs(kw - plan.kwAt(atMs + 2 * stepMs))) apartSteps++;
  });
  const endMs = START + steps * stepMs;
  expect(Math.abs(plan.exportKwh(START, endMs) - outKwh)).toBeLessThan(0.05);
  expect(Math.abs(plan.importKwh(START, endMs) - inKwh)).toBeLessThan(0.05);
  expect(apartKwh).toBeLessThan(0.05);
  // At a switch the steps are one late.
  expect(apartSteps).toBeLessThan(20);
});

check("what is pumped less what is generated and lost is what is stored", 3000, ({ spec, motion }) => {
  const plan = plannedPlantTrajectory(spec, motion);
  const { pumpingEfficiency, generatingEfficiency } = spec.reservoir ?? reservoir();
  const cuts = [0, 0.3, 1234.5, 60_000, 1_000_000, HOUR, 7 * HOUR, 40 * HOUR].map((ms) => START + ms);
  for (let k = 1; k < cuts.length; k++) {
    const [fromMs, toMs] = [cuts[k - 1], cuts[k]];
    const movedKwh =
      pumpingEfficiency * plan.importKwh(fromMs, toMs) - plan.exportKwh(fromMs, toMs) / generatingEfficiency;
    const storedKwh = plan.storedKwhAt(toMs) - plan.storedKwhAt(fromMs);
    // A reservoir within 1e-6 kWh of a bound is at it.
    if (spec.reservoir === null) {
      expect(plan.importKwh(fromMs, toMs)).toBeLessThan(1e-12);
      expect(storedKwh).toBe(0);
    } else expect(Math.abs(movedKwh - storedKwh)).toBeLessThan(3e-6);
  }
});

check("power and stored energy keep their ranges", 3000, ({ spec, motion }) => {
  const plan = plannedPlantTrajectory(spec, motion);
  for (let k = 0; k < plan.count; k++) {
    const endMs = k + 1 < plan.count ? plan.startMsOf(k + 1) : plan.startMsOf(k) + HOUR;
    for (const share of [0, 0.3, 0.9]) {
      const kw = plan.kwAt(plan.startMsOf(k) + share * (endMs - plan.startMsOf(k)));
      const runs = kw < -1e-6;
      if (runs) expect(-kw).toBeGreaterThan(spec.minOutputKw - 1e-3);
      expect(-kw).toBeLessThan(Math.min(spec.ratedOutputKw, motion.exportLimitKw) + 1e-3);
      expect(kw).toBeLessThan(Math.min(spec.reservoir?.pumpMaxKw ?? 0, motion.importLimitKw) + 1e-3);
    }
  }
  expect(registersOf(plan, START, START + 100 * HOUR).storedMinKwh).toBeGreaterThan(-1e-6);
  expect(registersOf(plan, START, START + 100 * HOUR).storedMaxKwh).toBeLessThan(
    (spec.reservoir?.capacityKwh ?? 0) + 1e-6,
  );
});

check("planning anew at any instant changes nothing", 3000, ({ spec, motion }) => {
  const plan = plannedPlantTrajectory(spec, motion);
  for (const afterMs of [1, 700, 20_000, 300_000, HOUR, 5 * HOUR]) {
    const againMs = START + afterMs;
    const again = plannedPlantTrajectory(spec, {
      ...motion,
      startMs: againMs,
      storedKwh: plan.storedKwhAt(againMs),
      flowingKw: plan.kwAt(againMs),
      targetKw: motion.targetKw + motion.targetSlopeKwPerMs * afterMs,
    });
    for (const laterMs of [0, 10, 5000, 600_000, 10 * HOUR]) {
      const atMs = againMs + laterMs;
      expect(Math.abs(again.storedKwhAt(atMs) - plan.storedKwhAt(atMs))).toBeLessThan(1e-5);
      expect(Math.abs(netKwh(again, againMs, atMs) - netKwh(plan, againMs, atMs))).toBeLessThan(1e-5);
    }
  }
});
