import { describe, expect, test } from "vitest";
import {
  clearSkyGhiWm2,
  clearSkyPlaneWm2,
  declinationDeg,
  equationOfTimeMinutes,
  SolarGeometry,
} from "../../src/inputs/datagen/solarGeometry.ts";

describe("the sun over a plane", () => {
  test("the declination is 0 at the equinox and 23.45 degrees at the solstices", () => {
    // 81 = 22 March: (284 + 81) / 365 is a whole turn. 172 = 21 June, 355 = 21 December.
    expect(declinationDeg(81)).toBeCloseTo(0, 10);
    expect(declinationDeg(172)).toBeCloseTo(23.45, 2);
    expect(declinationDeg(355)).toBeCloseTo(-23.45, 2);
  });

  test("the equation of time is -1.5 minutes at a quarter of its year", () => {
    // Angle 90 degrees on day 172: 9.87 · 0 - 7.53 · 0 - 1.5 · 1.
    expect(equationOfTimeMinutes(172)).toBeCloseTo(-1.5, 10);
  });

  // Solar noon of Tokyo on 21 June: 12 h - 139.77 / 15 h + 1.5 min = 2.707 h UTC; zenith 35.68 - 23.45 = 12.23 degrees.
  const noonMs = Date.UTC(2026, 5, 21) + 2.707 * 3_600_000;
  const tokyo = { latitudeDeg: 35.68, longitudeDeg: 139.77 };
  const cases = [
    { title: "flat", tiltDeg: 0, azimuthDeg: 180, cosIncidence: 0.9773 },
    { title: "tilted towards the sun", tiltDeg: 12.23, azimuthDeg: 180, cosIncidence: 1 },
    { title: "tilted south by 45 degrees", tiltDeg: 45, azimuthDeg: 180, cosIncidence: 0.8409 }, // cos(45 - 12.23)
    { title: "an east wall", tiltDeg: 90, azimuthDeg: 90, cosIncidence: 0 },
    { title: "a north wall", tiltDeg: 90, azimuthDeg: 0, cosIncidence: -0.2118 }, // -sin(12.23)
  ];
  test.each(cases)("at solar noon: $title", ({ tiltDeg, azimuthDeg, cosIncidence }) => {
    const sun = new SolarGeometry({ ...tokyo, tiltDeg, azimuthDeg });
    sun.setTime(noonMs);
    expect(sun.cosZenith).toBeCloseTo(0.9773, 3);
    expect(sun.cosIncidence).toBeCloseTo(cosIncidence, 3);
  });

  test("an east wall has the morning, a west wall the afternoon", () => {
    const east = new SolarGeometry({ ...tokyo, tiltDeg: 90, azimuthDeg: 90 });
    const west = new SolarGeometry({ ...tokyo, tiltDeg: 90, azimuthDeg: 270 });
    for (const [hours, sunny, shady] of [[-4, east, west] as const, [4, west, east] as const]) {
      sunny.setTime(noonMs + hours * 3_600_000);
      shady.setTime(noonMs + hours * 3_600_000);
      expect(sunny.cosIncidence).toBeGreaterThan(0.7);
      expect(shady.cosIncidence).toBeCloseTo(-sunny.cosIncidence, 10);
    }
  });
});

describe("a cloudless sky", () => {
  const cases = [
    { cosZenith: 1, wm2: 1035.09 }, // 1098 · exp(-0.059)
    { cosZenith: 0.5, wm2: 487.89 }, // 549 · exp(-0.118)
    { cosZenith: 0, wm2: 0 },
    { cosZenith: -0.3, wm2: 0 },
  ];
  test.each(cases)("gives $wm2 W/m2 on the ground at cos(zenith) $cosZenith", ({ cosZenith, wm2 }) => {
    expect(clearSkyGhiWm2(cosZenith)).toBeCloseTo(wm2, 1);
  });

  test("gives a flat plane what it gives the ground", () => {
    const sun = new SolarGeometry({ latitudeDeg: 35.68, longitudeDeg: 139.77, tiltDeg: 0, azimuthDeg: 180 });
    sun.setTime(Date.UTC(2026, 5, 21, 5));
    expect(clearSkyPlaneWm2(sun, 0)).toBeCloseTo(clearSkyGhiWm2(sun.cosZenith), 9);
  });
});
