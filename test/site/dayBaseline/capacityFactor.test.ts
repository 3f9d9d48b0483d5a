import { expect, test } from "vitest";
import { capacityFactorPlan } from "../../../src/engine/site/baseline/dayBaseline/capacityFactor.ts";
import { clockMs, utcCalendar } from "./testDays.ts";

/** June 1 and 2 on the meridian of Greenwich, where noon is 12:00 UTC within minutes. */
const PLACE = { latitudeDeg: 35, longitudeDeg: 0, altitudeM: 0 };
const RUN = { calendar: utcCalendar(2), startMs: clockMs(0, "00:00"), endMs: clockMs(2, "00:00") };
const plan = (pct: number, place = PLACE, run = RUN) => capacityFactorPlan({ pct, ratedOutputKw: 1000, place }, run);

test("each day has the energy of the capacity factor", () => {
  // 15 % of 1000 kW over 24 h.
  expect(plan(15).integrate(clockMs(0, "00:00"), clockMs(1, "00:00"))).toBeCloseTo(-3600, 9);
  expect(plan(15).integrate(clockMs(1, "00:00"), clockMs(2, "00:00"))).toBeCloseTo(-3600, 9);
});

test("it follows the sun: nothing at night, most at noon, alike on both sides of it", () => {
  const kwAt = (clock: string) => plan(15).valueAt(clockMs(0, clock));
  expect([kwAt("00:00"), kwAt("03:00"), kwAt("21:00")]).toEqual([0, 0, 0]);
  expect(Math.min(...plan(15).values)).toBe(Math.min(kwAt("11:30"), kwAt("12:00")));
  // The true noon of June 1 is 2 minutes before 12:00: the morning has a little more.
  expect(kwAt("08:30") / kwAt("15:00")).toBeGreaterThan(1);
  expect(kwAt("08:30") / kwAt("15:00")).toBeLessThan(1.02);
});

test("no slot exceeds the rated output, and the missing energy is not compensated", () => {
  expect(Math.min(...plan(60).values)).toBe(-1000);
  expect(plan(60).integrate(clockMs(0, "00:00"), clockMs(1, "00:00"))).toBeGreaterThan(-14400);
});

test("a part of a day has the same slots as the whole", () => {
  const part = plan(15, PLACE, { ...RUN, startMs: clockMs(1, "09:10"), endMs: clockMs(1, "10:00") });
  expect([...part.timesMs]).toEqual([clockMs(1, "09:00"), clockMs(1, "09:30")]);
  expect(part.valueAt(clockMs(1, "09:30"))).toBe(plan(15).valueAt(clockMs(1, "09:30")));
});

test("0 %, and a day without sun, give nothing", () => {
  expect(plan(0).values.every((kw) => Object.is(kw, 0))).toBe(true);
  const southPole = { latitudeDeg: -90, longitudeDeg: 0, altitudeM: 2800 };
  expect(plan(15, southPole).values.every((kw) => kw === 0)).toBe(true);
});
