import { describe, expect, test } from "vitest";
import { LIMITING_FACTOR } from "../../src/engine/device/curve/limitingFactor.ts";
import { Trajectory, type TrajectorySegment } from "../../src/engine/device/curve/trajectory.ts";
import { battery, HOUR, netKwh, plannedTrajectory, registersOf, START } from "./batteries.ts";

const at = (hours: number): number => START + hours * HOUR;
const segment = (changes: Partial<TrajectorySegment>): TrajectorySegment => ({
  afterMs: 0,
  cellKw: 0,
  slopeKwPerMs: 0,
  expKw: 0,
  storedKwh: 50,
  storedKwhPerMs: 0,
  storedKwhPerMs2: 0,
  ratePerMs: 0,
  limitedBy: LIMITING_FACTOR.none,
  ...changes,
});

function filled(auxiliaryKw: number, ...segments: Partial<TrajectorySegment>[]): Trajectory {
  const out = new Trajectory();
  out.begin(START, auxiliaryKw);
  for (const changes of segments) out.append(segment(changes));
  return out;
}

describe("a trajectory of three segments", () => {
  // 10 kW for an hour, −4 kW for an hour, then 0; 1 kW of auxiliaries.
  const three = filled(
    1,
    { cellKw: 10, storedKwhPerMs: 10 / HOUR },
    { afterMs: HOUR, cellKw: -4, storedKwh: 60, storedKwhPerMs: -4 / HOUR, limitedBy: LIMITING_FACTOR.powerLimit },
    { afterMs: 2 * HOUR, storedKwh: 56, limitedBy: LIMITING_FACTOR.socBound },
  );

  test.each([
    // hours, index, kW, stored, next start
    [0, 0, 11, 50, 1],
    [0.5, 0, 11, 55, 1],
    [1, 1, -3, 60, 2],
    [2, 2, 1, 56, Number.POSITIVE_INFINITY],
    [0.25, 0, 11, 52.5, 1],
    [99, 2, 1, 56, Number.POSITIVE_INFINITY],
  ])("at %d h", (hours, index, kw, storedKwh, next) => {
    expect(three.indexAt(at(hours))).toBe(index);
    expect(three.kwAt(at(hours))).toBe(kw);
    expect(three.cellKwAt(at(hours))).toBe(kw - 1);
    expect(three.storedKwhAt(at(hours))).toBeCloseTo(storedKwh, 12);
    expect(three.nextStartMs(at(hours))).toBe(at(next));
    expect(three.limitedByOf(three.indexAt(at(hours)))).toBe(
      [LIMITING_FACTOR.none, LIMITING_FACTOR.powerLimit, LIMITING_FACTOR.socBound][index],
    );
  });

  test.each([
    // from, to: net, import, export, cell import, cell export
    [0, 1, 11, 11, 0, 10, 0],
    [0.5, 1.5, 4, 5.5, 1.5, 5, 2],
    [0, 5, 11, 14, 3, 10, 4],
    [1, 1, 0, 0, 0, 0, 0],
    [2, 4, 2, 2, 0, 0, 0],
  ])("energies from %d h to %d h", (from, to, ...expected) => {
    const period = [at(from), at(to)] as const;
    const found = [netKwh(three, ...period), three.importKwh(...period), three.exportKwh(...period)];
    found.push(registersOf(three, ...period).cellInKwh, registersOf(three, ...period).cellOutKwh);
    for (const [k, kwh] of found.entries()) expect(kwh).toBeCloseTo(expected[k], 12);
  });

  test("least, most and mean of what is stored", () => {
    expect(registersOf(three, at(0), at(5)).storedMinKwh).toBe(50);
    expect(registersOf(three, at(0.5), at(5)).storedMinKwh).toBeCloseTo(55, 12);
    expect(registersOf(three, at(0), at(5)).storedMaxKwh).toBeCloseTo(60, 12);
    expect(registersOf(three, at(1.5), at(5)).storedMaxKwh).toBeCloseTo(58, 12);
    expect(registersOf(three, at(0), at(4)).storedKwhMs / HOUR).toBeCloseTo(55 + 58 + 112, 10);
  });

  test("time at or beyond a stored energy", () => {
    expect(registersOf(three, at(0), at(4), { fullThresholdKwh: 56 }).atMaxMs / HOUR).toBeCloseTo(0.4 + 1 + 2, 9);
    expect(registersOf(three, at(0.25), at(4), { emptyThresholdKwh: 55 }).atMinMs / HOUR).toBeCloseTo(0.25, 9);
  });

  test("a period before the start is refused", () => {
    expect(() => netKwh(three, START - 1, at(1))).toThrow("after the start");
  });
});

test("a linear power that passes 0 because of auxiliaries is split there", () => {
  // −4 kW + 2 kW/h of the cells, 1 kW of auxiliaries: −3 kW at first, 0 after 1.5 h, +1 kW after 2 h.
  const line = filled(1, { cellKw: -4, slopeKwPerMs: 2 / HOUR });
  expect(line.exportKwh(at(0), at(2))).toBeCloseTo(2.25, 10);
  expect(line.importKwh(at(0), at(2))).toBeCloseTo(0.25, 10);
  expect(line.importKwh(at(1.75), at(2))).toBeCloseTo(0.1875, 10);
  expect(registersOf(line, at(0), at(2)).cellOutKwh).toBeCloseTo(4, 10);
});

test("an exponential power that passes 0 because of auxiliaries is split there", () => {
  // −4 e^(−t) kW of the cells, 2 kW of auxiliaries: 0 at ln 2 h. Export 4·(1 − 1/2) − 2 ln 2.
  const decay = filled(2, { cellKw: -4, expKw: -4, ratePerMs: 1 / HOUR });
  expect(decay.kwAt(at(0))).toBe(-2);
  expect(decay.cellKwAt(at(1))).toBeCloseTo(-4 / Math.E, 13);
  expect(decay.exportKwh(at(0), at(3))).toBeCloseTo(2 - 2 * Math.LN2, 9);
  expect(netKwh(decay, at(1), at(3))).toBeCloseTo(4 - 4 * (Math.exp(-1) - Math.exp(-3)), 12);
});

test("the least stored energy of a ramp through zero lies within the segment", () => {
  // −10 kW + 20 kW/h, lossless: 50 − 10t + 10t² is least, 47.5, after half an hour.
  const out = filled(0, {
    cellKw: -10,
    slopeKwPerMs: 20 / HOUR,
    storedKwhPerMs: -10 / HOUR,
    storedKwhPerMs2: 20 / HOUR / HOUR,
  });
  expect(registersOf(out, at(0), at(1)).storedMinKwh).toBeCloseTo(47.5, 12);
  expect(registersOf(out, at(0.75), at(1)).storedMinKwh).toBeCloseTo(48.125, 12);
  // 50 − 10t + 10t² <= 48.4 between 0.2 and 0.8 h.
  expect(registersOf(out, at(0), at(1), { emptyThresholdKwh: 48.4 }).atMinMs / HOUR).toBeCloseTo(0.6, 9);
});

test("turning points of the stored energy are visited in order", () => {
  // As above for an hour from 50 kWh, then up by 3 kWh in an hour.
  const out = filled(
    0,
    { cellKw: -10, slopeKwPerMs: 20 / HOUR, storedKwhPerMs: -10 / HOUR, storedKwhPerMs2: 20 / HOUR / HOUR },
    { afterMs: HOUR, cellKw: 3, storedKwhPerMs: 3 / HOUR },
  );
  const found: number[] = [];
  registersOf(out, at(0.25), at(2), { cycleCounter: { add: (kwh) => found.push(Number(kwh.toFixed(9))) } });
  expect(found).toEqual([48.125, 47.5, 50, 53]);
});

test("it grows, and is filled anew without leftovers", () => {
  const out = filled(3, ...Array.from({ length: 9 }, (_, k) => ({ afterMs: k, cellKw: k })));
  expect([out.count, out.cellKwAt(START + 7), out.cellKwAt(START + 1.5), out.kwAt(START + 100)]).toEqual([9, 7, 1, 11]);
  out.begin(START + 50, 0);
  out.append(segment({ cellKw: 2 }));
  expect([out.count, out.kwAt(START + 60), out.nextStartMs(START + 60)]).toEqual([1, 2, Number.POSITIVE_INFINITY]);
});

test("a segment of no length is replaced", () => {
  const out = filled(0, { cellKw: 5 }, { cellKw: 7 });
  expect([out.count, out.kwAt(START)]).toEqual([1, 7]);
});

test("a solved instant keeps more digits than an epoch time has", () => {
  // 70 kW into 40 kWh: 4/7 h is no whole ms and no multiple of the 2.4e-4 ms that separate epoch times.
  const plan = plannedTrajectory(battery(), { targetKw: 70 });
  expect(plan.afterMsOf(1)).toBeCloseTo((4 / 7) * HOUR, 8);
  expect(plan.storedKwhOf(1)).toBe(90);
  expect(netKwh(plan, START, START + HOUR)).toBeCloseTo(40, 12);
  expect(plan.nextStartMs(plan.startMsOf(1))).toBe(Number.POSITIVE_INFINITY);
});
