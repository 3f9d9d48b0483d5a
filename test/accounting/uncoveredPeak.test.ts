// Uncovered power over the execution of awards, re-dispatches included (docs/model/accounting.md#uncovered-peak).
import { describe, expect, test } from "vitest";
import {
  at,
  batterySites,
  eastVpp,
  findAwardRow,
  losslessBattery,
  parseAwards,
  parseEvents,
  type RunTables,
  runSites,
  site,
  vpp,
} from "../simulation/smallWorld.ts";

const peaks = ({ record: { kpis } }: RunTables) => [
  kpis.get("uncovered_kw_max"),
  kpis.get("uncovered_kw_peak"),
  kpis.get("uncovered_kw_peak_at"),
  kpis.get("uncovered_kw_peak_award"),
];

const peakOf = (ran: RunTables, awardId: string) => {
  const { uncoveredKw, uncoveredKwPeak, uncoveredPeakMs } = findAwardRow(ran, awardId);
  return [uncoveredKw, uncoveredKwPeak, uncoveredPeakMs];
};

describe("the largest uncovered power", () => {
  test("of an award covered in full at its start is that of the evaluation that notices an outage", () => {
    // 800 and 400 kW. Without a, b takes what its rating allows: 700 of 1,200 kW are uncovered from 10:21 to 10:41.
    const sites = [
      site("a", losslessBattery({ importMaxKw: 800, exportMaxKw: 800, ratedCapKwh: 10_000 })),
      site("b", losslessBattery({ importMaxKw: 500, exportMaxKw: 500, ratedCapKwh: 10_000 })),
    ];
    const ran = runSites(sites, {
      vpps: [eastVpp(sites, [2, 1])],
      awards: parseAwards("00:00-01:00 -1200", "01:00-02:00 -600"),
      events: parseEvents("outage 0 00:20:30-00:40:30"),
    });
    expect(peakOf(ran, "A1")).toEqual([0, -700, at("00:21")]);
    expect(peakOf(ran, "A2")).toEqual([0, 0, null]);
    expect(peaks(ran)).toEqual([0, 700, at("00:21"), "A1"]);
    expect(ran.record.kpis.get("uncovered_kwh")).toBeCloseTo((700 * 20) / 60, 9);
  });

  test("is that of the start where no later dispatch leaves more", () => {
    const ran = runSites(batterySites(100, 100), {
      awards: parseAwards("00:00-01:00 -260"),
      events: parseEvents("outage 0 00:10-00:20"),
    });
    expect(peaks(ran)).toEqual([60, 160, at("00:10"), "A1"]);
    const upright = runSites(batterySites(100, 100), { awards: parseAwards("00:10-01:00 +260") });
    expect(peakOf(upright, "A1")).toEqual([60, 60, at("00:10")]);
  });

  test("is null in time and award where nothing was uncovered", () =>
    expect(peaks(runSites(batterySites(100), { awards: parseAwards("00:00-01:00 -100") }))).toEqual([
      0,
      0,
      null,
      null,
    ]));

  test("of equal ones is the earlier, then the upper row", () => {
    const later = runSites(batterySites(100), { awards: parseAwards("01:00-02:00 -130", "00:00-01:00 +130") });
    expect(peaks(later)).toEqual([30, 30, at("00:00"), "A2"]);
    const sites = batterySites(100, 100);
    const vpps = [vpp("east", sites, [[0, 1]]), vpp("west", sites, [[1, 1]])];
    const awards = parseAwards("00:00-01:00 -130", "00:00-01:00 -130").map((award, vpp) => ({ ...award, vpp }));
    expect(peaks(runSites(sites, { vpps, awards }))).toEqual([30, 30, at("00:00"), "A1"]);
  });

  test("counts a refused award by its request, from its start", () => {
    const ran = runSites(batterySites(100), {
      awards: parseAwards("00:30-01:00 -150"),
      events: parseEvents("outage 0 00:00-00:10"),
    });
    expect(findAwardRow(ran, "A1").state).toBe("refused");
    expect(peakOf(ran, "A1")).toEqual([-150, -150, at("00:30")]);
    expect(peaks(ran)).toEqual([150, 150, at("00:30"), "A1"]);
  });

  test("excludes FCR capacity, which has a row of its own", () => {
    const sites = ["a", "b"].map((name) =>
      site(name, losslessBattery({ importMaxKw: 100, exportMaxKw: 100, fcrCapable: true })),
    );
    const ran = runSites(sites, {
      awards: parseAwards("00:00-01:00 ~150 fcr"),
      events: parseEvents("outage 1 00:10-00:20"),
    });
    expect(peakOf(ran, "A1")).toEqual([0, 50, at("00:10")]);
    expect(peaks(ran)).toEqual([0, 0, null, null]);
  });
});

describe("awards_met", () => {
  test("counts executed awards in band for all of their assessed time, not refused, unassessed and FCR ones", () => {
    // The ramp to -120 kW takes 600 s, in the first 300 s of which s-frr is not assessed: in band from 540 s on.
    const slow = site("a", losslessBattery({ rampKwPerS: 0.2, fcrCapable: true }));
    const met = (...lines: readonly string[]) =>
      runSites([slow], { awards: parseAwards(...lines) }).record.kpis.get("awards_met");
    expect(met("00:00-00:30 -120 s-frr")).toBe(0);
    expect(met("00:00-00:30 -60 s-frr")).toBe(1);
    expect(met("00:00-00:10 -60 rr", "01:00-01:30 ~60 fcr")).toBe(0);
    expect(met("00:00-00:30 -60 rr", "01:00-01:30 -700 rr", "01:30-02:00 +60 exchange-da")).toBe(1);
  });
});
