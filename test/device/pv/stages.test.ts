import { describe, expect, test } from "vitest";
import { pressureHpaAt, relativeAirMass } from "../../../src/engine/device/pv/atmosphere.ts";
import { erbs, erbsDiffuseFraction } from "../../../src/engine/device/pv/erbs.ts";
import { extraterrestrialWm2 } from "../../../src/engine/device/pv/extraterrestrial.ts";
import { faiman } from "../../../src/engine/device/pv/faiman.ts";
import { hayDavies } from "../../../src/engine/device/pv/hayDavies.ts";
import {
  cosIncidenceAngle,
  incidenceAngleModifier,
  transmittedIrradianceWm2,
} from "../../../src/engine/device/pv/incidenceAngle.ts";
import { daylight, splitByBeam, splitByDiffuse } from "../../../src/engine/device/pv/irradiance.ts";
import { pvwattsDc } from "../../../src/engine/device/pv/pvwattsDc.ts";
import { pvwattsInverter } from "../../../src/engine/device/pv/pvwattsInverter.ts";
import { defaultPvLosses, pvwattsLossFactor } from "../../../src/engine/device/pv/pvwattsLosses.ts";

const one = (value: number) => Float64Array.of(value);
const cosDeg = (deg: number) => Math.cos((deg * Math.PI) / 180);

/** Compares numbers that stand beside their name, to 9 digits after the point unless said otherwise. */
function checkNumbers(found: Record<string, number>, expected: Record<string, number>, digits = 9): void {
  const rounded = (values: Record<string, number>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value.toFixed(digits)) || 0]));
  expect(rounded(found)).toEqual(rounded(expected));
}

describe("the air", () => {
  test.each([
    // U.S. Standard Atmosphere 1976, table I.
    [0, 1013.25],
    [1000, 898.76],
    [2000, 795.01],
    [5000, 540.48],
  ])("at %d m weighs %d hPa", (altitudeM, hPa) => {
    // The table goes by geopotential height, which at 5 km differs by 4 m.
    expect(Math.abs(pressureHpaAt(altitudeM) - hPa)).toBeLessThan(0.3);
  });

  test.each([
    // 96.07995^−1.6364 = 0.00056965, 36.07995^−1.6364 = 0.0028291, 6.07995^−1.6364 = 0.052146
    [0, 0.9997],
    [60, 1.9943],
    [90, 37.9199],
  ])("lies %d° off the zenith %d times as thick", (zenithDeg, airMass) => {
    expect(relativeAirMass(zenithDeg)).toBeCloseTo(airMass, 3);
  });

  test("has air mass 0 with the sun below the horizon", () => {
    expect(relativeAirMass(90.01)).toBe(0);
  });
});

describe("extraterrestrial irradiance", () => {
  test("is the solar constant at one astronomical unit and falls with the square of the distance", () => {
    expect([...extraterrestrialWm2(Float64Array.of(1, 2, 0.5))]).toEqual([1366.1, 1366.1 / 4, 1366.1 * 4]);
  });
});

describe("the Erbs decomposition", () => {
  test.each([
    [0, 1],
    [0.2, 0.982],
    [0.22, 0.9802],
    // 0.9511 − 0.0802 + 1.097 − 2.07975 + 0.771
    [0.5, 0.65915],
    [0.81, 0.165],
    [1.3, 0.165],
  ])("at clearness %d takes the share %d as diffuse", (clearness, fraction) => {
    expect(erbsDiffuseFraction(clearness)).toBeCloseTo(fraction, 10);
  });

  test("has no step between its pieces beyond that of the paper's rounding", () => {
    for (const corner of [0.22, 0.8])
      expect(Math.abs(erbsDiffuseFraction(corner - 1e-9) - erbsDiffuseFraction(corner + 1e-9))).toBeLessThan(0.005);
  });

  test.each([
    // Clearness 0.5 with the sun at 60° under 1400 W/m²: 350 W/m², of which 0.65915 diffuse; the rest is over cos 60°.
    ["half clear", 350, 60, { ghi: 350, dni: 238.595, dhi: 230.7025 }],
    ["overcast", 70, 60, { ghi: 70, dni: 1.26, dhi: 69.37 }],
    ["night", 0, 91, { ghi: 0, dni: 0, dhi: 0 }],
    ["the sun too low for a beam", 40, 88, { ghi: 40, dni: 0, dhi: 40 }],
    ["the true sun below the horizon and the apparent one above", 4, 90.2, { ghi: 4, dni: 0, dhi: 4 }],
  ])("of %s", (_, ghi, zenithDeg, expected) => {
    const { ghiWm2, dniWm2, dhiWm2 } = erbs(one(ghi), one(zenithDeg), one(1400));
    checkNumbers({ ghi: ghiWm2[0], dni: dniWm2[0], dhi: dhiWm2[0] }, expected);
  });

  test.each([
    // The numbers of pvlib's own test of Erbs, at its true zenith, for January 1 and June 29.
    [50, 85, 0.40571599, 96.7127061, 41.5709323],
    [1000, 10, 0.718119416, 794.187742, 217.877755],
    [1000, 10, 0.76891947, 842.358014, 170.439297],
  ])("agrees with pvlib for %d W/m² at %d° and clearness %d", (ghi, zenithDeg, clearness, dni, dhi) => {
    const { dniWm2, dhiWm2 } = erbs(one(ghi), one(zenithDeg), one(ghi / (clearness * cosDeg(zenithDeg))));
    checkNumbers({ dni: dniWm2[0], dhi: dhiWm2[0] }, { dni, dhi }, 5);
  });
});

describe("a missing component of measured irradiance", () => {
  const table: [string, ReturnType<typeof erbs>, [number, number, number]][] = [
    ["the beam by closure", splitByDiffuse(one(500), one(100), one(60), one(1361)), [500, 800, 100]],
    ["not more beam than above the air", splitByDiffuse(one(900), one(100), one(60), one(1361)), [900, 1361, 219.5]],
    ["no beam where diffuse exceeds global", splitByDiffuse(one(90), one(100), one(60), one(1361)), [90, 0, 90]],
    ["diffuse by closure", splitByBeam(one(500), one(800), one(60)), [500, 800, 100]],
    ["no diffuse where the beam is all", splitByBeam(one(500), one(1100), one(60)), [500, 1000, 0]],
    ["nothing at night", splitByBeam(one(0), one(0), one(91)), [0, 0, 0]],
  ];
  test.each(table)("is %s", (_, { ghiWm2, dniWm2, dhiWm2 }, [ghi, dni, dhi]) => {
    checkNumbers({ ghi: ghiWm2[0], dni: dniWm2[0], dhi: dhiWm2[0] }, { ghi, dni, dhi });
  });

  test("measurements are unchanged by day; night and negative values become 0", () => {
    expect([...daylight(Float64Array.of(500, 4, -3), Float64Array.of(60, 91, 80))]).toEqual([500, 0, 0]);
  });
});

describe("the angle of incidence", () => {
  const sunAt = (zenithDeg: number, azimuthDeg: number) => ({
    zenithDeg: one(zenithDeg),
    apparentZenithDeg: one(zenithDeg),
    azimuthDeg: one(azimuthDeg),
    distanceAu: one(1),
  });
  test.each([
    ["a flat plane sees the zenith angle", 40, 77, 0, 180, 40],
    ["a plane turned to the sun sees it head-on", 40, 200, 40, 200, 0],
    ["a wall sees the sun's elevation", 50, 180, 90, 180, 40],
    ["a wall sees the sun in the east at a right angle", 50, 90, 90, 180, 90],
    ["the sun is behind a wall to the north", 50, 180, 90, 0, 140],
    ["azimuths go round", 60, 359, 60, 1, 1.73199],
  ])("%s", (_, zenithDeg, azimuthDeg, tiltDeg, planeAzimuthDeg, expectedDeg) => {
    const plane = { tiltDeg, azimuthDeg: planeAzimuthDeg, albedo: 0 };
    const cos = cosIncidenceAngle(sunAt(zenithDeg, azimuthDeg), plane)[0];
    expect((Math.acos(Math.min(1, cos)) * 180) / Math.PI).toBeCloseTo(expectedDeg, 4);
  });
});

describe("the glass", () => {
  test.each([
    [0, 1],
    [90, 0],
    [120, 0],
    // Inside cos = 0.823363; reflected (0.43067² + 0.03805²)/2 = 9.346 %; absorbed along 2 mm / 0.823363. Perpendicular
    // 4.336 % and 2 mm: 0.90654·0.99033 / (0.95664·0.99203).
    [60, 0.946],
  ])("at %d° lets %d of the perpendicular through", (incidenceDeg, share) => {
    expect(incidenceAngleModifier(cosDeg(incidenceDeg))).toBeCloseTo(share, 3);
  });

  test("falls all the way to 90°", () => {
    const shares = Array.from({ length: 91 }, (_, deg) => incidenceAngleModifier(cosDeg(deg)));
    for (let deg = 1; deg <= 90; deg++) expect(shares[deg]).toBeLessThan(shares[deg - 1]);
  });

  test("reduces the beam alone", () => {
    const plane = {
      beamWm2: one(200),
      circumsolarWm2: one(30),
      skyWm2: one(50),
      groundWm2: one(10),
      totalWm2: one(290),
    };
    expect(transmittedIrradianceWm2(plane, one(cosDeg(0)))[0]).toBe(290);
    expect(transmittedIrradianceWm2(plane, one(-0.1))[0]).toBe(90);
    expect(transmittedIrradianceWm2(plane, one(cosDeg(60)))[0]).toBeCloseTo(90 + 200 * incidenceAngleModifier(0.5), 12);
  });
});

describe("the plane of array", () => {
  const at = (tiltDeg: number, albedo = 0.25) => ({ tiltDeg, azimuthDeg: 180, albedo });
  const sky = (ghi: number, dni: number, dhi: number) => ({ ghiWm2: one(ghi), dniWm2: one(dni), dhiWm2: one(dhi) });
  const table: [string, ReturnType<typeof hayDavies>, [number, number, number, number]][] = [
    // A flat plane: all of the diffuse is seen, wherever it comes from, and no ground. A = 0.5.
    ["flat", hayDavies(sky(440, 680.55, 100), one(60), one(0.5), one(1361.1), at(0)), [340.275, 50, 50, 0]],
    // No beam: the sky is isotropic. Tilt 60°: (1 + cos)/2 = 0.75; ground 0.25·0.25·100.
    ["overcast", hayDavies(sky(100, 0, 100), one(60), one(1), one(1361.1), at(60)), [0, 0, 75, 6.25]],
    // Facing the sun, tilt 60°: 680.55 + 100·0.5·1/0.5; sky 100·0.5·0.75; ground 440·0.25·0.25.
    [
      "facing the sun",
      hayDavies(sky(440, 680.55, 100), one(60), one(1), one(1361.1), at(60)),
      [680.55, 100, 37.5, 27.5],
    ],
    ["sun behind", hayDavies(sky(440, 680.55, 100), one(60), one(-0.2), one(1361.1), at(60)), [0, 0, 37.5, 27.5]],
    // Upright over snow: half the sky, half the ground.
    ["upright", hayDavies(sky(200, 0, 200), one(60), one(0), one(1361.1), at(90, 0.8)), [0, 0, 100, 80]],
    ["night", hayDavies(sky(0, 0, 0), one(95), one(0.3), one(1361.1), at(60)), [0, 0, 0, 0]],
    // No higher than 1 above the air: the whole diffuse is circumsolar. cos is cut at 0.01745.
    [
      "sun at the horizon",
      hayDavies(sky(20, 1500, 20), one(90), one(0.5), one(1361.1), at(0)),
      [750, 573.065903, 0, 0],
    ],
  ];
  test.each(table)("%s", (_, plane, [beam, circumsolar, sky, ground]) => {
    checkNumbers(
      {
        beam: plane.beamWm2[0],
        circumsolar: plane.circumsolarWm2[0],
        sky: plane.skyWm2[0],
        ground: plane.groundWm2[0],
        total: plane.totalWm2[0],
      },
      { beam, circumsolar, sky, ground, total: beam + circumsolar + sky + ground },
      6,
    );
  });
});

describe("from irradiance to AC power", () => {
  test.each([
    [0, -5, 3, -5],
    [1000, 20, 0, 60],
    // 25 + 6.84·1 = 31.84
    [318.4, 20, 1, 30],
    [636.8, 0, 1, 20],
  ])("%d W/m² at %d °C in %d m/s of wind warm the cells to %d °C", (poa, airC, windMS, cellC) => {
    expect(faiman(one(poa), one(airC), one(windMS))[0]).toBeCloseTo(cellC, 10);
  });

  test.each([
    [1000, 25, 100],
    [500, 25, 50],
    [1000, 45, 92.6],
    [1000, -5, 111.1],
    [0, 60, 0],
    // So hot that the straight line would go below 0.
    [1000, 400, 0],
  ])("%d W/m² on cells of %d °C give %d kW of 100", (irradiance, cellC, kw) => {
    const module = { dcCapacityKw: 100, gammaPerC: -0.0037 };
    expect(pvwattsDc(one(irradiance), one(cellC), module)[0]).toBeCloseTo(kw, 10);
  });

  test("the usual losses are 14.08 % together, 11.42 % without availability", () => {
    // 0.98·0.97·0.98·0.98·0.995·0.985·0.99·0.97 = 0.859243
    expect(pvwattsLossFactor(defaultPvLosses(false))).toBeCloseTo(0.859243, 6);
    expect(pvwattsLossFactor(defaultPvLosses(true))).toBeCloseTo(0.859243 / 0.97, 6);
  });

  test("losses are applied one after the other", () => {
    const none = Object.fromEntries(Object.keys(defaultPvLosses(true)).map((name) => [name, 0]));
    const losses = { ...defaultPvLosses(true), ...none, soilingPct: 50, wiringPct: 10 };
    expect(pvwattsLossFactor(losses)).toBeCloseTo(0.45, 12);
    expect(pvwattsLossFactor({ ...losses, shadingPct: 100 })).toBe(0);
  });

  test.each([
    [0, 0],
    // Under 0.6 % of its rating the inverter needs more than it gets.
    [0.5, 0],
    // Half load: 0.96/0.9637 · (0.5·(0.9858 − 0.0081) − 0.0059) = 0.481096
    [50, 48.1096],
    [100, 96],
    [130, 96],
  ])("an inverter of 96 kW makes of %d kW DC %d kW AC", (dcKw, acKw) => {
    const inverter = { ratedOutputKw: 96, nominalEfficiency: 0.96 };
    expect(pvwattsInverter(one(dcKw), inverter)[0]).toBeCloseTo(acKw, 4);
  });
});
