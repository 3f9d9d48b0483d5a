import { cos, exp, pow } from "../../base/elementary.ts";
import { MS_PER_DAY, MS_PER_HALF_HOUR, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from "../../base/time.ts";
import { meanRevertingNoise } from "../../engine/kernel/meanRevertingNoise.ts";
import { RandomStreams } from "../../engine/kernel/randomStreams.ts";
import { seriesCsv } from "./csvText.ts";
import type { GeneratedFiles } from "./disk/writeFiles.ts";
import { coldStorageLoad, expectedLoad, factoryLoad, noisyLoad, officeLoad } from "./loadShapes.ts";
import { clearSkyPvKw, cloudFactor } from "./pvTrace.ts";
import { clearSkyGhiWm2, type GeoLocation, SolarGeometry } from "./solarGeometry.ts";
import { spotPriceJpyPerKwh } from "./spotPriceJpyPerKwh.ts";
import { calendarTimeAt, JST_OFFSET_MS, sampleCount, type TimeGrid } from "./timeGrid.ts";

const SEED = 31;
/** 2026-04-01T00:00+09:00, a Wednesday. */
const START_MS = Date.UTC(2026, 2, 31, 15);
const TOKYO: GeoLocation = { latitudeDeg: 35.68, longitudeDeg: 139.77 };
/** Before the week: baselines of days look back at it. */
const LOAD_HISTORY_DAYS = 42;

/** The series in data/, free for any scenario: made up, not measured. */
export function sampleData(): GeneratedFiles {
  const random = new RandomStreams(SEED);
  const gridOf = (days: number, stepMs: number): TimeGrid => ({
    startMs: START_MS,
    endMs: START_MS + days * MS_PER_DAY,
    stepMs,
    utcOffsetMs: JST_OFFSET_MS,
  });
  const week = gridOf(7, 10 * MS_PER_MINUTE);
  const day = gridOf(1, 10 * MS_PER_SECOND);
  const halfHours = gridOf(7, MS_PER_HALF_HOUR);
  const loadHours = { ...halfHours, startMs: START_MS - LOAD_HISTORY_DAYS * MS_PER_DAY };
  return new Map([
    ["tokyo-weather-week.csv", seriesCsv(week, generateWeather(week, TOKYO, "tokyo", random))],
    ["grid-frequency-day.csv", seriesCsv(day, new Map([["frequency_hz", frequency(day, random)]]))],
    ["plant-loads.csv", seriesCsv(loadHours, loads(loadHours, random))],
    ["coast-wind-week.csv", seriesCsv(week, new Map([["wind_per_unit", windPower(week, random)]]))],
    [
      "spot-price-week.csv",
      seriesCsv(halfHours, new Map([["spot_jpy_per_kwh", spotPriceJpyPerKwh(halfHours, "week", random)]])),
    ],
    ["frr-activation-week.csv", seriesCsv(week, new Map([["called", activation(week, random)]]))],
  ]);
}

/** Loads of four plants in kW, including the six weeks before the week itself. */
function loads(grid: TimeGrid, random: RandomStreams): ReadonlyMap<string, Float64Array> {
  const foundry = {
    name: "foundry",
    noisePct: 4,
    baseKw: 600,
    shiftKw: 1400,
    shiftStartHour: 7,
    shiftEndHour: 21,
    weekendFraction: 0.35,
  };
  const office = { name: "office", noisePct: 4, baseKw: 150, occupiedKw: 500, airConditioningKw: 300 };
  const coldStore = { name: "cold-store", noisePct: 3, baseKw: 320, heatKw: 180, intakeKw: 90 };
  const dataCentre = { name: "data-centre", noisePct: 1, baseKw: 900, occupiedKw: 120, airConditioningKw: 160 };
  return new Map([
    ["foundry_kw", noisyLoad(grid, foundry, factoryLoad(foundry), random)],
    ["office_kw", noisyLoad(grid, office, officeLoad(office), random)],
    ["cold_store_kw", noisyLoad(grid, coldStore, coldStorageLoad(coldStore), random)],
    ["data_centre_kw", noisyLoad(grid, dataCentre, officeLoad(dataCentre), random)],
    ["campus_plan_kw", campusPlan(grid, expectedLoad(grid, officeLoad(office)))],
  ]);
}

/**
 * Planned load of the office with 700 kW of PV on its roof, in kW: the expected load less three quarters of the
 * clear-sky generation.
 */
function campusPlan(grid: TimeGrid, officeKw: Float64Array): Float64Array {
  const roof = { ...TOKYO, name: "campus", tiltDeg: 10, azimuthDeg: 180, capacityKw: 700, ratedOutputKw: 600 };
  return clearSkyPvKw(grid, roof).map((kw, k) => officeKw[k] - 0.75 * kw);
}

/** Of rated output, 0..1: a gust's cube between 3 and 12 m/s at the hub, which sees 1.6 times the wind of the station. */
function windPower(grid: TimeGrid, random: RandomStreams): Float64Array {
  const shape = { stepMs: grid.stepMs, timeConstantMs: 6 * MS_PER_HOUR };
  const gusts = meanRevertingNoise(sampleCount(grid), shape, random.getStream("wind", "coast"));
  return gusts.map((gust) => {
    const speed = 1.6 * 5 * exp(0.4 * gust);
    return speed < 3 ? 0 : Math.min(1, (pow(speed, 3) - 27) / (1728 - 27));
  });
}

/** The share of a reserve that is called, 0..1: mostly a part of it, now and then none or all. */
function activation(grid: TimeGrid, random: RandomStreams): Float64Array {
  const shape = { stepMs: grid.stepMs, timeConstantMs: 20 * MS_PER_MINUTE };
  const call = meanRevertingNoise(sampleCount(grid), shape, random.getStream("activation", "frr"));
  return call.map((value) => Math.max(0, Math.min(1, 0.45 + 0.4 * value)));
}

/** Irradiance, temperature and wind at the instants of a grid, named by the roles that a PV array reads. */
export function generateWeather(
  grid: TimeGrid,
  place: GeoLocation,
  name: string,
  random: RandomStreams,
): ReadonlyMap<string, Float64Array> {
  const sun = new SolarGeometry({ ...place, tiltDeg: 0, azimuthDeg: 180 });
  const noiseOf = (purpose: string, timeConstantMs: number) =>
    meanRevertingNoise(sampleCount(grid), { stepMs: grid.stepMs, timeConstantMs }, random.getStream(purpose, name));
  const warmth = noiseOf("warmth", MS_PER_DAY);
  const factor = cloudFactor(grid, name, random);
  const ghi = factor.map((left, k) => {
    sun.setTime(grid.startMs + k * grid.stepMs);
    return left * clearSkyGhiWm2(sun.cosZenith);
  });
  // Plain of Kanto: 16 °C over the year, 5 to 27 °C through the seasons, 4 °C around the day's mean, warmest at 14.
  const temperature = warmth.map((deviation, k) => {
    const { localHour, seasonFactor } = calendarTimeAt(grid.startMs + k * grid.stepMs, grid.utcOffsetMs);
    return 16 + 11 * seasonFactor + 4 * cos((2 * Math.PI * (localHour - 14)) / 24) + 1.5 * deviation;
  });
  const wind = noiseOf("wind", 2 * MS_PER_HOUR).map((gust) => 2.4 * exp(0.45 * gust));
  return new Map([
    ["ghi_w_m2", ghi],
    ["temp_air_c", temperature],
    ["wind_m_s", wind],
  ]);
}

/** Grid frequency in Hz: mean 50, standard deviation 0.02, back to the mean within minutes. */
function frequency(grid: TimeGrid, random: RandomStreams): Float64Array {
  const shape = { stepMs: grid.stepMs, timeConstantMs: 2 * MS_PER_MINUTE };
  const deviation = meanRevertingNoise(sampleCount(grid), shape, random.getStream("frequency", "grid"));
  return deviation.map((value) => 50 + 0.02 * value);
}
