import { describe, expect, test } from "vitest";
import { CAUSES, type Cause } from "../../../src/accounting/settlement/causes.ts";
import type { WorldSpec } from "../../../src/engine/simulation/worldSpec.ts";
import type { SiteSpec } from "../../../src/engine/site/siteSpec.ts";
import { at, award, battery, consumer, evenSeries, flat, instruction, pv, site, T0, vpp, world } from "./build.ts";
import { stepWorld } from "./stepper.ts";

interface Expected {
  readonly uncoveredKw?: number;
  readonly deliveredKwh?: number;
  readonly shortfallKwh?: number;
  readonly excessKwh?: number;
  /** Causes that are not named must be 0. */
  readonly causes?: Partial<Record<Cause, number>>;
  readonly deltas?: readonly (readonly (number | null)[])[];
}

/** Runs one world and checks its first award (kWh to 0.005), site imports and exports of the whole run, and final SOC. */
function checkWorld(
  spec: WorldSpec,
  expected: Expected,
  sites: readonly { importKwh?: number; exportKwh?: number; socPct?: number }[] = [],
) {
  const result = stepWorld(spec, { intervalMs: spec.endMs - spec.startMs });
  const [first] = result.awards;
  if (expected.uncoveredKw !== undefined) expect(first.uncoveredKw).toBeCloseTo(expected.uncoveredKw, 6);
  if (expected.deliveredKwh !== undefined) expect(first.deliveredKwh).toBeCloseTo(expected.deliveredKwh, 2);
  if (expected.shortfallKwh !== undefined) expect(first.shortfallKwh).toBeCloseTo(expected.shortfallKwh, 2);
  if (expected.excessKwh !== undefined) expect(first.excessKwh).toBeCloseTo(expected.excessKwh, 2);
  if (expected.causes !== undefined) {
    CAUSES.forEach((cause, k) => {
      expect(first.shortfallByCauseKwh[k], cause).toBeCloseTo(expected.causes?.[cause] ?? 0, 2);
    });
  }
  if (expected.deltas !== undefined) expect(first.dispatches.map(({ deltaKw }) => deltaKw)).toEqual(expected.deltas);
  sites.forEach(({ importKwh, exportKwh, socPct }, k) => {
    if (importKwh !== undefined) expect(result.sites[k].importKwh[0]).toBeCloseTo(importKwh, 2);
    if (exportKwh !== undefined) expect(result.sites[k].exportKwh[0]).toBeCloseTo(exportKwh, 2);
    if (socPct !== undefined) expect(result.sites[k].socPct[0]).toBeCloseTo(socPct, 3);
  });
  return result;
}

const oneHour = [at("00:00"), at("01:00")] as const;
const outage = (index: number, from: string, until: string) =>
  ({ kind: "outage", site: index, atMs: at(from), untilMs: at(until), settled: false }) as const;

describe("one battery", () => {
  test("charging 100 kW for an hour stores 95 kWh", () => {
    const spec = world([site("a", battery())], { awards: [award("A", oneHour, 100)] });
    checkWorld(spec, { uncoveredKw: 0, deliveredKwh: 100, shortfallKwh: 0, excessKwh: 0 }, [
      { importKwh: 100, exportKwh: 0, socPct: 59.5 },
    ]);
  });

  test("discharging 400 kW from 400 usable kWh ends after 57 minutes", () => {
    // 400 kWh · 0.95 = 380 kWh at the AC side; 20 kWh are the shortfall.
    const spec = world([site("a", battery())], { awards: [award("A", oneHour, -400)] });
    checkWorld(spec, { uncoveredKw: 0, deliveredKwh: -380, shortfallKwh: 20, causes: { energy_limit: 20 } }, [
      { exportKwh: 380, socPct: 10 },
    ]);
  });

  test("a ramp of 1 kW/s to -300 kW is 12.5 kWh short at the start and delivers them after the end", () => {
    // 300 s · 300 kW / 2 = 45 000 kWs = 12.5 kWh
    const spec = world([site("a", battery({ rampKwPerS: 1 }))], { awards: [award("A", oneHour, -300)] });
    checkWorld(spec, { deliveredKwh: -287.5, shortfallKwh: 12.5, causes: { ramp: 12.5 } }, [{ exportKwh: 300 }]);
  });

  test("a delay of a minute shifts the start and the end", () => {
    const spec = world([site("a", battery({ responseDelayMs: 60_000 }))], { awards: [award("A", oneHour, -300)] });
    checkWorld(spec, { deliveredKwh: -295, shortfallKwh: 5, causes: { ramp: 5 } }, [{ exportKwh: 300 }]);
  });

  test("back-to-back awards are one change, without a gap in the delay", () => {
    const awards = [award("A", oneHour, -300), award("B", [at("01:00"), at("02:00")], -60)];
    const spec = world([site("a", battery({ responseDelayMs: 60_000 }))], { awards, endMs: at("03:00") });
    const result = checkWorld(spec, { deliveredKwh: -295 }, [{ exportKwh: 360 }]);
    expect(result.awards[1].deliveredKwh).toBeCloseTo(-64, 2); // a minute at -300, 59 minutes at -60
    expect(result.awards[1].excessKwh).toBeCloseTo(4, 2);
  });

  test("auxiliaries come on top and reduce a discharge", () => {
    const spec = world([site("a", battery({ auxiliaryKw: 6 }))], { awards: [award("A", oneHour, -100)] });
    checkWorld(spec, { deliveredKwh: -94, shortfallKwh: 6, causes: { load_deviation: 6 } }, [
      { exportKwh: 94, importKwh: 6 },
    ]);
  });

  test("import falls straight with a taper: the state of charge approaches the end of it exponentially", () => {
    // fraction 1 at 50 %, 0 at 100 %: dE/dt = 475·(1000 − E)/500, E(1 h) = 1000 − 500·exp(−0.95)
    const powerTaper = [
      { socPct: 50, importFraction: 1, exportFraction: 1 },
      { socPct: 100, importFraction: 0, exportFraction: 1 },
    ];
    const spec = world([site("a", battery({ powerTaper, socOpMaxPct: 100 }))], {
      awards: [award("A", oneHour, 500)],
      endMs: at("01:00"),
    });
    const stored = 500 * (1 - Math.exp(-0.95));
    checkWorld(spec, { uncoveredKw: 0, deliveredKwh: stored / 0.95, causes: { power_limit: 500 - stored / 0.95 } }, [
      { socPct: 50 + stored / 10 },
    ]);
  });

  test("a full battery is dispatched 0.0 and the whole request is a shortfall by its energy limit", () => {
    const spec = world([site("a", battery({ initialSocPct: 90 }))], { awards: [award("A", oneHour, 100)] });
    checkWorld(spec, { uncoveredKw: 100, shortfallKwh: 100, causes: { energy_limit: 100 }, deltas: [[0]] }, [
      { importKwh: 0, socPct: 90 },
    ]);
  });

  test("a full battery that its plan charges draws what self-discharge takes", () => {
    // 2.4 % a day of 900 kWh is 0.9 kW at the cells: 0.9/0.95 kW at the AC side.
    const full = battery({ initialSocPct: 90, selfDischargePctPerDay: 2.4 });
    const spec = world([site("a", full, { baseline: { method: "constant", kw: 50 } })], { endMs: at("01:00") });
    const [only] = stepWorld(spec).sites;
    expect(only.importKwh[0] + only.importKwh[1]).toBeCloseTo(0.947, 3);
    expect(only.socPct).toEqual([90, 90]);
  });
});

describe("one PV plant", () => {
  const sun = evenSeries("sun", 30, [200, 50, 0, 0, 0, 0]);

  test("is held at its set-point and has the shortfall of the clouds", () => {
    // Baseline 0, −120: 120 kW for half an hour, 50 kW for half an hour.
    const spec = world([site("p", pv(sun))], { awards: [award("A", oneHour, -120)] });
    checkWorld(spec, { uncoveredKw: 0, deliveredKwh: -85, shortfallKwh: 35, causes: { weather: 35 } }, [
      { exportKwh: 85 },
    ]);
  });

  test("exports beyond its share only without an instruction", () => {
    checkWorld(world([site("p", pv(sun))], { awards: [award("A", [at("00:15"), at("00:45")], -120)] }), {}, [
      { exportKwh: 50 + 30 + 12.5 + 12.5 },
    ]);
  });

  test("takes no part in a command to receive", () => {
    const spec = world([site("p", pv(sun))], { awards: [award("A", oneHour, 100)] });
    checkWorld(spec, { uncoveredKw: 100, shortfallKwh: 100, causes: { incompatible: 100 } }, [{ exportKwh: 125 }]);
  });

  test("output control caps it and is the cause of the shortfall", () => {
    const spec = world([site("p", pv(flat(300)))], {
      awards: [award("A", oneHour, -200)],
      events: [
        {
          kind: "output_control",
          site: 0,
          atMs: at("00:30"),
          untilMs: at("01:00"),
          limitPct: 5,
          reason: "manual",
          settled: false,
        },
      ],
    });
    checkWorld(spec, { uncoveredKw: 0, deliveredKwh: -125, shortfallKwh: 75, causes: { output_control: 75 } });
  });
});

describe("one consumer", () => {
  const slots = { baseline: { method: "constant", kw: 500 } } as const;

  test("sheds after its delay, ramps, and pays a fifth back in the hour after", () => {
    // 60 s at 0, then 200 s up to 200 kW: 60·200 + 200·200/2 kWs = 8.889 kWh shortfall; shed 191.111; rebound 38.222 kW.
    const plant = consumer(flat(500), {
      responseDelayMs: 60_000,
      rampKwPerS: 1,
      reboundFraction: 0.2,
      reboundMs: 3_600_000,
    });
    const spec = world([site("c", plant, slots)], { awards: [award("A", oneHour, -200)] });
    const backRamp = (200 * 200) / 2 / 3600;
    checkWorld(spec, { uncoveredKw: 0, deliveredKwh: -191.111, shortfallKwh: 8.889, causes: { ramp: 8.889 } }, [
      { importKwh: 1000 - 191.111 - backRamp + 38.222 },
    ]);
  });

  test("with too little load has a shortfall by load deviation", () => {
    const spec = world([site("c", consumer(flat(440)), slots)], { awards: [award("A", oneHour, -100)] });
    // Load 440 − 100 = 340: 160 below its baseline of 500; with a load of 560 only 40.
    checkWorld(spec, { deliveredKwh: -160, shortfallKwh: 0, excessKwh: 60 });
    const high = world([site("c", consumer(flat(560)), slots)], { awards: [award("A", oneHour, -100)] });
    checkWorld(high, { deliveredKwh: -40, shortfallKwh: 60, causes: { load_deviation: 60 } });
  });

  test("under track control holds baseline plus delta whatever the load", () => {
    const spec = world([site("c", consumer(flat(560), { control: "track" }), slots)], {
      awards: [award("A", oneHour, -100)],
    });
    checkWorld(spec, { deliveredKwh: -100, shortfallKwh: 0, excessKwh: 0 }, [{ importKwh: 400 + 560 }]);
  });

  test("refuses a start within the cooldown but goes on over a boundary", () => {
    const plant = consumer(flat(500), { minDrCooldownMs: 1_800_000 });
    const awards = [
      award("A", [at("00:00"), at("00:30")], -100, { sku: "frr" }),
      award("B", [at("00:30"), at("01:00")], -100, { sku: "frr" }),
      award("C", [at("01:00"), at("01:30")], -100, { sku: "rr" }),
      award("D", [at("01:30"), at("02:00")], -100, { sku: "rr" }),
    ];
    const { awards: rows } = checkWorld(world([site("c", plant, slots)], { awards }), { shortfallKwh: 0 });
    expect(rows.map(({ uncoveredKw }) => uncoveredKw)).toEqual([0, 0, -100, 0]);
    expect(rows[2].shortfallByCauseKwh[CAUSES.indexOf("refused")]).toBeCloseTo(50, 6);
  });
});

describe("sharing", () => {
  const three = (weights: readonly number[], exportMaxKw = 500): WorldSpec => {
    const sites = weights.map((_, k) => site(`b${k}`, battery({ exportMaxKw, ratedCapKwh: 4000 })));
    const members = weights.map((weight, k) => [k, weight] as const);
    return world(sites, { vpps: [vpp("east", sites, members)] });
  };

  test("a third each of 100 kW: the first takes the odd tenth", () => {
    checkWorld({ ...three([1, 1, 1]), awards: [award("A", oneHour, -100)] }, { deltas: [[-33.4, -33.3, -33.3]] });
  });

  test("a share above a member's limit is cut and the excess counts as uncovered", () => {
    const spec = three([300, 100, 0], 200);
    checkWorld(
      { ...spec, awards: [award("A", oneHour, -400)] },
      {
        uncoveredKw: -100,
        deltas: [[-200, -100, null]],
        shortfallKwh: 100,
        causes: { power_limit: 100 },
      },
    );
  });

  test("with redistribution the excess goes to those with headroom", () => {
    const spec = three([300, 100, 0], 200);
    const vpps = [
      vpp(
        "east",
        spec.sites,
        [
          [0, 300],
          [1, 100],
          [2, 0],
        ],
        { deltaExcess: "redistribute" },
      ),
    ];
    checkWorld(
      { ...spec, vpps, awards: [award("A", oneHour, -350)] },
      {
        uncoveredKw: 0,
        deltas: [[-200, -150, null]],
      },
    );
  });

  test("an outage is noticed on the next whole minute and the return as well", () => {
    // −300 over three; b1 away 00:10:15 to 00:20:15. Shortfall: 100 kW for 45 s = 1.25 kWh; then −150 each;
    // b1 is back from 00:20:15, dispatched at 00:21:00.
    const spec = { ...three([1, 1, 1]), events: [outage(1, "00:10:15", "00:20:15")] };
    checkWorld(
      { ...spec, awards: [award("A", oneHour, -300)] },
      {
        shortfallKwh: 1.25,
        excessKwh: 0,
        causes: { out_of_service: 1.25 },
        deltas: [
          [-100, -100, -100],
          [-150, null, -150],
          [-100, -100, -100],
        ],
      },
    );
  });

  test("an outage between two evaluations is never noticed", () => {
    const spec = { ...three([1, 1, 1]), events: [outage(1, "00:10:10", "00:10:46")] };
    checkWorld({ ...spec, awards: [award("A", oneHour, -300)] }, { shortfallKwh: 1, deltas: [[-100, -100, -100]] });
  });

  test("a shortfall is split among the members with a shortfall, not those with over-delivery", () => {
    // Entitled 100 each; b2 away from the start: 150 each from the others, limited to 120: 60 uncovered.
    // Shortfalls: b2 100, others none (120 > 100), so all 60 are out of service.
    const spec = { ...three([1, 1, 1], 120), events: [outage(2, "00:00", "01:00")] };
    checkWorld(
      { ...spec, awards: [award("A", oneHour, -300)] },
      {
        uncoveredKw: -60,
        shortfallKwh: 60,
        causes: { out_of_service: 60 },
      },
    );
  });

  test("weights of the very instant of the start count, later ones wait", () => {
    const set = (clock: string, allocationWeight: number) =>
      ({ kind: "set_weight", vpp: 0, site: 0, atMs: at(clock), allocationWeight, settled: false }) as const;
    const spec = { ...three([100, 100, 0]), events: [set("00:30", 300), set("00:45", 0)] };
    checkWorld({ ...spec, awards: [award("A", [at("00:30"), at("01:30")], -100)] }, { deltas: [[-75, -25, null]] });
  });

  test("a dead link loses the dispatch, its share is uncovered", () => {
    const linkDown = { kind: "link_down", site: 1, atMs: T0, untilMs: at("00:30"), settled: false } as const;
    checkWorld(
      { ...three([1, 1, 0]), events: [linkDown], awards: [award("A", oneHour, -100)] },
      {
        uncoveredKw: -50,
        deltas: [[-50, null, null]],
        causes: { delivery_failed: 50 },
      },
    );
  });
});

describe("immediate instructions", () => {
  const sites: SiteSpec[] = [site("a", battery({ ratedCapKwh: 4000 }))];
  const run = (given: Partial<WorldSpec>) => stepWorld(world(sites, given)).awards;

  test("one beyond the capability of the members is refused and has the shortfall of its whole request", () => {
    const [row] = run({ instructions: [instruction("I", at("00:10"), 30, -600)] });
    expect(row).toMatchObject({ state: "refused", errorType: "invalid_parameter", shortfallKwh: 300 });
  });

  test("a schedule's start ends it for good", () => {
    const [late, early] = run({
      awards: [award("A", [at("00:30"), at("00:40")], 100)],
      instructions: [instruction("I", at("00:10"), 60, -300)],
    });
    expect(late.deliveredKwh).toBeCloseTo(100 / 6, 6);
    expect(early).toMatchObject({ state: "overwritten", executedMinutes: 20 });
    expect(early.deliveredKwh).toBeCloseTo(-100, 6);
  });

  test("one that comes while a schedule runs has no effect", () => {
    const [first, second] = run({
      awards: [award("A", oneHour, 100)],
      instructions: [instruction("I", at("00:10"), 30, -300)],
    });
    expect(first.shortfallKwh).toBeCloseTo(0, 6);
    expect(second).toMatchObject({ state: "overwritten", uncoveredKw: -300, executedMinutes: 0, shortfallKwh: 0 });
  });

  test("a new one replaces the running one at once", () => {
    const rows = run({
      instructions: [instruction("I", at("00:10"), 30, -300), instruction("J", at("00:20"), 30, 120)],
    });
    expect(rows.map(({ deliveredKwh }) => Math.round(deliveredKwh * 1000) / 1000)).toEqual([-50, 60]);
  });
});

test("an award without members in service at its registration is refused", () => {
  const spec = world([site("a", battery())], {
    awards: [award("A", [at("01:00"), at("03:00")], -100, { registeredMs: at("00:30") })],
    events: [outage(0, "00:20", "00:40")],
  });
  const [row] = stepWorld(spec).awards;
  // Its span inside the run is an hour.
  expect(row).toMatchObject({ state: "refused", errorType: "no_dispatchable_members", uncoveredKw: -100 });
  expect(row.shortfallKwh).toBeCloseTo(100, 9);
});
