import { expect, test } from "vitest";
import { type SiteComparison, SiteDrift } from "../../../src/twin/shadow/siteDrift.ts";

const MINUTE_MS = 60_000;

/** Reads a minute apart, of a site that its twin matches but for the changes. @returns the alarm after each */
function alarmsOf(reads: readonly Partial<SiteComparison>[], limitKw = 10): (string | null)[] {
  const drift = new SiteDrift(limitKw);
  return reads.map((changes, k) =>
    drift.note({
      atMs: k * MINUTE_MS,
      measuredMs: k * MINUTE_MS,
      isOut: false,
      isInServiceInTwin: true,
      isInFcr: false,
      currentKw: 100,
      twinKw: 100,
      socPct: 50,
      twinSocPct: 50,
      ...changes,
    }),
  );
}

const times = (count: number, changes: Partial<SiteComparison>) => Array<Partial<SiteComparison>>(count).fill(changes);

test("power drifts when the mean of 15 minutes is beyond the limit, not before; a response to the frequency is not compared", () => {
  const alarms = alarmsOf(times(20, { twinKw: 110.1 }));
  expect(alarms.indexOf("power_drift")).toBe(15);
  expect(alarmsOf(times(60, { twinKw: 110 }))).not.toContain("power_drift");
  // The reads beside a jump do not count: of four, three are left, and 39 kW in three of fourteen are 8.4 kW in the mean.
  expect(alarmsOf([...times(15, {}), ...times(4, { twinKw: 139 }), ...times(20, {})])).not.toContain("power_drift");
  expect(alarmsOf([...times(15, {}), ...times(4, { twinKw: 149 }), ...times(20, {})])).toContain("power_drift");
  expect(alarmsOf([...times(15, {}), { twinKw: 400 }, ...times(20, {})])).not.toContain("power_drift");
  expect(alarmsOf(times(30, { twinKw: 200, isInFcr: true }))).not.toContain("power_drift");
});

test("telemetry is lost when the measurement is not after the third read before", () => {
  const alarms = alarmsOf([...times(5, {}), ...times(6, { measuredMs: 4 * MINUTE_MS, twinKw: 500 }), ...times(30, {})]);
  expect(alarms.indexOf("no_telemetry")).toBe(7);
  expect(alarms.lastIndexOf("no_telemetry")).toBe(10);
  expect(alarms.filter((alarm) => alarm !== null && alarm !== "no_telemetry")).toEqual([]);
  // A clock that stands still has no old measurement.
  expect(alarmsOf(times(9, { atMs: 0, measuredMs: 0 }))).toEqual(times(9, {}).map(() => null));
});

test("an outage that the twin has too is none; one that it had not lasts until the site is back", () => {
  const out = { isOut: true, currentKw: null, twinKw: 0 };
  expect(alarmsOf(times(3, { ...out, isInServiceInTwin: false }))).toEqual([null, null, null]);
  expect(alarmsOf([{}, out, { ...out, isInServiceInTwin: false }, {}])).toEqual([null, "outage", "outage", null]);
});

test("the state of charge drifts beyond 5 points, counted from what another alarm left", () => {
  expect(alarmsOf([{ twinSocPct: 55 }, { twinSocPct: 55.1 }, { twinSocPct: 44.9 }])).toEqual([
    null,
    "soc_drift",
    "soc_drift",
  ]);
  const after = { twinSocPct: 58 };
  const course = [{ isOut: true, ...after }, after, { twinSocPct: 62.9 }, { twinSocPct: 63.1 }];
  expect(alarmsOf(course)).toEqual(["outage", null, null, "soc_drift"]);
});
