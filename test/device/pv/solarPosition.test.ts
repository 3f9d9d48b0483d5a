import { calculate } from "@buge/solar/spa.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MS_PER_DAY } from "../../../src/base/time.ts";
import { type GeoLocation, solarPosition } from "../../../src/engine/device/pv/solarPosition.ts";
import {
  deltaTSecondsAt,
  geocentricSun,
  meanSiderealDeg,
  wrapDeg,
} from "../../../src/engine/device/pv/sunEphemeris.ts";
import { runs, seedOr } from "../../depth.ts";
import { needingData, readColumns, readRows } from "./sharedData.ts";

const GOLDEN = { latitudeDeg: 39.742476, longitudeDeg: -105.1786, altitudeM: 1830.14 };
const WORKED_EXAMPLE_MS = Date.UTC(2003, 9, 17, 19, 30, 30);
const WORKED_EXAMPLE_AIR = { pressureHpa: 820, temperatureC: 11, deltaTSeconds: 67 };

const at = (...instants: number[]) => Float64Array.from(instants);

describe("the worked example of NREL/TP-560-34302, table A5.1", () => {
  const sun = geocentricSun(WORKED_EXAMPLE_MS, 67);

  test.each([
    ["earth's heliocentric longitude", sun.heliocentricLongitudeDeg, 24.0182616917, 9],
    ["earth's heliocentric latitude", sun.heliocentricLatitudeDeg, -0.0001011219, 9],
    ["distance", sun.distanceAu, 0.9965422974, 9],
    ["nutation in longitude", sun.nutationLongitudeDeg, -0.0039984, 7],
    ["nutation in obliquity", sun.nutationObliquityDeg, 0.00166657, 7],
    ["true obliquity", sun.obliquityDeg, 23.440465, 6],
    ["apparent longitude", sun.apparentLongitudeDeg, 204.0085519281, 8],
    ["mean sidereal time", wrapDeg(meanSiderealDeg(WORKED_EXAMPLE_MS)), 318.515579, 5],
    ["right ascension", sun.rightAscensionDeg, 202.227408, 5],
    ["declination", sun.declinationDeg, -9.31434, 5],
  ])("%s", (_, found, expected, decimals) => {
    expect(found).toBeCloseTo(expected, decimals);
  });

  test("the sun over the observer", () => {
    const path = solarPosition(at(WORKED_EXAMPLE_MS), GOLDEN, WORKED_EXAMPLE_AIR);
    expect(path.zenithDeg[0]).toBeCloseTo(90 - 39.872046, 5);
    expect(path.apparentZenithDeg[0]).toBeCloseTo(50.11162, 5);
    expect(path.azimuthDeg[0]).toBeCloseTo(194.340241, 5);
    expect(path.distanceAu[0]).toBeCloseTo(0.9965422974, 8);
  });
});

const REFERENCE = "open/vectors/nrel_spa_reference.csv";
needingData(REFERENCE).describe("the reference file", () => {
  const rows = !needingData(REFERENCE).isThere ? [] : readRows(REFERENCE);
  const value = (kind: string, quantity: string) =>
    rows.find((row) => row.kind === kind && row.quantity === quantity)!.value;

  test("gives the position a day after the worked example", () => {
    const kind = "expected_next_day_2003-10-18T19:30:30Z";
    const path = solarPosition(at(WORKED_EXAMPLE_MS + MS_PER_DAY), GOLDEN, WORKED_EXAMPLE_AIR);
    expect(path.apparentZenithDeg[0]).toBeCloseTo(Number(value(kind, "apparent_zenith_deg")), 4);
    expect(path.azimuthDeg[0]).toBeCloseTo(Number(value(kind, "azimuth_from_north_deg")), 4);
  });

  test.each(["2015-01-02", "2015-08-02"])("has the sun rise, stand highest and set on %s when it does", (day) => {
    // All belong to one UTC day: the file writes the August sunset, 02:13:58, a day too late.
    const instant = (what: string) =>
      Date.parse(day) + (Date.parse(value(`expected_golden_${day}`, what)) % MS_PER_DAY);
    const { zenithDeg, azimuthDeg } = solarPosition(
      at(instant("sunrise_utc"), instant("transit_utc"), instant("sunset_utc")),
      GOLDEN,
    );
    // The upper limb on the refracted horizon; the sun moves 0.004° in the second that the file is good for.
    expect(Math.abs(zenithDeg[0] - 90.83337)).toBeLessThan(0.005);
    expect(Math.abs(zenithDeg[2] - 90.83337)).toBeLessThan(0.005);
    expect(Math.abs(azimuthDeg[1] - 180)).toBeLessThan(0.01);
  });

  test("gives the time scales' difference of a month of 1985", () => {
    expect(deltaTSecondsAt(Date.UTC(1985, 1, 10))).toBeCloseTo(Number(value("expected", "delta_t_s_for_1985-02")), 8);
  });
});

describe("an independent implementation of the algorithm", () => {
  const seed = seedOr(20260402);
  const places: fc.Arbitrary<GeoLocation> = fc.record({
    latitudeDeg: fc.oneof(fc.integer({ min: -900, max: 900 }), fc.constantFrom(-900, 0, 900)).map((n) => n / 10),
    longitudeDeg: fc.integer({ min: -1800, max: 1800 }).map((n) => n / 10),
    altitudeM: fc.integer({ min: 0, max: 4000 }),
  });
  const instants = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2051, 0) - 1 });

  test(`agrees to 1e-5° from 2000 to 2050, anywhere on earth (seed ${seed})`, () => {
    fc.assert(
      fc.property(places, instants, (place, atMs) => {
        const deltaTS = deltaTSecondsAt(atMs);
        const pressureHpa = 0;
        const other = calculate({
          date: new Date(atMs),
          ΔUT1: 0,
          ΔT: deltaTS,
          σ: place.longitudeDeg,
          φ: place.latitudeDeg,
          E: place.altitudeM,
          P: pressureHpa,
          T: 12,
        });
        const path = solarPosition(at(atMs), place, { pressureHpa });
        expect(Math.abs(path.zenithDeg[0] - other.θ)).toBeLessThan(1e-5);
        expect(path.apparentZenithDeg[0]).toBe(path.zenithDeg[0]);
        expect(Math.abs(path.distanceAu[0] - other.R)).toBeLessThan(1e-8);
        // Near the zenith and its opposite the azimuth turns fast; what counts is the arc on the sky.
        const turned = Math.abs(wrapDeg(path.azimuthDeg[0] - other.Φ + 180) - 180);
        const near = Math.abs(place.latitudeDeg) === 90 ? 360 : 1e-5;
        expect(turned * Math.sin((other.θ * Math.PI) / 180)).toBeLessThan(near);
      }),
      { seed, numRuns: runs(3000) },
    );
  });

  test(`agrees on refraction (seed ${seed})`, () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 500, max: 1040 }), fc.integer({ min: -30, max: 40 }), (atMs, P, T) => {
        const other = calculate({
          date: new Date(atMs),
          ΔUT1: 0,
          ΔT: deltaTSecondsAt(atMs),
          σ: 139.7,
          φ: 35.7,
          E: 40,
          P,
          T,
        });
        fc.pre(other.θ < 90);
        const place = { latitudeDeg: 35.7, longitudeDeg: 139.7, altitudeM: 40 };
        const path = solarPosition(at(atMs), place, { pressureHpa: P, temperatureC: T });
        expect(Math.abs(path.apparentZenithDeg[0] - other.θ)).toBeLessThan(1e-5);
      }),
      { seed, numRuns: runs(1000) },
    );
  });
});

test("the position at an instant does not depend on the other instants or their order", () => {
  const instants = Array.from({ length: 400 }, (_, k) => Date.UTC(2024, 0) + ((k * 7919) % 400) * 31_234_567);
  const together = solarPosition(Float64Array.from(instants), GOLDEN);
  instants.forEach((instant, k) => {
    const alone = solarPosition(at(instant), GOLDEN);
    expect([alone.zenithDeg[0], alone.azimuthDeg[0]]).toEqual([together.zenithDeg[k], together.azimuthDeg[k]]);
  });
});

describe("zenith angles from other software", () => {
  const cases: [string, string, GeoLocation, "zenithDeg" | "apparentZenithDeg", number][] = [
    [
      "open/vectors/us_golden_rmis_2019-02_5min_pvlib.csv",
      "pvlib_zenith_deg",
      { latitudeDeg: 39.742, longitudeDeg: -105.18, altitudeM: 1829 },
      "zenithDeg",
      0.005,
    ],
    [
      "open/weather/us_colorado_nsrdb_2017_30min.csv.gz",
      "solar_zenith_deg",
      { latitudeDeg: 40.53, longitudeDeg: -108.54, altitudeM: 2168 },
      "apparentZenithDeg",
      0.03,
    ],
  ];
  for (const [path, column, place, which, withinDeg] of cases) {
    needingData(path).test(path, () => {
      const data = readColumns(path, [column]);
      const found = solarPosition(data.timesMs, place)[which];
      const apart = data[column].map((zenith, k) => (zenith < 85 ? Math.abs(zenith - found[k]) : 0));
      expect(Math.max(...apart)).toBeLessThan(withinDeg);
    });
  }
});
