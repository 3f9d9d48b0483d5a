import { describe, expect, test } from "vitest";
import type { VariableGeneratorSpec } from "../../../src/engine/device/generator/generatorSpec.ts";
import { type PvSystem, pvModelChain } from "../../../src/engine/device/pv/pvModelChain.ts";
import { defaultPvLosses } from "../../../src/engine/device/pv/pvwattsLosses.ts";
import { sunOverIntervals } from "../../../src/engine/device/pv/sunOverIntervals.ts";
import { Series } from "../../../src/engine/series/model/series.ts";
import type { Estimate } from "../../../src/twin/fit/estimate.ts";
import { fitPv } from "../../../src/twin/fit/pv.ts";
import type { PvPlant } from "../../../src/twin/fit/pvPlants.ts";
import { type MeasuredColumn, type MeasuredTable, measuredSite } from "../../../src/twin/measured/measuredSeries.ts";
import { FCR, fitOptions, START_MS, streamOf } from "./measuredBattery.ts";

const SYSTEM: PvSystem = {
  latitudeDeg: 35.7,
  longitudeDeg: 139.7,
  altitudeM: 40,
  tiltDeg: 20,
  azimuthDeg: 180,
  albedo: 0.25,
  dcCapacityKw: 500,
  gammaPerC: -0.0037,
  ratedOutputKw: 450,
  nominalEfficiency: 0.96,
  losses: defaultPvLosses(false),
  lossFactor: 0.86,
};

const SPEC: VariableGeneratorSpec = {
  kind: "generator",
  componentId: "pv",
  generatorKind: "pv",
  fcrCapable: false,
  subsidy: "none",
  ratedOutputKw: 450,
  pvCapacityKw: 500,
  generationKw: new Series("pv", Float64Array.of(START_MS), Float64Array.of(0), "step", START_MS + 1e10),
  irradianceWm2: null,
};

interface Recording {
  readonly truth: PvSystem;
  readonly days: number;
  /** Share of the clear sky that is left on cloudy days. */
  readonly cloud: number;
  readonly column: "irradiance_w_m2" | "ghi_w_m2" | null;
  readonly hasTemperature: boolean;
}

const RECORDING: Recording = {
  truth: { ...SYSTEM, lossFactor: 0.78 },
  days: 8,
  cloud: 0.4,
  column: "irradiance_w_m2",
  hasTemperature: true,
};

/** Five-minute values of a plant under a sky of clear and cloudy days, with an outage of two hours at a noon. */
function recorded(changes: Partial<Recording> = {}): MeasuredTable {
  const { truth, days, cloud, column, hasTemperature } = { ...RECORDING, ...changes };
  const spacingMs = 300_000;
  const timesMs = Float64Array.from({ length: (days * 86_400_000) / spacingMs }, (_, k) => START_MS + k * spacingMs);
  const sun = sunOverIntervals({ middlesMs: timesMs, lengthsMs: timesMs.map(() => spacingMs) }, truth);
  const noise = streamOf(5)("pv");
  const dayOf = (row: number): number => Math.floor((timesMs[row] - START_MS) / 86_400_000);
  const ghiWm2 = timesMs.map((_, row) => {
    const height = Math.cos((sun.zenithDeg[row] * Math.PI) / 180);
    return height <= 0 ? 0 : 1_050 * height ** 1.15 * (dayOf(row) % 2 === 0 ? 1 : cloud);
  });
  const airC = timesMs.map((atMs, row) => 15 + 2 * dayOf(row) + 8 * Math.sin(atMs / 1.4e7));
  const weather = { ghiWm2, dniWm2: null, dhiWm2: null, airTemperatureC: airC, windSpeedMPerS: null };
  const { acKw, poaWm2 } = pvModelChain(sun, weather, truth);
  const isOut = (row: number): boolean =>
    dayOf(row) === 2 && poaWm2[row] > 600 && timesMs[row] % 86_400_000 < 4 * 3_600_000;
  const columns = new Map<MeasuredColumn, Float64Array>([
    ["current_kw", acKw.map((kw, row) => (isOut(row) ? 0 : -kw * (1 + 0.01 * noise.nextNormal())))],
  ]);
  if (column !== null) columns.set(column, column === "ghi_w_m2" ? ghiWm2 : poaWm2);
  if (hasTemperature) columns.set("temp_air_c", airC);
  return { label: "instant", spacingMs, timesMs, columns };
}

const rowsOf = (
  table: MeasuredTable,
  isLocated = true,
  weatherSeries: PvPlant["weatherSeries"] = new Map(),
): ReadonlyMap<string, Estimate> => {
  const { latitudeDeg, longitudeDeg, altitudeM, tiltDeg, azimuthDeg } = SYSTEM;
  const pv = {
    ratedOutputKw: SYSTEM.ratedOutputKw,
    location: isLocated ? { latitudeDeg, longitudeDeg, altitudeM } : null,
    plane: isLocated ? { owner: {}, tiltDeg, azimuthDeg } : null,
    system: SYSTEM,
    takesLossFactor: isLocated,
    weather: null,
    weatherSeries,
  };
  const site = { components: [SPEC], fcr: FCR, link: { lossProbability: 0, latencyMs: 0 } };
  const measured = measuredSite("site", [table]);
  return new Map(
    fitPv({ site, spec: SPEC, pv, measured, options: fitOptions() }).estimates.map((row) => [row.parameter, row]),
  );
};

test("loss factor and temperature coefficient are found from irradiance in the plane, an outage apart", () => {
  const rows = rowsOf(recorded({ truth: { ...SYSTEM, lossFactor: 0.78, gammaPerC: -0.0045 } }));
  // Light at a steep angle reaches the cells less than the sensor: the chain from the plane counts it as a loss.
  expect(Math.abs(Number(rows.get("loss_factor")?.value) - 0.78)).toBeLessThan(0.016);
  expect(rows.get("loss_factor")).toMatchObject({ key: "model.loss_factor", before: 0.86 });
  expect(Math.abs(Number(rows.get("gamma_pct_per_c")?.value) + 0.45)).toBeLessThan(0.06);
});

test("loss factor and direction are found from irradiance on the horizontal plane", () => {
  const rows = rowsOf(
    recorded({ truth: { ...SYSTEM, lossFactor: 0.78, tiltDeg: 28, azimuthDeg: 205 }, column: "ghi_w_m2" }),
  );
  expect(Math.abs(Number(rows.get("loss_factor")?.value) - 0.78)).toBeLessThan(0.016);
  expect(Math.abs(Number(rows.get("tilt_deg")?.value) - 28)).toBeLessThan(2);
  expect(Math.abs(Number(rows.get("azimuth_deg")?.value) - 205)).toBeLessThan(4);
}, 60_000);

test("loss factor and direction are found from the weather of the scenario, in hours", () => {
  const truth = { ...SYSTEM, lossFactor: 0.78, tiltDeg: 28, azimuthDeg: 205 };
  const power = recorded({ truth, column: null });
  const { timesMs, columns } = recorded({ truth, column: "ghi_w_m2" });
  const hours = [...timesMs.keys()].filter((row) => row % 12 === 6);
  const ghiWm2 = columns.get("ghi_w_m2") ?? new Float64Array();
  const series = new Series(
    "weather",
    Float64Array.from(hours, (row) => timesMs[row]),
    Float64Array.from(hours, (row) => ghiWm2.subarray(row - 6, row + 6).reduce((sum, wm2) => sum + wm2 / 12, 0)),
    "linear",
    timesMs[timesMs.length - 1] + 1,
  );
  const rows = rowsOf(power, true, new Map([["ghi_w_m2", series]]));
  expect(Math.abs(Number(rows.get("loss_factor")?.value) - 0.78)).toBeLessThan(0.016);
  expect(Math.abs(Number(rows.get("tilt_deg")?.value) - 28)).toBeLessThan(2);
  expect(Math.abs(Number(rows.get("azimuth_deg")?.value) - 205)).toBeLessThan(4);
  expect(rowsOf(power).get("loss_factor")?.why).toBe("no irradiance is measured");
}, 60_000);

describe("what is not identifiable, and the same beside it that is", () => {
  const ghi = (changes: Partial<Recording>) => rowsOf(recorded({ column: "ghi_w_m2", ...changes }));

  test("all, by power alone", () => {
    expect(rowsOf(recorded({ column: null })).get("loss_factor")?.why).toBe("no irradiance is measured");
    expect(rowsOf(recorded()).get("loss_factor")?.status).toBe("identified");
  });

  test("direction, by irradiance in the plane", () => {
    expect(rowsOf(recorded()).get("tilt_deg")?.why).toBe("irradiance is measured in the plane");
  });

  test("direction, by the days", () => {
    expect(ghi({ days: 4 }).get("tilt_deg")?.why).toBe("4 days, 2 of them clear; 5 and 2 are needed");
  });

  test("azimuth, by the tilt", () => {
    const rows = ghi({ truth: { ...SYSTEM, tiltDeg: 2 } });
    expect(rows.get("tilt_deg")?.status).toBe("identified");
    expect(rows.get("azimuth_deg")?.why).toMatch(/^the tilt is \d\.\d°; 5° are needed$/);
  }, 60_000);

  test("the temperature coefficient, without temperatures", () => {
    expect(rowsOf(recorded({ hasTemperature: false })).get("gamma_pct_per_c")?.why).toBe("no temperature is measured");
    expect(rowsOf(recorded({ days: 2 })).get("gamma_pct_per_c")?.why).toContain("°C; 15 are needed");
    expect(rowsOf(recorded()).get("gamma_pct_per_c")?.status).toBe("identified");
  });

  test("all from the horizontal plane, without a place", () => {
    expect(rowsOf(recorded({ column: "ghi_w_m2" }), false).get("loss_factor")?.why).toContain(
      "the scenario has no place",
    );
    expect(rowsOf(recorded(), false).get("loss_factor")).toMatchObject({ status: "identified", key: null });
  });
});
