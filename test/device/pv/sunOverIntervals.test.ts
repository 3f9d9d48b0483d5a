import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../src/base/time.ts";
import { pvModelChain } from "../../../src/engine/device/pv/pvModelChain.ts";
import { defaultPvLosses } from "../../../src/engine/device/pv/pvwattsLosses.ts";
import { type GeoLocation, solarPosition } from "../../../src/engine/device/pv/solarPosition.ts";
import { sunOverIntervals } from "../../../src/engine/device/pv/sunOverIntervals.ts";
import { runs, seedOr } from "../../depth.ts";

const TOKYO = { latitudeDeg: 35.68, longitudeDeg: 139.77, altitudeM: 0 };

/** An interval by its middle and length. */
const over = (middleMs: number, lengthMs: number, place: GeoLocation) =>
  sunOverIntervals({ middlesMs: Float64Array.of(middleMs), lengthsMs: Float64Array.of(lengthMs) }, place);

const zenithAt = (atMs: number, place: GeoLocation): number =>
  solarPosition(Float64Array.of(atMs), place).apparentZenithDeg[0];

/** Middle of the longest part of an interval with the sun up, by looking every ten seconds; `null`: none. */
function middleByLooking(fromMs: number, toMs: number, place: GeoLocation): number | null {
  const stepMs = 10_000;
  const times = Float64Array.from({ length: Math.floor((toMs - fromMs) / stepMs) + 1 }, (_, k) => fromMs + k * stepMs);
  const { apparentZenithDeg } = solarPosition(times, place);
  let best = { count: 0, middleMs: 0 };
  let count = 0;
  apparentZenithDeg.forEach((deg, k) => {
    count = deg < 90 ? count + 1 : 0;
    if (best.count < count) best = { count, middleMs: times[k] - ((count - 1) * stepMs) / 2 };
  });
  return best.count < 3 ? null : best.middleMs;
}

test("by day it is the sun in the middle of the interval", () => {
  const noonMs = Date.UTC(2026, 5, 21, 3);
  expect(over(noonMs, MS_PER_HOUR, TOKYO)).toEqual(solarPosition(Float64Array.of(noonMs), TOKYO));
});

test("where the sun rises after the middle of an hour, it is the middle of what is left of the hour", () => {
  // Sunrise of June 21 in Tokyo, 19:25 UTC for the upper limb: the centre is on the refracted horizon some minutes later.
  const riseMs = bisect(Date.UTC(2026, 5, 20, 19), Date.UTC(2026, 5, 20, 20));
  expect(Math.abs(riseMs - Date.UTC(2026, 5, 20, 19, 27))).toBeLessThan(2 * MS_PER_MINUTE);
  const [fromMs, toMs] = [riseMs - 40 * MS_PER_MINUTE, riseMs + 20 * MS_PER_MINUTE];
  const sun = over((fromMs + toMs) / 2, MS_PER_HOUR, TOKYO);
  expect(sun.apparentZenithDeg[0]).toBeCloseTo(zenithAt(riseMs + 10 * MS_PER_MINUTE, TOKYO), 4);
  // Before sunrise altogether, and after sunset: nothing to find.
  expect(over(riseMs - 31 * MS_PER_MINUTE, MS_PER_HOUR, TOKYO).apparentZenithDeg[0]).toBeGreaterThan(90);

  function bisect(nightMs: number, dayMs: number): number {
    let [low, high] = [nightMs, dayMs];
    while (high - low > 1) {
      const middle = (low + high) / 2;
      if (zenithAt(middle, TOKYO) < 90) high = middle;
      else low = middle;
    }
    return high;
  }
});

test("of a night between two days the longer day counts", () => {
  // 24 hours around an hour before midnight in Tokyo: the evening has more sun than the morning.
  const middleMs = Date.UTC(2026, 2, 21, 14);
  const found = over(middleMs, MS_PER_DAY, TOKYO).azimuthDeg[0];
  expect(found).toBeGreaterThan(180);
});

describe("an hour of light at the polar circle", () => {
  test("is found where both ends of the interval and its middle are dark", () => {
    // North of the polar circle: at noon of January 4 the sun is just above the refracted horizon.
    const place = { latitudeDeg: 67.6, longitudeDeg: 0, altitudeM: 0 };
    const noonMs = Date.UTC(2026, 0, 4, 12, 5);
    const middleMs = noonMs - 90 * MS_PER_MINUTE;
    const expected = middleByLooking(middleMs - 3 * MS_PER_HOUR, middleMs + 3 * MS_PER_HOUR, place);
    expect(expected).not.toBeNull();
    expect(zenithAt(middleMs, place)).toBeGreaterThan(90);
    expect(zenithAt(middleMs + 3 * MS_PER_HOUR, place)).toBeGreaterThan(90);
    const sun = over(middleMs, 6 * MS_PER_HOUR, place);
    expect(sun.apparentZenithDeg[0]).toBeLessThan(90);
    expect(sun.azimuthDeg[0]).toBeCloseTo(solarPosition(Float64Array.of(expected ?? 0), place).azimuthDeg[0], 0);
  });
});

const seed = seedOr(20260707);
test(`agrees with samples of every ten seconds, anywhere on earth (seed ${seed})`, () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -85, max: 85 }),
      fc.integer({ min: -180, max: 180 }),
      fc.integer({ min: 0, max: 365 * 144 }).map((tens) => Date.UTC(2026, 0) + tens * 10 * MS_PER_MINUTE),
      fc.constantFrom(10, 30, 60, 180, 720),
      (latitudeDeg, longitudeDeg, middleMs, minutes) => {
        const place = { latitudeDeg, longitudeDeg, altitudeM: 0 };
        const halfMs = (minutes * MS_PER_MINUTE) / 2;
        const found = over(middleMs, 2 * halfMs, place);
        if (zenithAt(middleMs, place) < 90) return;
        const expectedMs = middleByLooking(middleMs - halfMs, middleMs + halfMs, place);
        if (expectedMs === null) return;
        // Ten seconds are 0.042° of the sun's way.
        expect(Math.abs(found.apparentZenithDeg[0] - zenithAt(expectedMs, place))).toBeLessThan(0.05);
      },
    ),
    { seed, numRuns: runs(3000, 150) },
  );
});

test("a value with the sun below the horizon in mid-interval has light where the sun comes up in the interval", () => {
  const array = {
    ...TOKYO,
    tiltDeg: 90,
    azimuthDeg: 90,
    albedo: 0.25,
    dcCapacityKw: 1200,
    gammaPerC: -0.0037,
    ratedOutputKw: 1000,
    nominalEfficiency: 0.96,
    losses: defaultPvLosses(false),
  };
  const only = (ghi: number) => ({
    ghiWm2: Float64Array.of(ghi),
    dniWm2: null,
    dhiWm2: null,
    airTemperatureC: null,
    windSpeedMPerS: null,
  });
  const poaWm2 = (middleMs: number) => pvModelChain(over(middleMs, MS_PER_HOUR, TOKYO), only(10), array).poaWm2[0];
  // Sunrise at 19:27 UTC: the hour from 18:40 has some of it, the hour from 18:00 has none.
  expect(poaWm2(Date.UTC(2026, 5, 20, 19, 10))).toBeGreaterThan(4);
  expect(poaWm2(Date.UTC(2026, 5, 20, 18, 30))).toBe(0);
});
