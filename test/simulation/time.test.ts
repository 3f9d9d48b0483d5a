import { describe, expect, test } from "vitest";
import { at, award, batterySites, consumer, eastVpp, flat, losslessBattery, parseEvents, site } from "./smallWorld.ts";
import { checkWorldCase, runWorldCase, type WorldCase } from "./worldCases.ts";

// Batteries of 1000 kWh, half full, lossless; the VPP evaluates on whole minutes.
const AB = batterySites(500, 500);
const ABC = batterySites(500, 500, 500);
const HOUR = ["00:00-01:00 -200"];
const BOTH = "00:00 a -100, b -100";

const OUTAGES: readonly WorldCase[] = [
  {
    title: "an outage is evaluated at the next whole minute and the other members take over; so is a return",
    sites: AB,
    awards: HOUR,
    events: ["outage 0 00:10:30-00:40:15"],
    dispatches: { A1: [BOTH, "00:11 a skipped_out_of_service, b -200", "00:41 a -100, b -100"] },
    powerKw: {
      a: ["00:00 -100", "00:11 null", "00:41 -100", "01:00 0"],
      b: ["00:00 -100", "00:11 -200", "00:41 -100", "01:00 0"],
    },
    // 100 kW for 30 s until the evaluation; b provides 200 kW until the return of a is evaluated.
    expectedAwards: {
      A1: { deliveredKwh: -199.167, shortfallKwh: 0.833, excessKwh: 0, shortfallByCauseKwh: { out_of_service: 0.833 } },
    },
    expectedSites: {
      a: { availabilityPct: round(100 - (100 * (29 + 45 / 60)) / 120), exportKwh: round(100 * (0.175 + 19 / 60)) },
    },
  },
  {
    title: "an outage between two evaluations is never noticed: the member resumes at once",
    sites: AB,
    awards: HOUR,
    events: ["outage 0 00:10:10-00:10:50"],
    dispatches: { A1: [BOTH] },
    expectedAwards: {
      A1: { shortfallKwh: round((100 * 40) / 3600), shortfallByCauseKwh: { out_of_service: round((100 * 40) / 3600) } },
    },
  },
  {
    title: "an outage at a whole minute is seen by the evaluation of that minute",
    sites: AB,
    awards: HOUR,
    events: ["outage 0 00:10-00:20"],
    dispatches: { A1: [BOTH, "00:10 a skipped_out_of_service, b -200", "00:20 a -100, b -100"] },
    expectedAwards: { A1: { shortfallKwh: 0, shortfallByCauseKwh: {} } },
  },
  {
    title: "a settled outage comes after the evaluation of its minute, which is a minute too early for it",
    sites: AB,
    awards: HOUR,
    events: ["outage 0 00:10-00:20 settled"],
    dispatches: { A1: [BOTH, "00:11 a skipped_out_of_service, b -200", "00:20 a -100, b -100"] },
    expectedAwards: { A1: { shortfallKwh: round(100 / 60), shortfallByCauseKwh: { out_of_service: round(100 / 60) } } },
  },
  {
    title: "a settled outage is noticed although the evaluation of its minute has just seen another one",
    sites: ABC,
    awards: ["00:00-01:00 -300"],
    events: ["outage 0 00:10-01:00", "outage 1 00:10-01:00 settled"],
    dispatches: {
      A1: [
        "00:00 a -100, b -100, c -100",
        "00:10 a skipped_out_of_service, b -150, c -150",
        "00:11 b skipped_out_of_service, c -300",
      ],
    },
    expectedAwards: { A1: { shortfallKwh: 2.5, shortfallByCauseKwh: { out_of_service: 2.5 } } },
  },
  {
    title: "an outage at the instant of a start is seen by the start",
    sites: AB,
    awards: ["00:30-01:00 -200"],
    events: ["outage 0 00:30-00:40"],
    dispatches: { A1: ["00:30 a skipped_out_of_service, b -200", "00:40 a -100, b -100"] },
    expectedAwards: { A1: { uncoveredKw: 0, shortfallKwh: 0 } },
  },
  {
    title: "a settled outage at the instant of a start comes after it",
    sites: AB,
    awards: ["00:30-01:00 -200"],
    events: ["outage 0 00:30-01:00 settled"],
    dispatches: { A1: ["00:30 a -100, b -100", "00:31 a skipped_out_of_service, b -200"] },
    expectedAwards: { A1: { uncoveredKw: 0, shortfallKwh: round(100 / 60) } },
  },
  {
    title: "a return at the instant of a start is in time for it",
    sites: AB,
    awards: ["00:30-01:00 -200"],
    events: ["outage 0 00:10-00:30"],
    dispatches: { A1: ["00:30 a -100, b -100"] },
  },
  {
    title: "overlapping outages: out of service while any lasts",
    sites: AB,
    awards: HOUR,
    events: ["outage 0 00:10-00:30", "outage 0 00:20-00:40"],
    dispatches: { A1: [BOTH, "00:10 a skipped_out_of_service, b -200", "00:40 a -100, b -100"] },
    expectedSites: { a: { availabilityPct: 75, plannedOutagePct: 0 } },
  },
  {
    title: "planned maintenance is an outage that availability leaves out",
    sites: AB,
    awards: HOUR,
    events: ["maintenance 0 00:00-01:00"],
    dispatches: { A1: ["00:00 a skipped_out_of_service, b -200"] },
    expectedSites: {
      a: { availabilityPct: 100, plannedOutagePct: 50 },
      b: { availabilityPct: 100, plannedOutagePct: 0 },
    },
  },
  {
    title: "re-allocation counts present capability, and its uncovered kW change while the snapshot stays",
    sites: batterySites(500, 150),
    awards: HOUR,
    events: ["outage 0 00:30-00:45"],
    dispatches: { A1: [BOTH, "00:30 a skipped_out_of_service, b -150", "00:45 a -100, b -100"] },
    // b gives 150 of 200 kW for a quarter of an hour. Shortfalls: a 100, b −50 (none).
    expectedAwards: { A1: { uncoveredKw: 0, shortfallKwh: 12.5, shortfallByCauseKwh: { out_of_service: 12.5 } } },
    expectedEvents: ["redispatch A1: -50 kW uncovered", "redispatch A1: 0 kW uncovered"],
  },
  {
    title: "an outage of a member with weight 0 or of the wrong kind changes nothing",
    sites: AB,
    weights: [0, 1],
    awards: HOUR,
    events: ["outage 0 00:10-00:40"],
    dispatches: { A1: ["00:00 a skipped_weight_zero, b -200"] },
  },
  {
    title: "no member in service at registration: refused, all uncovered, all shortfall",
    sites: AB,
    awards: ["00:30-01:00 -200"],
    events: ["outage 0 00:00-00:10", "outage 1 00:00-00:10"],
    dispatches: { A1: [] },
    expectedAwards: {
      A1: {
        state: "refused",
        errorType: "no_dispatchable_members",
        executedMinutes: 0,
        uncoveredKw: -200,
        requestedKwh: -100,
        deliveredKwh: 0,
        shortfallKwh: 100,
        excessKwh: 0,
        shortfallByCauseKwh: { refused: 100 },
        uncoveredByCauseKw: { refused: 200 },
      },
    },
  },
  {
    title: "in service but with weight 0 throughout: not dispatchable either",
    sites: AB,
    weights: [0, 0],
    awards: ["00:30-01:00 -200"],
    expectedAwards: { A1: { state: "refused", errorType: "no_dispatchable_members" } },
  },
  {
    title: "no dispatchable member at the execution only: it runs, all uncovered, members join later",
    sites: AB,
    awards: ["00:30-01:00 -200"],
    events: ["outage 0 00:25-00:40", "outage 1 00:25-00:45"],
    dispatches: {
      A1: ["00:30 a skipped_out_of_service, b skipped_out_of_service", "00:40 a -200", "00:45 a -100, b -100"],
    },
    expectedAwards: {
      A1: {
        state: "completed",
        uncoveredKw: -200,
        uncoveredByCauseKw: { out_of_service: 200 },
        deliveredKwh: round(-200 / 3),
        shortfallKwh: round(100 / 3),
        shortfallByCauseKwh: { out_of_service: round(100 / 3) },
      },
    },
  },
  {
    title: "all weights 0 at the execution: no member has the shortfall",
    sites: AB,
    awards: ["00:30-01:00 -200"],
    events: ["set_weight 0 00:10 0", "set_weight 1 00:10 0"],
    dispatches: { A1: ["00:30 a skipped_weight_zero, b skipped_weight_zero"] },
    expectedAwards: {
      A1: {
        state: "completed",
        uncoveredKw: -200,
        uncoveredByCauseKw: { no_member: 200 },
        shortfallKwh: 100,
        shortfallByCauseKwh: { no_member: 100 },
      },
    },
  },
  {
    title: "a plan with a baseline: an outage stops the energy, the baseline runs on",
    sites: [site("a", losslessBattery(), { baseline: { method: "constant", kw: 100 } })],
    events: ["outage 0 00:30-01:00"],
    powerKw: { a: ["00:00 100", "00:30 null", "01:00 100"] },
    expectedSites: { a: { importKwh: 150, socFinalPct: 65 } },
  },
  {
    title: "a member withdrawn after a noticed outage follows its own plan until the next evaluation",
    sites: [
      site("a", losslessBattery(), { baseline: { method: "constant", kw: 40 } }),
      ...batterySites(500, 500).slice(1),
    ],
    awards: HOUR,
    events: ["outage 0 00:10-00:20:30"],
    dispatches: { A1: [BOTH, "00:10 a skipped_out_of_service, b -200", "00:21 a -100, b -100"] },
    powerKw: { a: ["00:00 -60", "00:10 null", "00:21 -60", "01:00 40"] },
    // a: 100 below its baseline of 40 for 10 and 39 min; 40 kW of its own for half a minute and the last hour.
    expectedSites: { a: { exportKwh: 49, importKwh: round(40 * (0.5 / 60 + 1)) } },
  },
];

/** Of the batteries a and b, the factory c and the battery d, only a and b can execute an award upwards at its start. */
const LEFT_OUT: WorldCase = {
  title: "members left out by kind, weight or baseline",
  sites: [
    ...batterySites(500, 500),
    site("c", consumer(flat(100))),
    site("d", losslessBattery()),
    site("e", losslessBattery()),
  ],
  awards: ["00:00-01:00 200"],
  world: {
    vpps: [eastVpp(batterySites(500, 500, 500, 500), [1, 1, 1, 0])],
    events: parseEvents(
      ...["add_member 4 00:05 0", "outage 2 00:10:30-00:20:30", "outage 3 00:12-00:22", "outage 4 01:10-01:20"],
      // c is away when the next award starts, for which nobody sent a baseline of e.
      "outage 2 00:50-01:40",
    ),
  },
};

describe("status changes of members that an instruction leaves out", () => {
  test("re-dispatch nothing and are not noticed", () => {
    const ran = runWorldCase({ ...LEFT_OUT, awards: ["00:00-01:00 200", "01:00-01:50 200"] });
    expect(ran.events.filter(({ kind }) => kind === "noticed" || kind === "redispatch")).toEqual([]);
    checkWorldCase({
      ...LEFT_OUT,
      awards: ["00:00-01:00 200", "01:00-01:50 200"],
      dispatches: {
        A1: ["00:00 a 100, b 100, c skipped_incompatible, d skipped_weight_zero"],
        A2: ["01:00 a 100, b 100, c skipped_out_of_service, d skipped_weight_zero, e skipped_baseline_missing"],
      },
    });
  });

  test("re-dispatch the other instructions of the VPP alone, in which the member takes part", () =>
    checkWorldCase({
      title: "a factory in a frr award beside an exchange award that leaves it out",
      sites: [...AB, site("c", consumer(flat(500)))],
      awards: ["00:00-01:00 -400 exchange-da", "00:05-01:00 -90 frr"],
      // A re-dispatch of A1 would find that a can no longer give its 200 kW.
      events: ["output_control 0 00:10-01:00 20 manual", "outage 2 00:20:30-00:30:30"],
      dispatches: {
        A1: ["00:00 a -200, b -200, c skipped_incompatible"],
        A2: ["00:05 a -30, b -30, c -30", "00:21 a 0, b -45, c skipped_out_of_service", "00:31 b -30, c -30"],
      },
    }));

  test("do not stop the change of another member from being noticed", () => {
    const ran = runWorldCase({
      ...LEFT_OUT,
      world: { ...LEFT_OUT.world, events: parseEvents("outage 2 00:10:30-00:20:30", "outage 0 00:10:40-00:20:40") },
    });
    const seen = ran.events.filter(({ kind }) => kind === "noticed" || kind === "redispatch");
    expect(seen.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      "noticed a",
      "redispatch A1",
      "noticed a",
      "redispatch A1",
    ]);
  });
});

const REFUSED_REDISPATCH: WorldCase = {
  title: "a site that refuses its smaller share at a re-dispatch keeps the delta that it has",
  sites: [
    site("a", losslessBattery()),
    site("b", consumer(flat(500), { minDrReductionKw: 60 }), { baseline: { method: "perfect" } }),
    site("c", losslessBattery()),
  ],
  awards: ["00:00-01:00 -120"],
  events: ["outage 2 00:00-00:10"],
  // 40 kW each when c is back: too little for b, which goes on with 60.
  dispatches: { A1: ["00:00 a -60, b -60, c skipped_out_of_service", "00:10 a -40, c -40"] },
  powerKw: { b: ["00:00 440", "01:00 500"] },
  expectedAwards: { A1: { shortfallKwh: 0, excessKwh: round((20 * 50) / 60) } },
};

test(REFUSED_REDISPATCH.title, () => checkWorldCase(REFUSED_REDISPATCH));

const LINKS: readonly WorldCase[] = [
  {
    title: "a link that is down does not stop what runs, and a member whose re-dispatch fails keeps its old delta",
    sites: ABC,
    awards: ["00:00-01:00 -300"],
    events: ["link_down 0 00:05-00:40", "outage 2 00:10-00:30"],
    dispatches: {
      A1: ["00:00 a -100, b -100, c -100", "00:10 b -150, c skipped_out_of_service", "00:30 b -100, c -100"],
    },
    // b alone is raised to 150: 50 kW are missing for 20 min. Shortfalls: a 0, b −50, c 100.
    expectedAwards: { A1: { shortfallKwh: round(50 / 3), shortfallByCauseKwh: { out_of_service: round(50 / 3) } } },
    expectedEvents: ["redispatch A1: -50 kW uncovered", "redispatch A1: 0 kW uncovered"],
  },
  {
    title: "a failed member is tried again at the next re-dispatch",
    sites: ABC,
    awards: ["00:00-01:00 -300"],
    events: ["link_down 0 00:00-00:05", "outage 2 00:10-00:30"],
    dispatches: {
      A1: [
        "00:00 a failed delivery_failed, b -100, c -100",
        "00:10 a -150, b -150, c skipped_out_of_service",
        "00:30 a -100, b -100, c -100",
      ],
    },
    expectedAwards: {
      A1: { uncoveredKw: -100, shortfallKwh: round(100 / 6), shortfallByCauseKwh: { delivery_failed: round(100 / 6) } },
    },
  },
  {
    title: "a link that loses everything never delivers",
    sites: [{ ...AB[0], link: { lossProbability: 1, latencyMs: 0 } }, AB[1]],
    awards: HOUR,
    dispatches: { A1: ["00:00 a failed delivery_failed, b -100"] },
    expectedAwards: { A1: { uncoveredKw: -100, uncoveredByCauseKw: { delivery_failed: 100 }, shortfallKwh: 100 } },
  },
  {
    title: "latency delays the plant, not the answer; the end waits as long",
    sites: [{ ...AB[0], link: { lossProbability: 0, latencyMs: 90_000 } }],
    awards: ["00:00-00:30 -200"],
    dispatches: { A1: ["00:00 a -200"] },
    powerKw: { a: ["00:00 0", "00:02 -200", "00:32 0"] },
    expectedAwards: { A1: { shortfallKwh: 5, shortfallByCauseKwh: { ramp: 5 }, uncoveredKw: 0 } },
    expectedSites: { a: { exportKwh: 100 } },
  },
];

const ORDER: readonly WorldCase[] = [
  {
    title: "an end frees its members for the start of the same instant",
    sites: AB,
    awards: ["00:00-00:30 -1000", "00:30-01:00 +1000"],
    dispatches: { A1: ["00:00 a -500, b -500"], A2: ["00:30 a 500, b 500"] },
    expectedAwards: { A1: { shortfallKwh: 0, state: "completed" }, A2: { shortfallKwh: 0, state: "completed" } },
    powerKw: { a: ["00:00 -500", "00:30 500", "01:00 0"] },
  },
  {
    title: "weights of a running award stay those of its start, also at a re-dispatch",
    sites: ABC,
    awards: ["00:00-01:00 -300", "01:00-01:30 -300"],
    events: ["set_weight 0 00:05 300", "outage 2 00:10-00:20"],
    dispatches: {
      A1: [
        "00:00 a -100, b -100, c -100",
        "00:10 a -150, b -150, c skipped_out_of_service",
        "00:20 a -100, b -100, c -100",
      ],
      // Tenths: 2980.13, 9.93, 9.93.
      A2: ["01:00 a -298, b -1, c -1"],
    },
  },
  {
    title: "a removed member stays with its running award and no longer",
    sites: AB,
    awards: ["00:00-00:30 -200", "00:30-01:00 -200"],
    events: ["remove_member 0 00:05 0"],
    dispatches: { A1: [BOTH], A2: ["00:30 b -200"] },
    expectedAwards: { A1: { shortfallKwh: 0 }, A2: { shortfallKwh: 0 } },
  },
  {
    title: "an award that ends with the run is completed, one that continues is running with its executed part",
    sites: AB,
    awards: ["00:00-02:00 -200"],
    expectedAwards: { A1: { state: "completed", executedMinutes: 120, requestedKwh: -400 } },
  },
  {
    title: "an award beyond the end counts its executed part",
    sites: AB,
    awards: ["01:30-03:00 -200"],
    expectedAwards: { A1: { state: "running", executedMinutes: 30, requestedKwh: -100, deliveredKwh: -100 } },
  },
  {
    title: "an award that starts beyond the end stays pending and counts nothing",
    sites: [site("a", losslessBattery(), { baseline: { method: "constant", kw: 10 } })],
    awards: ["03:00-04:00 -200"],
    dispatches: { A1: [] },
    expectedAwards: {
      A1: { state: "pending", executedMinutes: 0, requestedKwh: null, shortfallKwh: null, uncoveredKw: null },
    },
  },
];

const IMMEDIATES: readonly WorldCase[] = [
  {
    title: "an immediate runs for its minutes",
    sites: AB,
    instructions: ["00:10 +200 30min"],
    dispatches: { I1: ["00:10 a 100, b 100"] },
    powerKw: { a: ["00:00 0", "00:10 100", "00:40 0"] },
    expectedAwards: { I1: { state: "completed", executedMinutes: 30, requestedKwh: 100, deliveredKwh: 100 } },
  },
  {
    title: "a schedule's start ends a running immediate for good",
    sites: AB,
    awards: ["00:30-00:40 -100"],
    instructions: ["00:10 +200 60min"],
    expectedAwards: {
      I1: { state: "overwritten", overwrittenBy: "A1", executedMinutes: 20, requestedKwh: round(200 / 3) },
      A1: { state: "completed", executedMinutes: 10 },
    },
    powerKw: { a: ["00:00 0", "00:10 100", "00:30 -50", "00:40 0"] },
  },
  {
    title: "an immediate during a schedule has no effect",
    sites: AB,
    awards: ["00:00-01:00 -200"],
    instructions: ["00:30 +50 10min"],
    dispatches: { A1: [BOTH], I1: [] },
    expectedAwards: {
      A1: { state: "completed", shortfallKwh: 0 },
      I1: {
        state: "overwritten",
        overwrittenBy: "A1",
        executedMinutes: 0,
        uncoveredKw: 50,
        uncoveredByCauseKw: { other_award: 50 },
        requestedKwh: null,
        deliveredKwh: null,
        shortfallKwh: null,
      },
    },
  },
  {
    title: "immediate_overrides_schedule: it takes over the running schedule",
    sites: AB,
    options: { immediateOverridesSchedule: true },
    awards: ["00:00-01:00 -200"],
    instructions: ["00:30 +50 10min"],
    expectedAwards: {
      A1: { state: "overwritten", overwrittenBy: "I1", executedMinutes: 30, requestedKwh: -100 },
      I1: { state: "completed", executedMinutes: 10 },
    },
    powerKw: { a: ["00:00 -100", "00:30 25", "00:40 0"] },
  },
  {
    title: "immediate_overrides_schedule: a start during an immediate has no effect",
    sites: AB,
    options: { immediateOverridesSchedule: true },
    awards: ["00:20-01:00 -200"],
    instructions: ["00:10 +50 20min"],
    expectedAwards: {
      A1: { state: "overwritten", overwrittenBy: "I1", executedMinutes: 0, uncoveredKw: -200, requestedKwh: null },
      I1: { state: "completed", executedMinutes: 20 },
    },
  },
  {
    title: "a new immediate replaces a running one at once",
    sites: AB,
    instructions: ["00:10 +200 30min", "00:20 -100 10min"],
    expectedAwards: {
      I1: { state: "overwritten", overwrittenBy: "I2", executedMinutes: 10 },
      I2: { state: "completed", executedMinutes: 10 },
    },
    powerKw: { a: ["00:00 0", "00:10 100", "00:20 -50", "00:30 0"] },
  },
  {
    title: "an immediate instruction at the start of a schedule is overwritten at once, without having run",
    sites: AB,
    awards: ["00:30-01:00 -200"],
    instructions: ["00:30 +50 10min"],
    dispatches: { A1: ["00:30 a -100, b -100"] },
    expectedAwards: { I1: { state: "overwritten", overwrittenBy: "A1", executedMinutes: 0 } },
  },
  {
    title: "an immediate at the instant of a schedule's end runs: ends come first",
    sites: AB,
    awards: ["00:00-00:30 -200"],
    instructions: ["00:30 +50 10min"],
    dispatches: { I1: ["00:30 a 25, b 25"] },
  },
  {
    title: "the range check takes what members show: 1000 kW in is allowed",
    sites: AB,
    instructions: ["00:10 1000 10min"],
    expectedAwards: { I1: { state: "completed", uncoveredKw: 0 } },
  },
  {
    title: "beyond the range an immediate is refused and all its kWh are a shortfall",
    sites: AB,
    instructions: ["00:10 1000.1 30min"],
    expectedAwards: {
      I1: {
        state: "refused",
        errorType: "invalid_parameter",
        uncoveredKw: 1000.1,
        requestedKwh: 500.05,
        shortfallKwh: 500.05,
        shortfallByCauseKwh: { refused: 500.05 },
      },
    },
  },
  {
    title: "rounding to 0.1 comes before the range check",
    sites: AB,
    instructions: ["00:10 1000.04 10min"],
    expectedAwards: { I1: { state: "completed" } },
  },
  {
    title: "the range counts absolute limits of the grid point, whatever the baseline",
    sites: [site("a", losslessBattery(), { baseline: { method: "constant", kw: 200 } })],
    instructions: ["00:10 -501 10min"],
    expectedAwards: { I1: { state: "refused", errorType: "invalid_parameter" } },
  },
  {
    title: "a member with weight 0 counts in the range although it gets no share",
    sites: batterySites(500, 100),
    weights: [0, 1],
    instructions: ["00:10 -600 10min"],
    dispatches: { I1: ["00:10 a skipped_weight_zero, b -100"] },
    expectedAwards: { I1: { uncoveredKw: -500 } },
  },
  {
    title: "a member out of service does not count in the range",
    sites: AB,
    events: ["outage 0 00:00-01:00"],
    instructions: ["00:10 -501 10min"],
    expectedAwards: { I1: { state: "refused", errorType: "invalid_parameter" } },
  },
  {
    title: "a refused immediate leaves the running one alone",
    sites: AB,
    instructions: ["00:10 +200 30min", "00:20 -1001 10min"],
    expectedAwards: { I1: { state: "completed", executedMinutes: 30 }, I2: { state: "refused" } },
  },
];

describe("outages and their notice", () => {
  test.each(OUTAGES)("$title", checkWorldCase);
});

describe("links", () => {
  test.each(LINKS)("$title", checkWorldCase);
});

describe("the order of events at one instant", () => {
  test.each(ORDER)("$title", checkWorldCase);

  test("a member that joins after the registration has no baseline there; one that joins before it has", () => {
    const c = { ...ABC[2] };
    const sites = [...AB, c];
    const late = { registeredMs: at("00:10") };
    checkWorldCase({
      title: "",
      sites,
      world: {
        vpps: [eastVpp(sites, [1, 1])],
        awards: [award("A1", [at("00:30"), at("01:00")], -200), award("A2", [at("01:00"), at("01:30")], -200, late)],
        events: parseEvents("add_member 2 00:05 0", "set_weight 2 00:06 1"),
      },
      dispatches: {
        A1: ["00:30 a -100, b -100, c skipped_baseline_missing"],
        A2: ["01:00 a -66.7, b -66.7, c -66.6"],
      },
      expectedAwards: { A1: { uncoveredKw: 0, shortfallKwh: 0 } },
    });
  });

  test("a site belongs to one VPP, and to a running award until that ends", () => {
    const sites = batterySites(500, 500, 500);
    const west = { ...eastVpp(sites, []), name: "west", vppId: "f".repeat(32) };
    checkWorldCase({
      title: "",
      sites,
      world: {
        vpps: [eastVpp(sites, [1, 1]), west],
        awards: [award("A1", [at("00:00"), at("00:30")], -200)],
        events: parseEvents(
          "remove_member 0 00:05 0",
          "add_member 0 00:10 1",
          "add_member 0 00:15 0",
          "remove_member 0 00:20 0",
          "add_member 0 00:30 1",
          "add_member 0 00:30 0 settled",
        ),
      },
      expectedEvents: [
        "membership a: leaves east",
        "request_refused add_member a: ems_registered_to_other_vpp",
        "request_refused add_member a: ems_already_registered",
        "request_refused remove_member a: member_not_found",
        // Members change before ends at one instant (31), so only the settled one is late enough.
        "request_refused add_member a: ems_registered_to_other_vpp",
        "membership a: joins east",
      ],
    });
  });
});

describe("immediate instructions", () => {
  test.each(IMMEDIATES)("$title", checkWorldCase);
});

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
