import fc from "fast-check";
import { expect, test } from "vitest";
import {
  chargersCapability,
  chargersEnergyAvailable,
} from "../../../src/engine/device/evChargers/chargersCapability.ts";
import { advanceChargers, ChargersState } from "../../../src/engine/device/evChargers/chargersState.ts";
import { CHARGERS_LIMIT, ChargersTrajectory } from "../../../src/engine/device/evChargers/chargersTrajectory.ts";
import {
  chargeMaxKw,
  dischargeMaxKw,
  type EvChargersSpec,
  energyMinKwh,
  unservedKwh,
} from "../../../src/engine/device/evChargers/evChargersSpec.ts";
import { type ChargersPlanInput, ChargersPlanner } from "../../../src/engine/device/evChargers/planChargers.ts";
import { longestStayMs, undisturbedKwh } from "../../../src/engine/device/evChargers/undisturbedPlan.ts";
import { runs, seedOr } from "../../depth.ts";
import { netKwh } from "../batteries.ts";
import { carsKwh, chargers, HOUR, type InputFrom, MINUTE, run, START, type Stay, UNLIMITED } from "./chargers.ts";
import { DepartureTotals } from "./departureTotals.ts";
import { steppedRun } from "./stepChargers.ts";
import { unreachableKwh } from "./unreachableKwh.ts";

const MINUTES = 240;
const END = START + MINUTES * MINUTE;
const NEVER = Number.POSITIVE_INFINITY;

const carOf = fc
  .record({
    capacityKwh: fc.constantFrom(20, 40, 60),
    arrival: fc.double({ min: 0, max: 1, noNaN: true }),
    wanted: fc.double({ min: 0, max: 1, noNaN: true }),
    maxKw: fc.constantFrom(4, 7, 11, 22),
    twoWay: fc.constantFrom(true, true, false),
  })
  .map(({ capacityKwh, arrival, wanted, maxKw, twoWay }) => ({
    capacityKwh,
    energyOnArrivalKwh: capacityKwh * arrival,
    energyWantedKwh: capacityKwh * wanted,
    maxKw,
    twoWay,
  }));

/** One or two stays at a connector, on whole seconds. */
const scatteredStays = (connector: number): fc.Arbitrary<Stay[]> =>
  fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 240 * 60 - 1 }), { minLength: 4, maxLength: 4 }),
      fc.array(carOf, { minLength: 1, maxLength: 2 }),
    )
    .map(([seconds, cars]) => {
      const at = seconds.sort((a, b) => a - b);
      return cars.map((car, k) => ({ ...car, connector, from: at[2 * k] / 3600, to: at[2 * k + 1] / 3600 }));
    });

/** A long stay beside others like it: laxities come to be equal. */
const longStay = (connector: number): fc.Arbitrary<Stay[]> =>
  fc
    .record({ car: carOf, to: fc.constantFrom(4, 5, 6), missingH: fc.double({ min: 1, max: 3, noNaN: true }) })
    .map(({ car, to, missingH }) => {
      const energyWantedKwh = 30 + car.energyWantedKwh / 10;
      const energyOnArrivalKwh = Math.max(0, energyWantedKwh - missingH * Math.min(7, car.maxKw));
      return [{ ...car, to, connector, capacityKwh: 40, energyWantedKwh, energyOnArrivalKwh }];
    });

const fourOf = (stays: (connector: number) => fc.Arbitrary<Stay[]>): fc.Arbitrary<Stay[]> =>
  fc.tuple(stays(0), stays(1), stays(2), stays(3)).map((lists) => lists.flat());

const specs: fc.Arbitrary<EvChargersSpec> = fc
  .record({
    stays: fc.oneof(fourOf(scatteredStays), fourOf(longStay)),
    ratings: fc.array(fc.record({ chargeMaxKw: fc.constantFrom(7, 22), dischargeMaxKw: fc.constantFrom(0, 5, 22) }), {
      minLength: 4,
      maxLength: 4,
    }),
    options: fc.record({
      chargeEfficiency: fc.constantFrom(1, 0.9),
      dischargeEfficiency: fc.constantFrom(1, 0.85),
      plan: fc.constantFrom("on_arrival" as const, "spread" as const),
      departure: fc.constantFrom("protected" as const, "best_effort" as const),
      socMinPct: fc.constantFrom(0, 15),
    }),
  })
  .map(({ stays, ratings, options }) => {
    const connectors = ratings.map((rating, k) => ({ connectorId: `c${k}`, ...rating }));
    return { ...chargers(stays, options), connectors };
  });

const inputLists: fc.Arbitrary<InputFrom[]> = fc
  .array(
    fc.record({
      minute: fc.integer({ min: -60, max: MINUTES - 1 }).map((minute) => Math.max(0, minute)),
      setpointKw: fc.oneof(
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 4, arbitrary: fc.double({ min: -25, max: 30, noNaN: true }) },
        { weight: 1, arbitrary: fc.constantFrom(0, 7, -5) },
      ),
      importLimitKw: fc.constantFrom(NEVER, NEVER, 40, 10, 3),
      exportLimitKw: fc.constantFrom(NEVER, NEVER, 8, 0),
      inService: fc.constantFrom(true, true, true, true, true, false),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((inputs) =>
    inputs
      .sort((a, b) => a.minute - b.minute)
      .map(({ minute, ...input }) => ({ fromMs: START + minute * MINUTE, ...input })),
  );

const inputAt = (inputs: readonly InputFrom[], atMs: number): Omit<ChargersPlanInput, "startMs"> => {
  const { fromMs: _, ...input } = inputs.findLast(({ fromMs }) => fromMs <= atMs) ?? { fromMs: 0 };
  return { ...UNLIMITED, setpointKw: null, ...input };
};

const parameters = (deep: number) => ({ seed: seedOr(20260402), numRuns: runs(deep) });

/** A step of the slow way may be late for a switch by a second; a car has few, and takes 22 kW at most. */
const STEP_ERROR_KWH = 0.06;

/** AC energy and what it leaves in the cells may differ by this, in kWh. */
const ROUNDING_KWH = 1e-6;

test("steps of one second come to the same energies", () =>
  fc.assert(
    fc.property(specs, inputLists, (spec, inputs) => {
      const byMinute = Array.from({ length: MINUTES }, (_, k) => inputAt(inputs, START + k * MINUTE));
      const inputOf = (atMs: number) => byMinute[Math.floor((atMs - START) / MINUTE)];
      const { samples, atDeparture } = steppedRun(spec, inputOf, START, END, 4 * MINUTE);
      let sample = 0;
      let energyKwh = 0;
      const { departed } = run(spec, inputs, END, (trajectory, fromMs, toMs) => {
        for (; sample < samples.length && samples[sample].atMs < toMs; sample++) {
          const { atMs, storedKwh, energyKwh: steppedKwh } = samples[sample];
          const where = `after ${(atMs - START) / 1000} s`;
          storedKwh.forEach((kwh, c) => {
            const exactKwh = trajectory.connectorStoredKwhAt(c, atMs);
            if (Math.abs(exactKwh - kwh) >= STEP_ERROR_KWH)
              throw new Error(`connector ${c} ${where}: ${exactKwh}, ${kwh}`);
          });
          const exactKwh = energyKwh + netKwh(trajectory.total, fromMs, atMs);
          if (Math.abs(exactKwh - steppedKwh) >= 4 * STEP_ERROR_KWH)
            throw new Error(`energy ${where}: ${exactKwh}, ${steppedKwh}`);
        }
        energyKwh += netKwh(trajectory.total, fromMs, toMs);
      });
      expect(departed.length).toBe(atDeparture.size);
      for (const { session, storedKwh } of departed) {
        const steppedKwh = atDeparture.get(spec.sessions.indexOf(session)) ?? Number.NaN;
        expect(Math.abs(storedKwh - steppedKwh)).toBeLessThan(STEP_ERROR_KWH);
      }
    }),
    parameters(300),
  ));

test("the stored energy changes by what flows, and jumps at arrivals and departures alone", () =>
  fc.assert(
    fc.property(specs, inputLists, (spec, inputs) => {
      let flowedKwh = 0;
      const { state, departed } = run(spec, inputs, END, (trajectory, fromMs, toMs) => {
        const { total } = trajectory;
        const inKwh = carsKwh(trajectory, spec, 1, fromMs, toMs);
        const outKwh = carsKwh(trajectory, spec, -1, fromMs, toMs);
        expect(Math.abs(netKwh(total, fromMs, toMs) - inKwh + outKwh)).toBeLessThan(ROUNDING_KWH);
        flowedKwh += inKwh * spec.chargeEfficiency - outKwh / spec.dischargeEfficiency;
        for (let k = 1; k < total.count; k++) {
          const beforeKwh = total.storedKwhInSegment(k - 1, total.startMsOf(k));
          expect(Math.abs(total.storedKwhOf(k) - beforeKwh)).toBeLessThan(ROUNDING_KWH);
        }
      });
      const arrivedKwh = spec.sessions
        .filter(({ arrivalMs }) => arrivalMs <= END)
        .reduce((sum, { energyOnArrivalKwh }) => sum + energyOnArrivalKwh, 0);
      const departedKwh = departed.reduce((sum, { storedKwh }) => sum + storedKwh, 0);
      expect(Math.abs(arrivedKwh + flowedKwh - departedKwh - state.storedSumKwh)).toBeLessThan(ROUNDING_KWH);
    }),
    parameters(600),
  ));

test("no car leaves its powers and energies, and the sum stays within the connection point", () =>
  fc.assert(
    fc.property(specs, inputLists, (spec, inputs) => {
      run(spec, inputs, END, (trajectory, fromMs, toMs, input) => {
        const { total } = trajectory;
        for (let k = 0; k < total.count && total.startMsOf(k) < toMs; k++) {
          const atMs = total.startMsOf(k);
          const kw = total.kwInSegment(k, atMs);
          expect(kw).toBeLessThanOrEqual(input.importLimitKw + 1e-9);
          expect(-kw).toBeLessThanOrEqual(input.exportLimitKw + 1e-9);
          for (const session of spec.sessions) {
            if (atMs < session.arrivalMs || session.departureMs <= atMs) continue;
            const carKw = trajectory.connectorKwAt(session.connector, atMs);
            expect(carKw).toBeLessThanOrEqual(chargeMaxKw(spec, session) + 1e-9);
            expect(-carKw).toBeLessThanOrEqual(dischargeMaxKw(spec, session) + 1e-9);
            const lastMs = k + 1 < total.count ? Math.min(toMs, total.startMsOf(k + 1) - 1e-3) : toMs;
            const kwh = trajectory.connectorStoredKwhAt(session.connector, lastMs);
            expect(kwh).toBeLessThanOrEqual(session.capacityKwh + ROUNDING_KWH);
            if (carKw < 0) expect(kwh).toBeGreaterThanOrEqual(energyMinKwh(spec, session) - ROUNDING_KWH);
          }
        }
        expect(fromMs).toBeLessThan(toMs);
      });
    }),
    parameters(400),
  ));

test("no set-point keeps a protected car from the energy that it could have", () =>
  fc.assert(
    fc.property(specs, inputLists, (spec, inputs) => {
      const setpoints = inputs.map(({ fromMs, setpointKw }) => ({ fromMs, setpointKw }));
      const { departed } = run({ ...spec, departure: "protected" }, setpoints, END);
      for (const { session, storedKwh } of departed)
        expect(Math.abs(unservedKwh(session, storedKwh) - unreachableKwh(spec, session))).toBeLessThan(1e-5);
    }),
    parameters(600),
  ));

test("a set-point is met within the capability, and at its nearest end otherwise", () =>
  fc.assert(
    fc.property(specs, inputLists, fc.double({ min: -60, max: 60, noNaN: true }), (spec, inputs, setpointKw) => {
      const { state } = run(spec, inputs, START + 2 * HOUR);
      const limits = inputAt(inputs, START + 2 * HOUR);
      const input = { ...limits, inService: true, startMs: START + 2 * HOUR, setpointKw };
      const trajectory = new ChargersTrajectory(spec.connectors.length);
      new ChargersPlanner(spec).plan(state, input, trajectory);
      const { lowestKw, highestKw } = chargersCapability(spec, state, input.startMs, limits);
      const nearestKw = Math.min(highestKw, Math.max(lowestKw, setpointKw));
      expect(Math.abs(trajectory.total.kwAt(input.startMs) - nearestKw)).toBeLessThan(1e-6);
      const isMet = Math.abs(nearestKw - setpointKw) <= 1e-9;
      expect(trajectory.limitedByAt(input.startMs) === CHARGERS_LIMIT.none).toBe(isMet);
    }),
    parameters(1000),
  ));

test("it does not matter where plans end", () =>
  fc.assert(
    fc.property(specs, inputLists, fc.integer({ min: 1, max: 40 }), (spec, inputs, minutes) => {
      const often = Array.from({ length: MINUTES / minutes }, (_, k) => {
        const fromMs = START + k * minutes * MINUTE;
        return { ...inputAt(inputs, fromMs), fromMs };
      });
      const mixed = [...inputs, ...often].sort((a, b) => a.fromMs - b.fromMs);
      const once = run(spec, inputs, END);
      const again = run(spec, mixed, END);
      expect(again.departed.length).toBe(once.departed.length);
      once.departed.forEach(({ storedKwh }, k) =>
        expect(Math.abs(again.departed[k].storedKwh - storedKwh)).toBeLessThan(ROUNDING_KWH),
      );
      once.state.storedKwh.forEach((kwh, c) =>
        expect(Math.abs(again.state.storedKwh[c] - kwh)).toBeLessThan(ROUNDING_KWH),
      );
    }),
    parameters(600),
  ));

test("a planner and a trajectory that have been used plan to the last digit what new ones do", () =>
  fc.assert(
    fc.property(specs, inputLists, (spec, inputs) => {
      const state = new ChargersState(spec, START);
      run(spec, inputs, END, (used, fromMs, toMs, input) => {
        const fresh = new ChargersTrajectory(spec.connectors.length);
        new ChargersPlanner(spec).plan(state, input, fresh);
        expect(numbersOf(spec, fresh)).toEqual(numbersOf(spec, used));
        advanceChargers(spec, state, fresh, toMs, new DepartureTotals(spec));
        expect(fresh.total.originMs).toBe(fromMs);
      });
    }),
    parameters(300),
  ));

const numbersOf = (spec: EvChargersSpec, trajectory: ChargersTrajectory) => {
  const { total } = trajectory;
  const segments = Array.from({ length: total.count }, (_, k) => {
    const atMs = total.startMsOf(k);
    const cars = spec.connectors.map((_, c) => [
      trajectory.connectorKwAt(c, atMs),
      trajectory.connectorStoredKwhAt(c, atMs),
    ]);
    return [total.afterMsOf(k), total.constKwOf(k), total.storedKwhOf(k), trajectory.limitedByAt(atMs), ...cars.flat()];
  });
  return [trajectory.endMs, ...segments];
};

test("the energy available is what a car takes or gives when as much as possible is wanted", () =>
  fc.assert(
    fc.property(specs, fc.boolean(), (anySpec, up) => {
      const spec = { ...anySpec, sessions: anySpec.sessions.slice(0, 1) };
      const [{ arrivalMs, departureMs }] = spec.sessions;
      if (END < departureMs) return;
      const state = new ChargersState(spec, arrivalMs);
      const { importKwh, exportKwh } = chargersEnergyAvailable(spec, state, arrivalMs);
      let cellKwh = 0;
      const setpointKw = up ? 1000 : -1000;
      run(spec, [{ fromMs: START, setpointKw }], departureMs, (trajectory, fromMs, toMs) => {
        if (up) cellKwh += carsKwh(trajectory, spec, 1, fromMs, toMs) * spec.chargeEfficiency;
        else cellKwh += carsKwh(trajectory, spec, -1, fromMs, toMs) / spec.dischargeEfficiency;
      });
      expect(Math.abs((up ? importKwh : exportKwh) - cellKwh)).toBeLessThan(1e-5);
    }),
    parameters(600),
  ));

test("the natural baseline is what flows without set-points", () =>
  fc.assert(
    fc.property(specs, fc.integer({ min: 0, max: MINUTES }), fc.integer({ min: 0, max: MINUTES }), (spec, a, b) => {
      const fromMs = START + Math.min(a, b) * MINUTE;
      const toMs = START + Math.max(a, b) * MINUTE;
      let kwh = 0;
      run(spec, [{ fromMs, setpointKw: null }], toMs, ({ total }, planMs, endMs) => {
        if (fromMs < endMs) kwh += netKwh(total, Math.max(planMs, fromMs), endMs);
      });
      expect(Math.abs(undisturbedKwh(spec, longestStayMs(spec.sessions), fromMs, toMs) - kwh)).toBeLessThan(1e-5);
    }),
    parameters(600),
  ));
