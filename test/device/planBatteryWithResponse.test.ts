// Batteries and plants along a path of frequency response: against the general way, and against small steps.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  EQUALITY_TOLERANCE,
  taperedExportKw,
  taperedImportKw,
} from "../../src/engine/device/battery/batteryCapability.ts";
import type { BatterySpec } from "../../src/engine/device/battery/batterySpec.ts";
import { planBattery, planSegmentwise } from "../../src/engine/device/battery/planBattery.ts";
import type { DevicePlanInput } from "../../src/engine/device/curve/devicePlanInput.ts";
import { LIMITING_FACTOR } from "../../src/engine/device/curve/limitingFactor.ts";
import { Trajectory } from "../../src/engine/device/curve/trajectory.ts";
import { planDispatchable } from "../../src/engine/device/dispatchable/planDispatchable.ts";
import type { PowerProfile } from "../../src/engine/device/frequency/responseProfile.ts";
import { runs } from "../depth.ts";
import { pumped, thermal } from "../reference/stepper/build.ts";
import { battery, netKwh, START } from "./batteries.ts";

const SPAN_MS = 600_000;

function pathOf(pieces: readonly { readonly afterMs: number; readonly kw: number; readonly kwPerMs: number }[]) {
  const column = (of: (piece: (typeof pieces)[number]) => number) => Float64Array.from(pieces, of);
  return {
    count: pieces.length,
    afterMs: column(({ afterMs }) => afterMs),
    kw: column(({ kw }) => kw),
    kwPerMs: column(({ kwPerMs }) => kwPerMs),
    isStepped: pieces.every(({ kwPerMs }) => kwPerMs === 0),
  } satisfies PowerProfile;
}

const kwAt = (path: PowerProfile, ms: number): number => {
  let k = 0;
  while (k + 1 < path.count && path.afterMs[k + 1] <= ms) k++;
  return path.kw[k] + path.kwPerMs[k] * (ms - path.afterMs[k]);
};

/** Steps of some seconds; where `slanted`, each piece heads for the next one's beginning. */
const paths = (slanted: boolean, mostKw: number) =>
  fc
    .array(
      fc.record({
        gapMs: fc.constantFrom(1000, 2000, 7300, 60_000),
        kw: fc.oneof(fc.constantFrom(0, mostKw, -mostKw), fc.double({ min: -mostKw, max: mostKw, noNaN: true })),
      }),
      { minLength: 1, maxLength: 60 },
    )
    .map((steps) => {
      let afterMs = 0;
      return pathOf(
        steps.map(({ gapMs, kw }, k) => {
          const moveKw = slanted && k + 1 < steps.length ? steps[k + 1].kw - kw : 0;
          const piece = { afterMs, kw, kwPerMs: Math.abs(moveKw) <= EQUALITY_TOLERANCE ? 0 : moveKw / gapMs };
          afterMs += gapMs;
          return piece;
        }),
      );
    });

const motion = (given: Partial<DevicePlanInput>): DevicePlanInput => ({
  startMs: START,
  storedKwh: 50,
  flowingKw: 0,
  targetKw: 0,
  targetSlopeKwPerMs: 0,
  inService: true,
  importLimitKw: Number.POSITIVE_INFINITY,
  exportLimitKw: Number.POSITIVE_INFINITY,
  ...given,
});
const motions = fc.record({
  // Near full and near empty: 100 kW move 0.028 kWh a second.
  storedKwh: fc.constantFrom(10, 10.2, 11, 50, 89, 89.9, 90, 95, 5),
  flowingKw: fc.constantFrom(0, 30),
  targetKw: fc.constantFrom(0, 40, -70),
  importLimitKw: fc.constantFrom(25, Number.POSITIVE_INFINITY),
  exportLimitKw: fc.constantFrom(0, 60, Number.POSITIVE_INFINITY),
});

test("a plan in steps equals a plan from switch to switch", () => {
  const bounds = new Set<number>();
  fc.assert(
    fc.property(paths(false, 120), motions, fc.constantFrom(1, 0.9, 0.5), (path, given, chargeEfficiency) => {
      const spec = battery({ chargeEfficiency, dischargeEfficiency: 0.8, auxiliaryKw: 1.5 });
      const [quick, general] = [new Trajectory(), new Trajectory()];
      planBattery(spec, motion(given), quick, path);
      general.begin(START, spec.auxiliaryKw);
      planSegmentwise(spec, motion(given), general, path);
      expect(quick.isStepped).toBe(true);
      for (let k = 0; k < quick.count; k++) bounds.add(quick.limitedByOf(k));
      for (let ms = 0.3; ms < SPAN_MS; ms += 997) {
        const limitAt = (plan: Trajectory) => plan.limitedByOf(plan.indexAt(START + ms));
        expect(Math.abs(quick.kwAt(START + ms) - general.kwAt(START + ms))).toBeLessThan(1e-7);
        expect(Math.abs(quick.storedKwhAt(START + ms) - general.storedKwhAt(START + ms))).toBeLessThan(1e-8);
        expect(limitAt(quick)).toBe(limitAt(general));
      }
    }),
    { numRuns: runs(300) },
  );
  expect(bounds).toEqual(new Set([LIMITING_FACTOR.none, LIMITING_FACTOR.socBound, LIMITING_FACTOR.powerLimit]));
});

/** The battery of docs/model/battery.md in steps of 10 ms: the ramp moves the power, limits and window cut it. */
function stepAlong(
  spec: BatterySpec,
  given: DevicePlanInput,
  path: PowerProfile,
  visit: (ms: number, kwh: number) => void,
) {
  const STEP_MS = 10;
  const hours = STEP_MS / 3_600_000;
  const [fullKwh, emptyKwh] = [
    (spec.socOpMaxPct / 100) * spec.ratedCapKwh,
    (spec.socOpMinPct / 100) * spec.ratedCapKwh,
  ];
  const rampKw = ((spec.rampKwPerS ?? Number.POSITIVE_INFINITY) * STEP_MS) / 1000;
  let { storedKwh, flowingKw } = given;
  for (let ms = 0; ms < SPAN_MS; ms += STEP_MS) {
    visit(ms, storedKwh);
    const lostKwh = (spec.selfDischargePctPerDay / 100 / 24) * hours * storedKwh;
    const roomKw = Math.max(0, fullKwh - storedKwh + lostKwh) / spec.chargeEfficiency / hours;
    const restKw = (Math.max(0, storedKwh - emptyKwh - lostKwh) * spec.dischargeEfficiency) / hours;
    const mostKw = Math.min(taperedImportKw(spec, storedKwh), given.importLimitKw, roomKw);
    const leastKw = -Math.min(taperedExportKw(spec, storedKwh), given.exportLimitKw, restKw);
    const wantedKw = given.targetKw + kwAt(path, ms + STEP_MS / 2);
    const movedKw = flowingKw + Math.max(-rampKw, Math.min(rampKw, wantedKw - flowingKw));
    const kw = Math.max(leastKw, Math.min(mostKw, rampKw === Number.POSITIVE_INFINITY ? wantedKw : movedKw));
    storedKwh += hours * (0 < kw ? kw * spec.chargeEfficiency : kw / spec.dischargeEfficiency) - lostKwh;
    flowingKw = kw;
  }
}

test("ramp, taper and self-discharge along any path agree with small steps", () => {
  const specs = fc.record({
    rampKwPerS: fc.constantFrom(null, 5, 300),
    selfDischargePctPerDay: fc.constantFrom(0, 20),
    powerTaper: fc.constantFrom(null, [
      { socPct: 10, importFraction: 1, exportFraction: 0.1 },
      { socPct: 12, importFraction: 1, exportFraction: 1 },
      { socPct: 85, importFraction: 1, exportFraction: 1 },
      { socPct: 90, importFraction: 0.05, exportFraction: 1 },
    ]),
  });
  const kinds = fc.boolean().chain((slanted) => paths(slanted, 120));
  fc.assert(
    fc.property(specs, motions, kinds, (given, moved, path) => {
      const spec = battery({ chargeEfficiency: 0.9, dischargeEfficiency: 0.8, ...given });
      const start = motion(moved);
      const plan = new Trajectory();
      planBattery(spec, start, plan, path);
      let worstKwh = 0;
      stepAlong(spec, start, path, (ms, kwh) => {
        if (ms % 1000 === 0) worstKwh = Math.max(worstKwh, Math.abs(plan.storedKwhAt(START + ms) - kwh));
      });
      // A hundred steps of up to 120 kW that are each half a step of 10 ms off.
      expect(worstKwh).toBeLessThan(0.01);
    }),
    { numRuns: runs(60) },
  );
});

test("a plant along a path agrees with small steps", () => {
  const specs = fc.constantFrom(
    thermal({ ratedOutputKw: 200, minOutputKw: 40, rampKwPerMin: 300 }),
    thermal({ ratedOutputKw: 200, minOutputKw: 0 }),
    pumped(
      { capacityKwh: 4, pumpMaxKw: 120, pumpingEfficiency: 0.9, generatingEfficiency: 0.8 },
      { ratedOutputKw: 150 },
    ),
  );
  fc.assert(
    fc.property(specs, fc.constantFrom(-120, -60, 0, 50), paths(false, 60), (spec, targetKw, path) => {
      const plan = new Trajectory();
      const start = motion({ storedKwh: spec.reservoir === null ? 0 : 2, flowingKw: Math.min(0, targetKw), targetKw });
      planDispatchable(spec, start, path, plan);
      const STEP_MS = 10;
      const hours = STEP_MS / 3_600_000;
      const ramp = ((spec.rampKwPerMin ?? Number.POSITIVE_INFINITY) * STEP_MS) / 60_000;
      let out = Math.max(0, -start.flowingKw);
      let storedKwh = start.storedKwh;
      let worstKwh = 0;
      let kwh = 0;
      for (let ms = 0; ms < SPAN_MS; ms += STEP_MS) {
        if (ms > 0 && ms % 10_000 === 0) worstKwh = Math.max(worstKwh, Math.abs(netKwh(plan, START, START + ms) - kwh));
        const requestedKw = -(targetKw + kwAt(path, ms));
        const { reservoir, minOutputKw } = spec;
        const wanted =
          requestedKw <= 1e-9 || requestedKw < minOutputKw / 2
            ? 0
            : Math.min(spec.ratedOutputKw, Math.max(minOutputKw, requestedKw));
        // Off is one step below the least output; ramps count above it.
        if (ramp === Number.POSITIVE_INFINITY) out = wanted;
        else if (wanted === 0) out = out - ramp <= minOutputKw ? 0 : out - ramp;
        else out = Math.max(minOutputKw, out) + Math.max(-ramp, Math.min(ramp, wanted - Math.max(minOutputKw, out)));
        let kw = 0 < out ? -out : Math.min(Math.max(0, -requestedKw), reservoir?.pumpMaxKw ?? 0);
        if (reservoir !== null) {
          if (kw < 0) kw = -Math.min(-kw, (storedKwh * reservoir.generatingEfficiency) / hours);
          else kw = Math.min(kw, (reservoir.capacityKwh - storedKwh) / reservoir.pumpingEfficiency / hours);
          storedKwh += hours * (kw < 0 ? kw / reservoir.generatingEfficiency : kw * reservoir.pumpingEfficiency);
        }
        kwh += kw * hours;
      }
      expect(worstKwh).toBeLessThan(0.02);
    }),
    { numRuns: runs(80) },
  );
});
