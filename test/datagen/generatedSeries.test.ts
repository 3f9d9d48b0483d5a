import { describe, expect, test } from "vitest";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../src/base/time.ts";
import { meanRevertingNoise } from "../../src/engine/kernel/meanRevertingNoise.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { seriesCsv } from "../../src/inputs/datagen/csvText.ts";
import { coldStorageLoad, expectedLoad, factoryLoad, officeLoad } from "../../src/inputs/datagen/loadShapes.ts";
import { clearSkyPvKw, cloudFactor, pvTraceKw } from "../../src/inputs/datagen/pvTrace.ts";
import { generateWeather } from "../../src/inputs/datagen/sampleData.ts";
import { spotPriceJpyPerKwh } from "../../src/inputs/datagen/spotPriceJpyPerKwh.ts";
import { calendarTimeAt, dayOfYear, JST_OFFSET_MS, type TimeGrid } from "../../src/inputs/datagen/timeGrid.ts";

/** 2026-04-01T00:00+09:00, a Wednesday. */
const APRIL_MS = Date.UTC(2026, 2, 31, 15);
const grid = (days: number, minutes: number): TimeGrid => ({
  startMs: APRIL_MS,
  endMs: APRIL_MS + days * MS_PER_DAY,
  stepMs: minutes * MS_PER_MINUTE,
  utcOffsetMs: JST_OFFSET_MS,
});
const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("the clock on the wall", () => {
  const cases = [
    { utc: "2026-03-31T15:00:00Z", hour: 0, isWeekend: false },
    { utc: "2026-04-03T14:59:00Z", hour: 23 + 59 / 60, isWeekend: false }, // Friday
    { utc: "2026-04-03T15:00:00Z", hour: 0, isWeekend: true }, // Saturday in Japan
    { utc: "2026-04-05T14:00:00Z", hour: 23, isWeekend: true }, // Sunday
    { utc: "2026-04-05T15:00:00Z", hour: 0, isWeekend: false },
  ];
  test.each(cases)("$utc in Japan", ({ utc, hour, isWeekend }) => {
    const moment = calendarTimeAt(Date.parse(utc), JST_OFFSET_MS);
    expect(moment.localHour).toBeCloseTo(hour, 9);
    expect(moment.isWeekend).toBe(isWeekend);
  });

  test("days of the year count from 1, in leap years to 366", () => {
    const dayOf = (date: string) => dayOfYear(Date.parse(date) / MS_PER_DAY);
    expect(["2026-01-01", "2026-12-31", "2028-03-01", "2028-12-31"].map(dayOf)).toEqual([1, 365, 61, 366]);
  });
});

describe("mean-reverting noise", () => {
  test.each([1, 5])("has mean 0, variance 1 and the same memory at %i minutes", (minutes) => {
    const shape = { stepMs: minutes * MS_PER_MINUTE, timeConstantMs: 15 * MS_PER_MINUTE };
    const noise = meanRevertingNoise(200_000, shape, new RandomStreams(1).getStream("test", `${minutes}`));
    const lag = 15 / minutes;
    const products = noise.subarray(lag).map((value, k) => value * noise[k]);
    expect(mean(noise)).toBeCloseTo(0, 1);
    expect(mean(noise.map((value) => value * value))).toBeCloseTo(1, 1);
    expect(mean(products)).toBeCloseTo(Math.exp(-1), 1); // after one time constant
  });
});

describe("PV", () => {
  const array = {
    name: "a",
    latitudeDeg: 35.68,
    longitudeDeg: 139.77,
    tiltDeg: 20,
    azimuthDeg: 180,
    capacityKw: 1200,
    ratedOutputKw: 900,
  };

  test("is dark at night, highest near 11:40 in Tokyo, and never above its rating", () => {
    const clear = clearSkyPvKw(grid(1, 1), array);
    const peak = clear.indexOf(Math.max(...clear));
    expect(Math.abs(peak / 60 - 11.73)).toBeLessThan(0.1); // 12 h - 4.77° · 4 min + 3 to 4 min equation of time
    expect(Math.max(...clear.subarray(0, 5 * 60))).toBe(0);
    expect(Math.max(...clear.subarray(19 * 60))).toBe(0);
    expect(Math.max(...clear)).toBeGreaterThan(900);
    const trace = pvTraceKw(grid(20, 5), array, new RandomStreams(3));
    expect(Math.max(...trace)).toBe(900);
    expect(Math.min(...trace)).toBe(0);
  });

  test("has fair and dull days, and a cloud factor within 0.04 and 1.08", () => {
    const factor = cloudFactor(grid(200, 5), "a", new RandomStreams(3));
    const days = Array.from({ length: 200 }, (_, day) => mean(factor.subarray(288 * day, 288 * (day + 1))));
    expect(Math.min(...factor)).toBeGreaterThanOrEqual(0.04);
    expect(Math.max(...factor)).toBeLessThanOrEqual(1.08);
    expect(days.filter((level) => level > 0.75).length).toBeGreaterThan(50);
    expect(days.filter((level) => level < 0.4).length).toBeGreaterThan(15);
  });

  test("of one PV plant does not depend on the others", () => {
    const alone = pvTraceKw(grid(2, 5), array, new RandomStreams(3));
    const random = new RandomStreams(3);
    pvTraceKw(grid(2, 5), { ...array, name: "b" }, random);
    expect(pvTraceKw(grid(2, 5), array, random)).toEqual(alone);
    expect(pvTraceKw(grid(2, 5), { ...array, name: "b" }, new RandomStreams(3))).not.toEqual(alone);
  });
});

describe("expected loads", () => {
  const factory = {
    name: "f",
    noisePct: 0,
    baseKw: 200,
    shiftKw: 500,
    shiftStartHour: 8,
    shiftEndHour: 18,
    weekendFraction: 0.3,
  };
  const office = { name: "o", noisePct: 0, baseKw: 100, occupiedKw: 300, airConditioningKw: 200 };
  const cold = { name: "c", noisePct: 0, baseKw: 200, heatKw: 100, intakeKw: 50 };
  const cases = [
    { title: "factory at night", of: factoryLoad(factory), hour: 3, summer: 0, kw: 200 },
    { title: "factory at work", of: factoryLoad(factory), hour: 10, summer: 0, kw: 696.6 }, // 500 / (1 + e^-5)
    { title: "factory at lunch", of: factoryLoad(factory), hour: 12.5, summer: 0, kw: 575 }, // a quarter rests
    { title: "factory on Sunday", of: factoryLoad(factory), hour: 15, summer: 0, isWeekend: true, kw: 350 },
    { title: "factory in summer", of: factoryLoad(factory), hour: 3, summer: 1, kw: 212 }, // + 6 %
    { title: "office at night", of: officeLoad(office), hour: 2, summer: 1, kw: 100 },
    { title: "office on a summer afternoon", of: officeLoad(office), hour: 14.5, summer: 1, kw: 600 },
    { title: "office on a mild afternoon", of: officeLoad(office), hour: 14.5, summer: 0, kw: 400 },
    { title: "office on a winter morning", of: officeLoad(office), hour: 10.5, summer: -1, kw: 477.3 }, // (300 + 0.5 · 200 · (0.6 + 0.4 e^-0.5)) / (1 + e^-4)
    { title: "cold store on a summer afternoon", of: coldStorageLoad(cold), hour: 15, summer: 1, kw: 300 },
    { title: "cold store on a winter afternoon", of: coldStorageLoad(cold), hour: 15, summer: -1, kw: 210 },
    { title: "cold store at the intake", of: coldStorageLoad(cold), hour: 6.5, summer: -1, kw: 255 + 0.5 }, // 5 · e^-2.26
  ];
  test.each(cases)("$title: $kw kW", ({ of, hour: localHour, summer: seasonFactor, isWeekend = false, kw }) => {
    expect(Math.abs(of({ atMs: 0, dayNumber: 0, localHour, isWeekend, seasonFactor }) - kw)).toBeLessThan(1.5);
  });

  test("stand for the middle of each step", () => {
    const hours = expectedLoad(grid(1, 30), ({ localHour }) => localHour);
    expect([hours[0], hours[1], hours[47]]).toEqual([0.25, 0.75, 23.75]);
  });
});

test("a week of weather: dark nights, warmer afternoons than mornings, always some wind", () => {
  const week = grid(7, 10);
  const tokyo = { latitudeDeg: 35.68, longitudeDeg: 139.77 };
  const columns = generateWeather(week, tokyo, "tokyo", new RandomStreams(1));
  const of = (name: string, hour: number) =>
    mean((columns.get(name) ?? new Float64Array()).filter((_, k) => k % 144 === 6 * hour));
  expect([of("ghi_w_m2", 0), of("ghi_w_m2", 4), of("ghi_w_m2", 20)]).toEqual([0, 0, 0]);
  expect(of("ghi_w_m2", 12)).toBeGreaterThan(250);
  expect(Math.abs(of("temp_air_c", 14) - of("temp_air_c", 2) - 8)).toBeLessThan(2); // twice 4 °C
  expect(Math.min(...(columns.get("wind_m_s") ?? []))).toBeGreaterThan(0);
});

test("spot prices are dearest in the evening, cheapest at noon and never below 0.01", () => {
  const prices = spotPriceJpyPerKwh(grid(60, 30), "spot", new RandomStreams(1));
  const at = (hour: number) => mean(prices.filter((_, k) => k % 48 === 2 * hour));
  expect(at(18)).toBeGreaterThan(at(8));
  expect(at(8)).toBeGreaterThan(at(3));
  expect(at(3)).toBeGreaterThan(at(12));
  expect(Math.min(...prices)).toBeGreaterThanOrEqual(0.01);
});

describe("the CSV of series", () => {
  const threeHours = { startMs: APRIL_MS, endMs: APRIL_MS + 3 * MS_PER_HOUR, stepMs: MS_PER_HOUR, utcOffsetMs: 0 };

  test("has UTC stamps, three decimals, and no -0", () => {
    const columns = new Map([
      ["a_kw", Float64Array.of(0.0005, 1234.5678, -0.0001)],
      ["b_kw", Float64Array.of(7, -7.25, 0)],
    ]);
    expect(Buffer.from(seriesCsv(threeHours, columns)).toString()).toBe(
      "timestamp,a_kw,b_kw\n" +
        "2026-03-31T15:00:00Z,0.001,7.000\n" +
        "2026-03-31T16:00:00Z,1234.568,-7.250\n" +
        "2026-03-31T17:00:00Z,0.000,0.000\n",
    );
  });

  test("refuses a column of another length", () => {
    expect(() => seriesCsv(threeHours, new Map([["a", Float64Array.of(1)]]))).toThrow("each of 3 instants, not 1");
  });
});
