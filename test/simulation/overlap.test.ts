import { describe, expect, test } from "vitest";
import {
  at,
  batterySites,
  dispatchLines,
  eastVpp,
  evenSeries,
  findAwardRow,
  losslessBattery,
  nonZeroCauses,
  parseAwards,
  parseEvents,
  powerLines,
  round3,
  runSites,
  site,
} from "./smallWorld.ts";

/** Two batteries of 100 kW in a VPP with equal weights, and awards registered in this order at 00:00. */
function run(
  awards: readonly string[],
  given: Parameters<typeof runSites>[1] = {},
  limitsKw: readonly number[] = [100, 100],
) {
  const sites = batterySites(...limitsKw);
  return runSites(sites, {
    vpps: [
      eastVpp(
        sites,
        limitsKw.map(() => 1),
      ),
    ],
    awards: parseAwards(...awards),
    ...given,
  });
}

describe("a later award over an earlier one of the same product", () => {
  test("takes its middle: two pieces of the first are executed, one account", () => {
    const ran = run(["00:10-01:10 -100 frr", "00:30-00:50 -40 frr"]);
    expect(powerLines(ran, "a")).toEqual(["00:00 0", "00:10 -50", "00:30 -20", "00:50 -50", "01:10 0"]);
    const first = findAwardRow(ran, "A1");
    expect(first).toMatchObject({ state: "overwritten", overwrittenBy: "A2", executedMinutes: 40, uncoveredKw: 0 });
    expect(round3(first.deliveredKwh ?? 0)).toBe(round3(-100 * (40 / 60)));
    const second = findAwardRow(ran, "A2");
    expect(second).toMatchObject({ state: "completed", executedMinutes: 20 });
    expect(round3(second.deliveredKwh ?? 0)).toBe(round3(-40 / 3));
  });

  test("takes the remaining time of a running one", () => {
    const awards = parseAwards("00:10-01:10 -100 frr", "00:40-01:10 +60 frr");
    const ran = run([], { awards: [awards[0], { ...awards[1], registeredMs: at("00:40") }] });
    expect(powerLines(ran, "a")).toEqual(["00:00 0", "00:10 -50", "00:40 30", "01:10 0"]);
    expect(findAwardRow(ran, "A1")).toMatchObject({ state: "overwritten", overwrittenBy: "A2", executedMinutes: 30 });
  });
});

describe("awards of different products at one time", () => {
  test("add up at the members, and the second gets no power that the first reserves", () => {
    const ran = run(["00:10-01:00 -120 frr", "00:20-00:40 -100 rr"]);
    // Each member can send 100 kW: 60 are held by frr, so that rr gets 40 of its 50.
    expect(powerLines(ran, "a")).toEqual(["00:00 0", "00:10 -60", "00:20 -100", "00:40 -60", "01:00 0"]);
    expect(dispatchLines(ran, "A2")).toEqual(["00:20 a -40, b -40"]);
    const second = findAwardRow(ran, "A2");
    expect(second.uncoveredKw).toBe(-20);
    expect(nonZeroCauses(second.uncoveredByCauseKw)).toEqual({ other_award: 20 });
    expect(round3(second.shortfallKwh ?? 0)).toBe(round3(20 / 3));
    expect(findAwardRow(ran, "A1")).toMatchObject({ uncoveredKw: 0, shortfallKwh: 0, deliveredKwh: -100 });
  });

  test("the product served last carries the gap when a battery runs empty", () => {
    // One battery of 1000 kWh, half full: 500 kWh last 2.5 h at 200 kW; here 60 kWh do for half an hour of 120 kW.
    const sites = batterySites(500).map((site) => ({
      ...site,
      components: site.components.map((battery) => ({ ...battery, initialSocPct: 6 })),
    }));
    const ran = runSites(sites as never, {
      vpps: [eastVpp(sites as never, [1])],
      awards: parseAwards("00:00-01:00 -80 rr", "00:00-01:00 -40 frr"),
    });
    // 60 kWh at 120 kW are gone at 00:30; then frr and rr are not delivered at all.
    expect(findAwardRow(ran, "A2").shortfallKwh).toBeCloseTo(20, 6);
    expect(findAwardRow(ran, "A1").shortfallKwh).toBeCloseTo(40, 6);
    expect(nonZeroCauses(findAwardRow(ran, "A1").shortfallByCauseKwh)).toEqual({ energy_limit: 40 });
  });

  test("an outage ends both, and both are re-dispatched", () => {
    const ran = run(["00:00-01:00 -60 frr", "00:00-01:00 -20 rr"], { events: parseEvents("outage 0 00:30-02:00") });
    expect(powerLines(ran, "b")).toEqual(["00:00 -40", "00:30 -80", "01:00 0"]);
    expect(findAwardRow(ran, "A1").shortfallKwh).toBe(0);
    expect(findAwardRow(ran, "A2").shortfallKwh).toBe(0);
  });
});

describe("baselines of coexisting awards", () => {
  const plan = (kw: readonly number[]) => ({ method: "series", plan: evenSeries("plan", 30, [...kw]) }) as const;
  const ranWith = (kw: readonly number[]) => {
    const planned = [site("a", losslessBattery(), { baseline: plan(kw) })];
    return runSites(planned, {
      vpps: [eastVpp(planned, [1])],
      awards: parseAwards("00:00-01:30 -100 frr", "00:30-01:00 -50 rr", "01:00-01:30 -50 rr"),
    });
  };

  test("that differ: the oldest one's counts, with a warning", () => {
    const ran = ranWith([0, -40, -20, 0, 0]);
    expect(powerLines(ran, "a")).toEqual(["00:00 -100", "00:30 -150", "01:30 0"]);
    expect(ran.record.warnings).toEqual([
      "2 awards start beside another one whose baseline at a member differs, and the older one's counts; first: " +
        "-40.0 kW of A2 and 0.0 kW of A1 at a, 2026-04-01T00:30:00Z",
    ]);
  });

  test("that agree: no warning", () => {
    expect(ranWith([0, 0, 0, 0, 0]).record.warnings).toEqual([]);
  });
});

describe("an owner's own schedule", () => {
  const direct = {
    kind: "direct_schedule",
    site: 0,
    settled: false,
    atMs: at("00:00"),
    startMs: at("00:20"),
    endMs: at("00:40"),
    deltaKw: 30,
  } as const;

  test("registered after the award rules the site; the VPP does not see it", () => {
    const awards = parseAwards("00:10-01:00 -100 frr").map((award) => ({ ...award, registeredMs: at("00:00") }));
    const ran = run([], { awards, events: [{ ...direct, atMs: at("00:05") }] });
    expect(powerLines(ran, "a")).toEqual(["00:00 0", "00:10 -50", "00:20 30", "00:40 -50", "01:00 0"]);
    const row = findAwardRow(ran, "A1");
    expect(row.uncoveredKw).toBe(0);
    expect(nonZeroCauses(row.shortfallByCauseKwh)).toEqual({ direct_control: round3(50 / 3) });
  });

  // The direct schedule replaces 00:20-00:40 of a's schedule.
  test.each([
    ["a front of the direct one", "00:20:30-00:50 -40 frr", "refused"],
    ["a whole minute of it", "00:21-00:50 -40 frr", "completed"],
    ["a rear of the direct one", "00:15-00:39:30 -40 frr", "refused"],
    ["a front of what the direct one left of A1", "00:40:30-01:00 -40 rr", "completed"],
    ["the same with the product of A1", "00:40:30-01:00 -40 frr", "refused"],
    ["nothing", "00:20-00:40 -40 frr", "completed"],
    ["what lies apart", "01:00-01:10 -40 frr", "completed"],
  ])(
    "is left %s by a later award: refused when that is less than a minute (docs/model/overlap.md#shortest-piece)",
    (_, line, state) => {
      const [first] = parseAwards("00:10-01:00 -100 frr");
      const later = { ...parseAwards(line)[0], awardId: "A2", registeredMs: at("00:10") };
      const ran = run([], { awards: [first, later], events: [{ ...direct, atMs: at("00:05") }] });
      const errorType = state === "refused" ? "schedule_split_too_narrow" : null;
      expect(findAwardRow(ran, "A2")).toMatchObject({ state, errorType });
      // All or nothing: the existing schedules continue.
      if (state === "refused")
        expect(findAwardRow(ran, "A1")).toMatchObject({ state: "completed", executedMinutes: 50 });
    },
  );

  test("registered before the award is suspended by it and resumes after it", () => {
    const ran = run(["00:25-00:35 -100 frr"], { events: [direct] });
    expect(powerLines(ran, "a")).toEqual(["00:00 0", "00:20 30", "00:25 -50", "00:35 30", "00:40 0"]);
    expect(findAwardRow(ran, "A1").shortfallKwh).toBe(0);
  });
});
