import { describe, expect, test } from "vitest";
import { clearSky } from "../../../src/engine/device/pv/clearSky.ts";
import { extraterrestrialWm2, SOLAR_CONSTANT_WM2 } from "../../../src/engine/device/pv/extraterrestrial.ts";
import { solarPosition } from "../../../src/engine/device/pv/solarPosition.ts";
import { needingData, readColumns } from "./sharedData.ts";

const one = (value: number) => Float64Array.of(value);

/** At 1361.1 W/m² above the air, on an instant of the year 2026 where the turbidity goes by month. */
const under = (zenithDeg: number, linkeTurbidity: number | readonly number[], altitudeM = 0, atMs = 0) => {
  const sky = clearSky(one(atMs), one(zenithDeg), one(1361.1), { altitudeM, linkeTurbidity });
  return { ghi: sky.ghiWm2[0], dni: sky.dniWm2[0], dhi: sky.dhiWm2[0] };
};

describe("a cloudless sky", () => {
  test("overhead at sea level, turbidity 3", () => {
    // Air mass 0.9997. Global 0.868·1361.1·e^(−0.0387·0.9997·3) = 1051.93; beam 0.827·1361.1·e^(−0.09·0.9997·2) = 940.26;
    // its other limit is 1051.93·(1 − (0.1 − 0.2·e^−3)/0.982) = 955.47.
    const { ghi, dni, dhi } = under(0, 3);
    expect(ghi).toBeCloseTo(1051.93, 1);
    expect(dni).toBeCloseTo(940.26, 1);
    expect(dhi).toBeCloseTo(111.67, 1);
  });

  test("gives 0 with the sun below the horizon", () => {
    expect([under(90, 3), under(120, 3)]).toEqual(Array(2).fill({ ghi: 0, dni: 0, dhi: 0 }));
  });

  test("satisfies the closure (global = horizontal beam + diffuse), with no negative part", () => {
    for (const zenithDeg of [0, 30, 60, 80, 87, 89.9])
      for (const turbidity of [1, 2, 4, 8]) {
        const { ghi, dni, dhi } = under(zenithDeg, turbidity, 1500);
        expect(dni * Math.cos((zenithDeg * Math.PI) / 180) + dhi).toBeCloseTo(ghi, 9);
        expect(Math.min(ghi, dni, dhi)).toBeGreaterThanOrEqual(0);
        expect(dni).toBeLessThan(1361.1);
      }
  });

  test("decreases with turbidity and increases with altitude", () => {
    expect(under(40, 5).dni).toBeLessThan(under(40, 3).dni);
    expect(under(40, 5).ghi).toBeLessThan(under(40, 3).ghi);
    expect(under(40, 3, 2000).dni).toBeGreaterThan(under(40, 3).dni);
  });

  test("interpolates monthly turbidity linearly between the middles of months, also across the year's end", () => {
    const monthly = [2, 4, 6, 6, 6, 6, 6, 6, 6, 6, 6, 3];
    const cases: [number, number][] = [
      [Date.UTC(2026, 0, 16, 12), 2],
      [Date.UTC(2026, 1, 15), 4],
      // The end of a month lies half-way between the two middles.
      [Date.UTC(2026, 1, 1), 3],
      [Date.UTC(2026, 0, 1), 2.5],
      [Date.UTC(2026, 11, 31, 23, 59, 59), 2.5],
    ];
    for (const [atMs, turbidity] of cases) {
      expect(under(40, monthly, 0, atMs).ghi).toBeCloseTo(under(40, turbidity).ghi, 2);
    }
  });
});

const PVLIB = "open/vectors/us_golden_rmis_2019-02_5min_pvlib.csv";
needingData(PVLIB).test("agrees with another implementation of the model", () => {
  const names = ["pvlib_clearsky_ghi_w_m2", "pvlib_clearsky_dni_w_m2", "pvlib_clearsky_dhi_w_m2"];
  const data = readColumns(PVLIB, names);
  // The file does not say so, but its clear sky is that of sea level, with a turbidity of 2.6 to 2.7.
  const place = { latitudeDeg: 39.742, longitudeDeg: -105.18, altitudeM: 0 };
  const sun = solarPosition(data.timesMs, place);
  // The other one takes 1366.1 W/m² as the solar constant.
  const extraterrestrial = extraterrestrialWm2(sun.distanceAu).map((wm2) => (wm2 * 1366.1) / SOLAR_CONSTANT_WM2);
  const sky = clearSky(data.timesMs, sun.apparentZenithDeg, extraterrestrial, { altitudeM: 0, linkeTurbidity: 2.65 });
  for (const [name, values] of [
    [names[0], sky.ghiWm2],
    [names[1], sky.dniWm2],
    [names[2], sky.dhiWm2],
  ] as const) {
    const total = data[name].reduce((sum, value) => sum + value, 0);
    expect(values.reduce((sum, value) => sum + value, 0) / total).toBeCloseTo(1, 2);
    expect(Math.max(...data[name].map((value, k) => Math.abs(value - values[k])))).toBeLessThan(8);
  }
});

const BIRD = "open/vectors/bird_clearsky_2days.csv";
needingData(BIRD).test("is close to the Bird model, which has separate terms for aerosol, ozone and water", () => {
  const columns = readColumns(BIRD, ["zenith_deg", "etr_w_m2", "ghi_w_m2", "dni_w_m2"]);
  const { zenith_deg, etr_w_m2, ghi_w_m2, dni_w_m2 } = columns;
  // 840 mb is 1550 m; the turbidity is chosen for the beam at noon, the rest must then come out.
  const sky = clearSky(columns.timesMs.fill(0), zenith_deg, etr_w_m2, { altitudeM: 1550, linkeTurbidity: 3.4 });
  let compared = 0;
  for (let k = 0; k < zenith_deg.length; k++) {
    if (75 < zenith_deg[k]) continue;
    compared++;
    expect(Math.abs(sky.ghiWm2[k] / ghi_w_m2[k] - 1)).toBeLessThan(0.06);
    expect(Math.abs(sky.dniWm2[k] / dni_w_m2[k] - 1)).toBeLessThan(0.04);
  }
  expect(compared).toBe(12);
});

const NSRDB = "open/weather/us_colorado_nsrdb_2017_30min.csv.gz";
needingData(NSRDB).test("is close to a year of another clear-sky model", () => {
  const data = readColumns(NSRDB, ["clearsky_ghi_w_m2", "clearsky_dni_w_m2"]);
  const place = { latitudeDeg: 40.53, longitudeDeg: -108.54, altitudeM: 2168 };
  const sun = solarPosition(data.timesMs, place);
  // Chosen for the beam; the global irradiance must then come out.
  const linkeTurbidity = 2.9;
  const extraterrestrial = extraterrestrialWm2(sun.distanceAu);
  const sky = clearSky(data.timesMs, sun.apparentZenithDeg, extraterrestrial, { ...place, linkeTurbidity });
  const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  const differences = {
    ghi: total(sky.ghiWm2) / total(data.clearsky_ghi_w_m2) - 1,
    dni: total(sky.dniWm2) / total(data.clearsky_dni_w_m2) - 1,
  };
  console.log("clear sky against REST2, north-west Colorado 2017, share of the year's sum:", differences);
  expect(Math.abs(differences.ghi)).toBeLessThan(0.05);
  expect(Math.abs(differences.dni)).toBeLessThan(0.01);
});
