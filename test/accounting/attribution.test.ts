// The attribution of a shortfall in two stages (docs/model/accounting.md#attribution): every cause in each stage, and
// pieces in which several meet. All numbers are worked out by hand.
import { describe, expect, test } from "vitest";
import { dispatchCauseOf } from "../../src/accounting/settlement/allocationGap.ts";
import { CAUSES } from "../../src/accounting/settlement/causes.ts";
import { DISPATCH_OUTCOME } from "../../src/engine/vpp/instructions/instruction.ts";
import {
  at,
  batterySites,
  consumer,
  evenSeries,
  findAwardRow,
  flat,
  losslessBattery,
  parseAwards,
  pv,
  round3,
  site,
} from "../simulation/smallWorld.ts";
import { checkWorldCase, runWorldCase, type WorldCase } from "../simulation/worldCases.ts";

const HOUR = "00:00-01:00";
const [SMALL_A, SMALL_B] = batterySites(100, 100);
const pvSite = (kw: number, given: Parameters<typeof pv>[1] = {}) => site("pv", pv(flat(kw), given));
const load = (name: string, kw: number, baselineKw: number, given: Parameters<typeof consumer>[1] = {}) =>
  site(name, consumer(flat(kw), given), { baseline: { method: "constant", kw: baselineKw } });

const ALLOCATION: readonly WorldCase[] = [
  {
    title: "out_of_service: out of service, and back but not yet re-dispatched",
    sites: [SMALL_A, SMALL_B],
    awards: [`${HOUR} -200`],
    events: ["outage 1 00:00-00:30:30"],
    // a is cut to 100 of 200. b is dispatched at 00:31: 31 minutes of 100 kW.
    expectedAwards: {
      A1: { uncoveredByCauseKw: { out_of_service: 100 }, shortfallByCauseKwh: { out_of_service: 51.667 } },
    },
  },
  {
    title: "baseline_missing: joined after the registration; its outage in between changes nothing",
    sites: [SMALL_A, SMALL_B],
    weights: [100],
    awards: ["00:30-01:30 -200"],
    events: ["add_member 1 00:10 0", "outage 1 00:40-00:50"],
    expectedAwards: {
      A1: { uncoveredByCauseKw: { baseline_missing: 100 }, shortfallByCauseKwh: { baseline_missing: 100 } },
    },
  },
  {
    title: "a refused re-dispatch leaves the delta in force: it counts as delivered",
    sites: [load("a", 500, 500, { minDrReductionKw: 110, maxDrReductionKw: 200 }), site("b", losslessBattery())],
    weights: [1, 2],
    awards: [`${HOUR} -300`],
    events: ["outage 1 00:00-00:20:10"],
    // a has 200 of 300 until 00:21; then its share is 100, below its minimum, so that it keeps 200 beside b's 200.
    dispatches: {
      A1: ["00:00 a -200, b skipped_out_of_service", "00:21 b -200"],
    },
    expectedAwards: { A1: { shortfallByCauseKwh: { out_of_service: 35 }, excessKwh: 65 } },
  },
  {
    title: "delivery_failed while an old delta stays in force: the difference to the share",
    sites: [site("a", pv(evenSeries("sun", 10, [50, ...Array(11).fill(300)]))), site("b", losslessBattery())],
    awards: [`${HOUR} -200`],
    events: ["link_down 0 00:15-00:50", "outage 1 00:20-00:40"],
    // a: 50 of 100 by the sun, and from 00:20 on because 200 and 100 do not reach it; b: 20 minutes of its 100.
    dispatches: { A1: ["00:00 a -50, b -100", "00:20 b skipped_out_of_service", "00:40 b -100"] },
    expectedAwards: {
      A1: { shortfallByCauseKwh: { weather: 16.667, delivery_failed: 33.333, out_of_service: 33.333 } },
    },
  },
  {
    title: "weather and not other_award: at night generation is the limit although another award holds power",
    sites: [site("a", pv(evenSeries("sun", 30, [200, 0, 0, 0])))],
    awards: [`${HOUR} -100 frr`, "00:30-01:00 -50 rr"],
    expectedAwards: { A2: { uncoveredByCauseKw: { weather: 50 }, shortfallByCauseKwh: { weather: 25 } } },
  },
  {
    title: "other_award: the power that another award holds",
    sites: [SMALL_A, SMALL_B],
    awards: ["00:10-01:00 -120 frr", "00:20-00:40 -100 rr"],
    expectedAwards: { A2: { uncoveredByCauseKw: { other_award: 20 }, shortfallByCauseKwh: { other_award: 6.667 } } },
  },
  {
    title: "rounding is power_limit: b has 33.3 of 33.333",
    sites: batterySites(500, 500, 500),
    awards: [`${HOUR} -100`],
    events: ["link_down 2 00:00-02:00"],
    // Uncovered 33.3; a has 33.4. 33.3 in proportion to 1/30 and 33 1/3.
    expectedAwards: { A1: { uncoveredByCauseKw: { delivery_failed: 33.267, power_limit: 0.033 } } },
  },
  {
    title: "no_member: no weight above 0 at the execution",
    sites: [SMALL_A],
    awards: ["00:30-01:00 -100"],
    events: ["set_weight 0 00:10 0"],
    expectedAwards: { A1: { uncoveredByCauseKw: { no_member: 100 }, shortfallByCauseKwh: { no_member: 50 } } },
  },
];

const DELIVERY: readonly WorldCase[] = [
  {
    title: "out_of_service: an outage between two evaluations",
    sites: [SMALL_A],
    awards: [`${HOUR} -100`],
    events: ["outage 0 00:10:10-00:10:46"],
    expectedAwards: { A1: { uncoveredKw: 0, shortfallByCauseKwh: { out_of_service: 1 } } },
  },
  {
    title: "ramp: delay, then the ramp itself",
    sites: [site("a", losslessBattery({ responseDelayMs: 60_000, rampKwPerS: 1 }))],
    awards: [`${HOUR} -120`],
    // 60 s of 120 kW and 120 s of 60 kW in the mean.
    expectedAwards: { A1: { shortfallByCauseKwh: { ramp: 4 } } },
  },
  {
    title: "energy_limit: empty after half an hour",
    sites: [site("a", losslessBattery({ initialSocPct: 5 }))],
    awards: [`${HOUR} -100`],
    expectedAwards: { A1: { shortfallByCauseKwh: { energy_limit: 50 } } },
  },
  {
    title: "power_limit: a taper from 500 to 100 kW within 1 kWh",
    sites: [
      site(
        "a",
        losslessBattery({
          powerTaper: [
            { socPct: 49.9, importFraction: 1, exportFraction: 0.2 },
            { socPct: 50, importFraction: 1, exportFraction: 1 },
          ],
        }),
      ),
    ],
    awards: [`${HOUR} -300`],
    // 0.5 kWh at 300 kW, 0.5 kWh while 300 kW fall to 100 in ln(3)/400 h, then 100 kW: delivered 100.559.
    expectedAwards: { A1: { uncoveredKw: 0, shortfallByCauseKwh: { power_limit: 199.441 } } },
  },
  {
    title: "output_control during the award",
    sites: [pvSite(300)],
    awards: [`${HOUR} -200`],
    events: ["output_control 0 00:30-02:00 5 manual"],
    expectedAwards: { A1: { uncoveredKw: 0, shortfallByCauseKwh: { output_control: 75 } } },
  },
  {
    title: "weather: clouds during the award",
    sites: [site("a", pv(evenSeries("sun", 30, [200, 50, 0, 0])))],
    awards: [`${HOUR} -120`],
    expectedAwards: { A1: { uncoveredKw: 0, shortfallByCauseKwh: { weather: 35 } } },
  },
  {
    title: "other_award: the award that is served last has the shortfall of the auxiliaries' power",
    sites: [site("a", losslessBattery({ auxiliaryKw: 20 }))],
    awards: [`${HOUR} -100 frr`, `${HOUR} -100 exchange-da`],
    expectedAwards: {
      A1: { shortfallKwh: 0, shortfallByCauseKwh: {} },
      A2: { shortfallByCauseKwh: { other_award: 20 } },
    },
  },
  {
    title: "load_deviation: auxiliaries",
    sites: [site("a", losslessBattery({ auxiliaryKw: 6 }))],
    awards: [`${HOUR} -100`],
    expectedAwards: { A1: { shortfallByCauseKwh: { load_deviation: 6 } } },
  },
  {
    title: "load_deviation: a load above its baseline",
    sites: [load("a", 560, 500)],
    awards: [`${HOUR} -100`],
    expectedAwards: { A1: { shortfallByCauseKwh: { load_deviation: 60 } } },
  },
  {
    title: "an award with a delta of 0.0 at a member has no shortfall there: the other award has it",
    // a's 100 kW are all frr's; its auxiliaries take 10 of them.
    sites: [site("a", losslessBattery({ exportMaxKw: 100, auxiliaryKw: 10 })), site("b", losslessBattery())],
    weights: [1, 1],
    awards: [`${HOUR} -200 frr`, `${HOUR} -20 rr`],
    dispatches: { A1: ["00:00 a -100, b -100"], A2: ["00:00 a 0, b -10"] },
    expectedAwards: {
      A1: { deliveredKwh: -190, shortfallByCauseKwh: { load_deviation: 10 } },
      A2: { deliveredKwh: -10, shortfallByCauseKwh: { other_award: 10 } },
    },
  },
];

const direct = {
  kind: "direct_schedule",
  site: 0,
  settled: false,
  atMs: at("00:10"),
  startMs: at("00:30"),
  endMs: at("01:00"),
  deltaKw: 30,
} as const;

const MIXED: readonly WorldCase[] = [
  {
    title: "a direct order accounts for both gaps of a member, while it is in force",
    sites: [SMALL_A, site("b", losslessBattery())],
    awards: [`${HOUR} -400`],
    world: { events: [direct] },
    // a is cut to 100 of 200: power_limit for half an hour, then its gap and its 100 kW are the direct order's.
    expectedAwards: { A1: { uncoveredKw: -100, shortfallByCauseKwh: { power_limit: 50, direct_control: 100 } } },
  },
  {
    title: "the example of the docs: a site accounts for the shares that it takes over, and an incapable site for none",
    sites: [
      site("battery", losslessBattery({ ratedCapKwh: 4000, exportMaxKw: 2000, importMaxKw: 2000 })),
      pvSite(500),
      load("factory", 500, 500),
    ],
    weights: [500, 250, 100],
    awards: [`${HOUR} -1200 exchange-da`],
    events: ["outage 0 00:20:30-00:40:30"],
    dispatches: {
      A1: [
        "00:00 battery -800, pv -400, factory skipped_incompatible",
        "00:21 battery skipped_out_of_service, pv -500",
        "00:41 battery -800, pv -400",
      ],
    },
    expectedAwards: { A1: { uncoveredKw: 0, shortfallKwh: 240, shortfallByCauseKwh: { out_of_service: 240 } } },
  },
  {
    title: "over-delivery of one member reduces both gaps in proportion",
    // b gives 130 instead of 100. First half: c's rating leaves 50 of 50 uncovered, gap 20. Then a is empty: 50 + 100, gap 120.
    sites: [
      site("a", losslessBattery({ initialSocPct: 5 })),
      load("b", 470, 500),
      site("c", losslessBattery({ importMaxKw: 50, exportMaxKw: 50 })),
    ],
    awards: [`${HOUR} -300`],
    expectedAwards: {
      A1: { uncoveredKw: -50, shortfallKwh: 70, shortfallByCauseKwh: { power_limit: 30, energy_limit: 40 } },
    },
  },
  {
    title: "activation scales both stages",
    sites: [site("a", losslessBattery({ initialSocPct: 2.5, exportMaxKw: 100 }))],
    world: { awards: parseAwards(`${HOUR} -200`).map((award) => ({ ...award, activation: 0.5 })) },
    // 50 kW not allocated; 50 of the 100 kW are dispatched and end with 25 kWh after half an hour.
    expectedAwards: {
      A1: {
        uncoveredByCauseKw: { power_limit: 100 },
        shortfallByCauseKwh: { power_limit: 50, energy_limit: 25 },
      },
    },
  },
  {
    title: "members outside the split: weight 0, and a member that joins later",
    sites: [SMALL_A, SMALL_B, ...batterySites(100).map((spec) => ({ ...spec, name: "late" }))],
    weights: [1, 0],
    awards: [`${HOUR} -200`],
    events: ["add_member 2 00:10 0", "outage 1 00:20-00:30"],
    expectedAwards: { A1: { shortfallByCauseKwh: { power_limit: 100 } } },
  },
];

describe("allocation gap", () => {
  test.each(ALLOCATION)("$title", checkWorldCase);

  test("the first of several reasons counts", () => {
    const { dispatched, outOfService, baselineMissing, refused, failed } = DISPATCH_OUTCOME;
    const cause = (status: number, outcome: number) => CAUSES[dispatchCauseOf(status, outcome)] ?? "capability";
    expect(cause(outOfService, failed)).toBe("out_of_service");
    expect(cause(baselineMissing, refused)).toBe("baseline_missing");
    // A refused or lost re-dispatch of a member that still executes its old delta.
    expect(cause(dispatched, refused)).toBe("refused");
    expect(cause(dispatched, failed)).toBe("delivery_failed");
    expect(cause(dispatched, dispatched)).toBe("capability");
  });
});

describe("delivery gap", () => {
  test.each(DELIVERY)("$title", checkWorldCase);
});

describe("both gaps", () => {
  test.each(MIXED)("$title", checkWorldCase);

  test("the members that bear a gap are named, and no others", () => {
    const bearers = (story: WorldCase) =>
      findAwardRow(runWorldCase(story), "A1").topContributors.map(
        ({ site: name, cause, kwh }) => `${name} ${cause} ${round3(kwh)}`,
      );
    expect(bearers(MIXED[1])).toEqual(["battery out_of_service 240"]);
    expect(bearers(MIXED[2])).toEqual(["a energy_limit 40", "c power_limit 30"]);
    const failed = ALLOCATION.find(({ title }) => title.startsWith("delivery_failed while"));
    expect(failed && bearers(failed)).toEqual([
      "a delivery_failed 33.333",
      "b out_of_service 33.333",
      "a weather 16.667",
    ]);
  });

  test("the largest uncovered power of the example is that of the noticed outage", () => {
    const row = findAwardRow(runWorldCase(MIXED[1]), "A1");
    expect([row.uncoveredKwPeak, row.uncoveredPeakMs]).toEqual([-700, at("00:21")]);
  });
});
