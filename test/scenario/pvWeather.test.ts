import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MS_PER_MINUTE } from "../../src/base/time.ts";
import type { VariableGeneratorSpec } from "../../src/engine/device/generator/generatorSpec.ts";
import { erbs } from "../../src/engine/device/pv/erbs.ts";
import { extraterrestrialWm2 } from "../../src/engine/device/pv/extraterrestrial.ts";
import { faiman } from "../../src/engine/device/pv/faiman.ts";
import { hayDavies } from "../../src/engine/device/pv/hayDavies.ts";
import { cosIncidenceAngle, transmittedIrradianceWm2 } from "../../src/engine/device/pv/incidenceAngle.ts";
import { pvwattsDc } from "../../src/engine/device/pv/pvwattsDc.ts";
import { pvwattsInverter } from "../../src/engine/device/pv/pvwattsInverter.ts";
import { solarPosition } from "../../src/engine/device/pv/solarPosition.ts";
import type { Scenario } from "../../src/inputs/scenario/scenario.ts";
import { intervalEnergyKwh, runSmallWorld } from "../simulation/smallWorld.ts";
import { hourlyCsv, readScenarioYaml, SCENARIO_HEAD, scenarioErrors } from "./scenarioFixtures.ts";

const WEEK = readFileSync(new URL("../../data/tokyo-weather-week.csv", import.meta.url), "utf8");
const PLACE = "latitude: 35.68, longitude: 139.77, altitude_m: 40, tilt_deg: 20";

const pvSite = (name: string, model: string, rest = ""): string =>
  `  - {name: "${name}", ${rest}components: [{component_id: pv, component_type: generator, generator_kind: pv, pv_capacity_kw: 1200, rated_output_kw: 1000, model: {${model}}}]}\n`;
const scenario = (sites: string, series = "{file: w.csv}"): string =>
  `${SCENARIO_HEAD}series: {w: ${series}}\nsites:\n${sites}`;
const plantOf = ({ world }: Scenario, site = 0): VariableGeneratorSpec => {
  const component = world.sites[site].components[0];
  if (component.kind !== "generator") throw new Error(`not a PV plant: ${component.kind}`);
  return component;
};
/** Noon of Tokyo on April 1, W/m², °C, m/s, every 10 minutes from 00:00 to midnight UTC; linear from stamp to stamp. */
const NOON = Date.UTC(2026, 3, 1, 3);

describe("PV from the weather week that ships", () => {
  const loaded = readScenarioYaml(scenario(pvSite("a", `weather: w, ${PLACE}`)), { "w.csv": WEEK });
  const plant = plantOf(loaded);

  test("a bright sample goes through all stages", () => {
    const bright = brightestSample();
    const atMs = Float64Array.of(bright.atMs);
    // The chain once more, stage by stage, with the keys as the file gives them or as the format fills them in.
    const place = { latitudeDeg: 35.68, longitudeDeg: 139.77, altitudeM: 40 };
    const plane = { tiltDeg: 20, azimuthDeg: 180, albedo: 0.25 };
    const sun = solarPosition(atMs, place);
    const above = extraterrestrialWm2(sun.distanceAu);
    const irradiance = erbs(Float64Array.of(bright.ghiWm2), sun.zenithDeg, above);
    const cosIncidence = cosIncidenceAngle(sun, plane);
    const onPlane = hayDavies(irradiance, sun.apparentZenithDeg, cosIncidence, above, plane);
    const cellC = faiman(onPlane.totalWm2, Float64Array.of(bright.airC), Float64Array.of(bright.windMS));
    const dcKw = pvwattsDc(transmittedIrradianceWm2(onPlane, cosIncidence), cellC, {
      dcCapacityKw: 1200,
      gammaPerC: -0.0037,
    });
    const left = 0.98 * 0.97 * 0.98 * 0.98 * 0.995 * 0.985 * 0.99 * 0.97;
    const acKw = pvwattsInverter(Float64Array.of(dcKw[0] * left), { ratedOutputKw: 1000, nominalEfficiency: 0.96 });
    expect(plant.generationKw.valueAt(bright.atMs)).toBeCloseTo(acKw[0], 9);
    expect(plant.irradianceWm2?.valueAt(bright.atMs)).toBeCloseTo(onPlane.totalWm2[0], 9);
    // 1200 kW of modules under some 800 W/m² and 14 % of losses.
    expect(acKw[0]).toBeGreaterThan(600);
  });

  test("a run exports the integral of the chain, in every half hour", () => {
    const { generationKw } = plant;
    const { startMs, endMs } = loaded.world;
    const ran = runSmallWorld(loaded.world, { powerIntervalMs: 10 * MS_PER_MINUTE });
    const expected = Array.from({ length: 48 }, (_, k) => {
      const fromMs = startMs + k * 30 * MS_PER_MINUTE;
      // Straight from stamp to stamp of 10 minutes: trapezoids.
      const kw = [0, 1, 2, 3].map((stamp) => generationKw.valueAt(fromMs + stamp * 10 * MS_PER_MINUTE));
      return (kw[0] / 2 + kw[1] + kw[2] + kw[3] / 2) / 6;
    });
    intervalEnergyKwh(ran, "a", "export_kwh").forEach((kwh, k) =>
      expect(Math.abs(Number(kwh) - expected[k])).toBeLessThan(0.002),
    );
    const total = expected.reduce((sum, kwh) => sum + kwh, 0);
    expect(ran.record.sites[0].exportKwh).toBeCloseTo(total, 2);
    expect(total).toBeCloseTo(generationKw.integrate(startMs, endMs), 6);
    expect(total).toBeGreaterThan(2000);
    const noon = ran.power.find(({ timestamp }) => timestamp === NOON);
    expect(noon?.current_kw).toBeCloseTo(-generationKw.valueAt(NOON), 2);
    expect(noon?.irradiance_w_m2).toBeCloseTo(plant.irradianceWm2?.valueAt(NOON) ?? Number.NaN, 2);
  });

  function brightestSample() {
    const rows = WEEK.trimEnd().split("\n").slice(1);
    const samples = rows.map((row) => {
      const [stamp, ghi, air, wind] = row.split(",");
      return { atMs: Date.parse(stamp), ghiWm2: Number(ghi), airC: Number(air), windMS: Number(wind) };
    });
    const inRun = samples.filter(({ atMs }) => loaded.world.startMs <= atMs && atMs < loaded.world.endMs);
    return inRun.reduce((best, sample) => (best.ghiWm2 < sample.ghiWm2 ? sample : best));
  }
});

/** 25 hours around the run: 600 W/m² from 0 to 8 UTC, which is 9 to 17 in Tokyo. */
const DAY = hourlyCsv(25, { ghi_w_m2: (hour) => (hour <= 8 ? 600 : 0) });
const at2 = Date.UTC(2026, 3, 1, 2);
const kwAt2 = (yaml: string, files: Record<string, string> = { "w.csv": DAY }, site = 0): number =>
  plantOf(readScenarioYaml(yaml, files), site).generationKw.valueAt(at2);

test("equal PV plants share one series; another tilt has its own", () => {
  const model = `weather: w, ${PLACE}`;
  const loaded = readScenarioYaml(
    scenario(
      pvSite("a-{n}", model, "count: 2, ") +
        pvSite("b", model) +
        pvSite("c", `${model}, irradiance_sensor: false`) +
        pvSite("d", model.replace("20", "30")),
    ),
    { "w.csv": DAY },
  );
  const [a1, a2, b, c, d] = [0, 1, 2, 3, 4].map((site) => plantOf(loaded, site));
  expect(a2.generationKw).toBe(a1.generationKw);
  expect(b.generationKw).toBe(a1.generationKw);
  expect(c.generationKw).toBe(a1.generationKw);
  expect(d.generationKw).not.toBe(a1.generationKw);
  expect(b.irradianceWm2).toBe(a1.irradianceWm2);
  expect(a1.irradianceWm2).not.toBeNull();
  expect(c.irradianceWm2).toBeNull();
});

test("a site with outages does not lose 3 % of availability a second time, unless the file says so", () => {
  const model = `weather: w, ${PLACE}`;
  const outages = "outages: {mtbf: P60D, mttr: PT6H}, ";
  const plain = plantOf(readScenarioYaml(scenario(pvSite("a", model)), { "w.csv": DAY }));
  const { irradianceWm2 } = plain;
  const without = kwAt2(scenario(pvSite("a", model, outages)));
  // The inverter is nearly straight: 3 % more at its input are about 3 % more at its output.
  expect(without / plain.generationKw.valueAt(at2)).toBeCloseTo(1 / 0.97, 2);
  expect(irradianceWm2?.valueAt(at2)).toBeGreaterThan(600);
  const stated = kwAt2(scenario(pvSite("a", `${model}, losses: {availability: 3}`, outages)));
  expect(stated).toBe(plain.generationKw.valueAt(at2));
});

test("a loss factor stands in place of all losses, also by a patch, and not beside them", () => {
  const model = `weather: w, ${PLACE}`;
  const files = { "w.csv": DAY };
  const product = 0.98 * 0.97 * 0.98 * 0.98 * 0.995 * 0.985 * 0.99 * 0.97;
  expect(kwAt2(scenario(pvSite("a", `${model}, loss_factor: ${product}`)))).toBeCloseTo(
    kwAt2(scenario(pvSite("a", model))),
    9,
  );
  const more = scenario(pvSite("a", `${model}, loss_factor: 1.05`, "outages: {mtbf: P60D, mttr: PT6H}, "));
  const patch = { "sites.a.components.pv.model.loss_factor": 1.05 };
  const patched = readScenarioYaml(scenario(pvSite("a", model)), files, { patch });
  expect(kwAt2(more)).toBe(plantOf(patched).generationKw.valueAt(at2));
  expect(kwAt2(more) / kwAt2(scenario(pvSite("a", model)))).toBeCloseTo(1.05 / product, 1);
  expect(scenarioErrors(scenario(pvSite("a", `${model}, losses: {soiling: 1}, loss_factor: 0.9`)), files)).toEqual([
    expect.stringContaining("model.loss_factor: found loss_factor beside losses, allowed one of the two"),
  ]);
});

describe("PV from irradiance in the plane", () => {
  const columns = { poa_w_m2: (hour: number) => (hour <= 8 ? 800 : -3), temp_air_c: () => 30, wind_m_s: () => 2 };
  const plantFrom = (model: string, given: Parameters<typeof hourlyCsv>[1] = columns) =>
    plantOf(readScenarioYaml(scenario(pvSite("a", model)), { "w.csv": hourlyCsv(25, given) }));

  test("takes it as it is, with temperature and wind of the same series", () => {
    const plant = plantFrom("irradiance: w.poa_w_m2, loss_factor: 0.9, inverter_efficiency: 0.9637");
    // Cells at 30 + 800/(25 + 6.84 · 2) = 50.683 °C; 1200 · 0.8 · (1 − 0.0037 · 25.683) · 0.9 = 781.898 kW DC.
    // Of 1000/0.9637 kW a load of 0.753515: 1037.667 · (0.753515 · (0.9858 − 0.0162 · 0.753515) − 0.0059).
    expect(plant.generationKw.valueAt(at2)).toBeCloseTo(755.128, 3);
    expect(plant.irradianceWm2?.valueAt(at2)).toBe(800);
    expect(plant.irradianceWm2?.valueAt(at2 + 12 * 60 * MS_PER_MINUTE)).toBe(0);
    expect(plant.generationKw.valueAt(at2 + 12 * 60 * MS_PER_MINUTE)).toBe(0);
  });

  test("is at 20 °C and 1 m/s without them", () => {
    const { poa_w_m2 } = columns;
    const same = { poa_w_m2, temp_air_c: () => 20, wind_m_s: () => 1 };
    const kw = (given: Parameters<typeof hourlyCsv>[1]) =>
      plantFrom("irradiance: w.poa_w_m2", given).generationKw.valueAt(at2);
    expect(kw({ poa_w_m2 })).toBe(kw(same));
    expect(kw(columns)).toBeLessThan(kw(same));
  });

  test("has no place, and not both losses", () => {
    const files = { "w.csv": hourlyCsv(25, columns) };
    const errors = (model: string) => scenarioErrors(scenario(pvSite("a", model)), files);
    expect(errors("irradiance: w.poa_w_m2, tilt_deg: 20")).toEqual([expect.stringContaining("tilt_deg")]);
    expect(errors("irradiance: w.poa_w_m2, losses: {soiling: 1}, loss_factor: 0.9")).toEqual([
      expect.stringContaining("model.loss_factor: found loss_factor beside losses"),
    ]);
  });
});

test("absent columns have 20 °C and 1 m/s, and given values count", () => {
  const model = `weather: w, ${PLACE}`;
  const given = (columns: Parameters<typeof hourlyCsv>[1]) =>
    kwAt2(scenario(pvSite("a", model)), {
      "w.csv": hourlyCsv(25, { ghi_w_m2: (hour) => (hour <= 8 ? 600 : 0), ...columns }),
    });
  const plain = given({});
  expect(given({ temp_air_c: () => 20 })).toBe(plain);
  expect(given({ wind_m_s: () => 1 })).toBe(plain);
  // -0.37 %/°C and 10 °C warmer: 3.7 points of the 1 − 0.0037·(T − 25) of cells near 40 °C, 0.945.
  expect(given({ temp_air_c: () => 30 }) / plain).toBeCloseTo(1 - 0.037 / 0.945, 2);
  expect(given({ wind_m_s: () => 6 })).toBeGreaterThan(plain);
  // All of it diffuse: no beam to gain on a plane that faces the sun.
  expect(given({ dhi_w_m2: (hour) => (hour <= 8 ? 600 : 0) })).toBeLessThan(plain);
  expect(given({ dni_w_m2: () => 0, dhi_w_m2: (hour) => (hour <= 8 ? 600 : 0) })).toBeCloseTo(
    given({ dhi_w_m2: (hour) => (hour <= 8 ? 600 : 0) }),
    9,
  );
});

test("means that hold for an hour take the sun in the middle of that hour", () => {
  const model = `weather: w, ${PLACE}`;
  const held = (label: string) =>
    plantOf(
      readScenarioYaml(scenario(pvSite("a", model), `{file: w.csv, interpolation: step, label: ${label}}`), {
        "w.csv": DAY,
      }),
    );
  const means = held("start").generationKw;
  const shifted = hourlyCsv(25, { ghi_w_m2: (hour) => (hour <= 8 ? 600 : 0) }).replaceAll(":00:00Z", ":30:00Z");
  const readings = plantOf(
    readScenarioYaml(scenario(pvSite("a", model), "{file: w.csv, on_gap: zero}"), { "w.csv": shifted }),
  ).generationKw;
  expect(means.valueAt(at2)).toBe(readings.valueAt(at2 + 30 * MS_PER_MINUTE));
  expect(means.valueAt(at2)).not.toBe(held("instant").generationKw.valueAt(at2));
});

test("a run may start with its record of hourly means between which a line runs", () => {
  const { generationKw } = plantOf(
    readScenarioYaml(
      scenario(pvSite("a", `weather: w, ${PLACE}`), "{file: w.csv, interpolation: linear, label: start}"),
      {
        "w.csv": DAY,
      },
    ),
  );
  const startMs = Date.UTC(2026, 3, 1);
  // The first value is that of 00:30, with the sun of 00:30.
  expect(generationKw.valueAt(startMs)).toBe(generationKw.valueAt(startMs + 30 * MS_PER_MINUTE));
  expect(generationKw.valueAt(startMs)).toBeGreaterThan(100);
});

test("a run of a day within a year of weather computes little more than its day", () => {
  const model = `weather: w, ${PLACE}`;
  const year = hourlyCsv(24 * 200, { ghi_w_m2: (hour) => (hour % 24 <= 8 ? 600 : 0) });
  const loaded = readScenarioYaml(scenario(pvSite("a", model, "baseline: {method: perfect}, ")), { "w.csv": year });
  const { generationKw } = plantOf(loaded);
  expect(generationKw.timesMs.length).toBeLessThan(40);
  expect(generationKw.valueAt(at2)).toBe(kwAt2(scenario(pvSite("a", model))));
  // Perfect is the plant itself: its half hours are the means of what it sends.
  const ran = runSmallWorld(loaded.world);
  expect(ran.energy.map((row) => row.baseline_kwh)).toEqual(ran.energy.map((row) => -Number(row.export_kwh) || 0));
});

test.each([
  [
    "a series without global irradiance says what it has",
    scenario(pvSite("a", `weather: w, ${PLACE}`)),
    hourlyCsv(25, { temp_air_c: () => 20, wind_m_s: () => 1 }),
    /^scenario\.yaml:7:\d+: sites\.0\.components\.0\.model\.weather: found role "ghi_w_m2" of series w, allowed one of its roles .*temp_air_c, wind_m_s$/,
  ],
  [
    "an unnamed series",
    scenario(pvSite("a", `weather: x, ${PLACE}`)),
    DAY,
    /^scenario\.yaml:7:\d+: sites\.0\.components\.0\.model\.weather: found series "x", allowed one of the series w$/,
  ],
  [
    "a place is needed",
    scenario(pvSite("a", "weather: w, longitude: 139.77, tilt_deg: 20")),
    DAY,
    /^scenario\.yaml:7:\d+: sites\.0\.components\.0\.model\.latitude: a value is required \(a number from -90 to 90/,
  ],
  [
    "kelvins",
    scenario(pvSite("a", `weather: w, ${PLACE}`)),
    hourlyCsv(25, { ghi_w_m2: () => 0, temp_air_c: () => 293 }),
    /model\.weather: found 293 at 2026-04-01T00:00:00Z in w\.temp_air_c, allowed values from -90 to 70$/,
  ],
  [
    "weather that ends before the run does",
    scenario(pvSite("a", `weather: w, ${PLACE}`)),
    hourlyCsv(20, { ghi_w_m2: () => 0 }),
    /^w\.csv:21:1: ghi_w_m2: found no data from 2026-04-01T20:00:00Z to 2026-04-02T00:00:00Z, allowed data for the whole run/,
  ],
] as const)("%s", (_, yaml, weather, message) => {
  const errors = scenarioErrors(yaml, { "w.csv": weather });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(message);
});
