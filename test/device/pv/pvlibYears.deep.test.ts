import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { pvFromWeather } from "../../../src/engine/device/pv/pvFromWeather.ts";
import type { PvSystem } from "../../../src/engine/device/pv/pvModelChain.ts";
import { buildSeries } from "../../../src/engine/series/model/buildSeries.ts";
import type { Series } from "../../../src/engine/series/model/series.ts";
import type { StampLabel } from "../../../src/engine/series/model/seriesOptions.ts";
import { type ReferenceArray, type ReferencePlace, referencePvKw, referenceSun } from "./referencePvYear.ts";
import { needingData, readColumns } from "./sharedData.ts";

interface Station extends ReferencePlace {
  readonly file: string;
  readonly label: StampLabel;
}

const GOLDEN: Station = {
  file: "open/weather/us_golden_srrl_2020_hourly.csv",
  label: "start",
  latitudeDeg: 39.742,
  longitudeDeg: -105.179,
  altitudeM: 1829,
};
const COLORADO: Station = {
  file: "open/weather/us_colorado_nsrdb_2017_30min.csv.gz",
  label: "instant",
  latitudeDeg: 40.53,
  longitudeDeg: -108.54,
  altitudeM: 2168,
};
const GREENSBORO: Station = {
  file: "open/weather/us_greensboro_tmy3_hourly.csv",
  label: "start",
  latitudeDeg: 36.1,
  longitudeDeg: -79.95,
  altitudeM: 273,
};
const BEDFORD: Station = {
  file: "open/weather/uk_bedford_midas_2018_hourly.csv",
  label: "end",
  latitudeDeg: 52.227,
  longitudeDeg: -0.464,
  altitudeM: 85,
};

const ARRAYS: readonly ReferenceArray[] = [
  { tiltDeg: 20, azimuthDeg: 180 },
  { tiltDeg: 40, azimuthDeg: 180 },
  { tiltDeg: 60, azimuthDeg: 120 },
  { tiltDeg: 90, azimuthDeg: 180 },
];

/** Columns by the names of the scenario format, and the stamps. */
type Record = Readonly<globalThis.Record<string, Float64Array>>;

describe.each([
  ["Golden, hours, all measured", GOLDEN, true],
  ["Golden, hours, global alone", GOLDEN, false],
  ["Colorado, half hours, all measured", COLORADO, true],
  ["Colorado, half hours, global alone", COLORADO, false],
  ["Greensboro, hours, global alone", GREENSBORO, false],
  ["Bedford, hours, global alone", BEDFORD, false],
] as const)("a year of %s", (_, station, isMeasured) => {
  needingData(station.file).test("has the energy of pvlib's ModelChain within 0.05 % at any tilt", () => {
    const names = ["ghi_w_m2", "temp_air_c", "wind_speed_m_s", ...(isMeasured ? ["dni_w_m2", "dhi_w_m2"] : [])];
    const columns = readColumns(station.file, names);
    const rows = [...columns.timesMs.keys()].filter((k) => names.every((name) => Number.isFinite(columns[name][k])));
    const complete = Object.entries(columns).map(([name, values]) => [name, Float64Array.from(rows, (k) => values[k])]);
    checkEnergy(Object.fromEntries(complete), station);
  });
});

test("the week of weather that ships has the energy of pvlib's ModelChain within 0.05 % at any tilt", () => {
  const lines = readFileSync(new URL("../../../data/tokyo-weather-week.csv", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const cells = lines.slice(1).map((line) => line.split(","));
  const record = {
    timesMs: Float64Array.from(cells, ([stamp]) => Date.parse(stamp)),
    ghi_w_m2: Float64Array.from(cells, ([, ghi]) => Number(ghi)),
    temp_air_c: Float64Array.from(cells, ([, , air]) => Number(air)),
    wind_speed_m_s: Float64Array.from(cells, ([, , , wind]) => Number(wind)),
  };
  checkEnergy(record, { label: "instant", latitudeDeg: 35.68, longitudeDeg: 139.77, altitudeM: 0 });
});

function checkEnergy(record: Record, place: ReferencePlace & { readonly label: StampLabel }): void {
  const { label } = place;
  const { timesMs, dni_w_m2: dni, dhi_w_m2: dhi } = record;
  const halfMs = (timesMs[1] - timesMs[0]) / 2;
  const toMiddleMs = { instant: 0, start: halfMs, middle: 0, end: -halfMs }[label];
  const suns = Array.from(timesMs, (atMs) => referenceSun(place, atMs + toMiddleMs));
  for (const array of ARRAYS) {
    let referenceKw = 0;
    suns.forEach((sun, k) => {
      const ghiWm2 = record.ghi_w_m2[k];
      const measured = dni === undefined ? null : { dniWm2: Math.max(0, dni[k]), dhiWm2: Math.max(0, dhi[k]) };
      const weather = { sun, ghiWm2, measured, airC: record.temp_air_c[k], windMPerS: record.wind_speed_m_s[k] };
      if (ghiWm2 > 0) referenceKw += referencePvKw(array, weather);
    });
    let kw = 0;
    for (const value of generation(record, label, { ...place, ...array }).values) kw += value;
    expect(Math.abs(kw / referenceKw - 1), JSON.stringify(array)).toBeLessThan(0.0005);
    expect(referenceKw / timesMs.length).toBeGreaterThan(80);
  }
}

/** As a scenario would give it, without losses. */
function generation(record: Record, label: StampLabel, place: ReferencePlace & ReferenceArray): Series {
  const optional = (name: string): Series | null =>
    record[name] === undefined ? null : seriesOf(record.timesMs, record[name], label);
  const weather = {
    ghiWm2: seriesOf(record.timesMs, record.ghi_w_m2, label),
    dniWm2: optional("dni_w_m2"),
    dhiWm2: optional("dhi_w_m2"),
    airTemperatureC: optional("temp_air_c"),
    windSpeedMPerS: optional("wind_speed_m_s"),
  };
  const system: PvSystem = {
    ...place,
    albedo: 0.25,
    dcCapacityKw: 1200,
    gammaPerC: -0.0037,
    ratedOutputKw: 1000,
    nominalEfficiency: 0.96,
    losses: {
      soilingPct: 0,
      shadingPct: 0,
      mismatchPct: 0,
      wiringPct: 0,
      connectionsPct: 0,
      lightInducedDegradationPct: 0,
      nameplatePct: 0,
      availabilityPct: 0,
    },
  };
  return pvFromWeather(weather, label, system, "pv").generationKw;
}

function seriesOf(timesMs: Float64Array, values: Float64Array, label: StampLabel): Series {
  const raw = { timesMs, values, lines: Int32Array.from(timesMs, (_, k) => k + 2) };
  const recipe = { name: "w", interpolation: "step", label, shiftMs: 0, repeat: "none", maxGapMs: null } as const;
  const { series } = buildSeries(raw, { ...recipe, onGap: "hold" }, { fromMs: timesMs[0], toMs: timesMs[1] });
  if (series === null) throw new Error("a record without data");
  return series;
}
