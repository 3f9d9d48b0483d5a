import { describe, expect, test } from "vitest";
import type { KpiName } from "../../src/accounting/kpis/kpiRegistry.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { AwardSpec } from "../../src/engine/vpp/instructions/instructionSpec.ts";
import {
  at,
  award,
  batterySites,
  consumer,
  evenSeries,
  findAwardRow,
  flat,
  losslessBattery,
  parseAwards,
  parseEvents,
  parseInstructions,
  round3,
  runSites,
  site,
} from "../simulation/smallWorld.ts";
import { checkWorldCase, type WorldCase } from "../simulation/worldCases.ts";

const AB = batterySites(500, 500);

const ATTRIBUTION: readonly WorldCase[] = [
  {
    title: "each cause has its own period: the limit at dispatch throughout, the energy limit once the store is empty",
    sites: [batterySites(50)[0], site("b", losslessBattery({ initialSocPct: 5 }))],
    awards: ["00:00-01:00 -200"],
    dispatches: { A1: ["00:00 a -50, b -100"] },
    // b's 50 kWh last half an hour. Shortfall: a 50 of its 100 kW for the hour, b its 100 kW in the second half.
    expectedAwards: {
      A1: { uncoveredKw: -50, shortfallKwh: 100, shortfallByCauseKwh: { power_limit: 50, energy_limit: 50 } },
    },
  },
  {
    title: "over-delivery of another member fills the gap: no shortfall, no causes",
    sites: [AB[0], site("b", consumer(flat(400)), { baseline: { method: "constant", kw: 500 } })],
    awards: ["00:00-01:00 -200"],
    events: ["link_down 0 00:00-02:00"],
    expectedAwards: {
      A1: { uncoveredKw: -100, shortfallKwh: 0, shortfallByCauseKwh: {}, uncoveredByCauseKw: { delivery_failed: 100 } },
    },
  },
  {
    title: "a gap smaller than the shortfalls is divided in their proportion",
    // Shortfall: a 100, c 50; b delivers 130 instead of 100, so that the total is 120.
    sites: [
      AB[0],
      site("b", consumer(flat(470)), { baseline: { method: "constant", kw: 500 } }),
      site("c", losslessBattery({ importMaxKw: 50, exportMaxKw: 50 })),
    ],
    awards: ["00:00-01:00 -300"],
    events: ["link_down 0 00:00-02:00"],
    expectedAwards: {
      A1: { uncoveredKw: -150, shortfallKwh: 120, shortfallByCauseKwh: { delivery_failed: 80, power_limit: 40 } },
    },
  },
  {
    title: "power the wrong way makes the shortfall larger than the request (83)",
    sites: [site("a", consumer(flat(500)), { baseline: { method: "constant", kw: 300 } })],
    awards: ["00:00-01:00 -100"],
    // 400 kW of import with a baseline of 300: −100 along the request.
    expectedAwards: {
      A1: {
        deliveredKwh: 100,
        shortfallKwh: 200,
        deliveredSharePct: 0,
        deliveredWithinKwh: 0,
        shortfallByCauseKwh: { load_deviation: 200 },
      },
    },
  },
  {
    title: "the limit at the dispatch and the present limit both count at one member",
    // Share 200, dispatched 100 (rating), empty after half an hour (50 kWh).
    sites: [site("a", losslessBattery({ initialSocPct: 5, exportMaxKw: 100 }))],
    awards: ["00:00-01:00 -200"],
    expectedAwards: { A1: { shortfallKwh: 150, shortfallByCauseKwh: { power_limit: 100, energy_limit: 50 } } },
  },
  {
    title: "weight 0 has no shortfall",
    sites: batterySites(500, 100),
    weights: [0, 1],
    awards: ["00:00-01:00 -200"],
    expectedAwards: { A1: { shortfallKwh: 100, shortfallByCauseKwh: { power_limit: 100 } } },
  },
];

const COMPLIANCE: readonly WorldCase[] = [
  {
    title: "assessed after the response time: 10 of 25 minutes in band (76)",
    sites: [site("a", losslessBattery({ initialSocPct: 5 }))],
    awards: ["00:00-00:30 -200 frr"],
    expectedAwards: { A1: { compliancePct: 40, shortfallKwh: 50, deliveredSharePct: 50 } },
  },
  {
    title: "the response time counts once in a contiguous run of one product: 15 of 25, then 0 of 30 minutes",
    sites: [site("a", losslessBattery({ initialSocPct: 6 + 2 / 3 }))],
    awards: ["00:00-00:30 -200 frr", "00:30-01:00 -200 frr"],
    expectedAwards: { A1: { compliancePct: 60 }, A2: { compliancePct: 0 } },
  },
  {
    title: "an award that overwrites another of its product continues its run: no response time of its own",
    // −400 to −250 kW at 1.6 kW/s: within 25 kW of the request after 78.125 s.
    sites: [site("a", losslessBattery({ rampKwPerS: 1.6, exportMaxKw: 1000, initialSocPct: 90 }))],
    awards: ["00:00-01:00 -400 frr", "00:30-01:30 -250 frr"],
    expectedAwards: { A2: { compliancePct: round3((100 * (3600 - 78.125)) / 3600) } },
  },
  {
    title: "after an award inside another one the contiguous run goes on, to the end of the longer one and beyond",
    sites: [site("a", losslessBattery({ rampKwPerS: 1, exportMaxKw: 1000, initialSocPct: 90 }))],
    awards: ["00:00-01:00 -300 frr", "00:20-00:40 -100 frr", "01:00-01:30 -100 frr"],
    // Both reductions by 200 kW take 190 s to the band, the increase 170 s.
    expectedAwards: {
      A1: { compliancePct: round3((100 * (2400 - 300 - 170)) / (2400 - 300)) },
      A2: { compliancePct: round3((100 * (1200 - 190)) / 1200) },
      A3: { compliancePct: round3((100 * (1800 - 190)) / 1800) },
    },
  },
  {
    title: "another product is another run: it has its own response time and nothing is assessed in 15 minutes of rr",
    sites: AB,
    awards: ["00:00-00:30 -200 frr", "00:30-00:45 -200 rr"],
    expectedAwards: { A1: { compliancePct: 100 }, A2: { compliancePct: null } },
  },
  {
    title: "a compound has the response time of its fastest leg: 5 minutes, with FCR 10 seconds",
    // 4 of 60 s and 55 of 60 s: out of band until 108 of 120 kW flow.
    sites: [site("a", losslessBattery({ rampKwPerS: 0.4, fcrCapable: true }))],
    awards: ["00:00-00:30 -120 compound", "01:00-01:30 -120~0 compound"],
    expectedAwards: { A1: { compliancePct: 100 }, A2: { compliancePct: round3((100 * (1800 - 270)) / 1790) } },
  },
  {
    title: "a tenth beside the request is in band, more is not",
    sites: [site("a", losslessBattery({ auxiliaryKw: 10 })), site("b", losslessBattery())],
    awards: ["00:00-00:30 -100", "00:30-01:00 -99"],
    // Delivered 90 of 100 and 89 of 99.
    expectedAwards: { A1: { compliancePct: 100 }, A2: { compliancePct: 0 } },
  },
  {
    title: "on the ramp: in band from nine tenths on, 108 of 120 s out of band in half an hour without a product",
    sites: [site("a", losslessBattery({ rampKwPerS: 1 }))],
    awards: ["00:00-00:30 -120"],
    expectedAwards: { A1: { compliancePct: 94 } },
  },
  {
    title: "exchange products by the kWh of half hours: one full slot, then one that is half empty",
    sites: [site("a", losslessBattery({ initialSocPct: 15 }))],
    awards: ["00:00-01:00 -200 exchange-da"],
    expectedAwards: { A1: { compliancePct: 50, shortfallKwh: 50 } },
  },
  {
    title: "within a slot of an exchange product over-delivery offsets a shortfall",
    sites: [
      site("a", consumer(evenSeries("load", 15, [300, 500, 400, 400, 400, 400, 400, 400, 400])), {
        baseline: { method: "constant", kw: 400 },
      }),
      site("b", losslessBattery()),
    ],
    awards: ["00:00-00:30 -200 negawatt-spot"],
    expectedAwards: { A1: { compliancePct: 100, shortfallKwh: 25, excessKwh: 25 } },
  },
  {
    title: "a refused award is out of band after its response time",
    sites: AB,
    awards: ["00:30-01:00 -200 frr", "01:00-01:04 -200 rr"],
    events: ["outage 0 00:00-00:10", "outage 1 00:00-00:10"],
    expectedAwards: { A1: { state: "refused", compliancePct: 0 }, A2: { state: "refused", compliancePct: null } },
  },
];

describe("shortfall by member and cause", () => {
  test.each(ATTRIBUTION)("$title", checkWorldCase);
});

describe("compliance", () => {
  test.each(COMPLIANCE)("$title", checkWorldCase);
});

const oneAward = (given: Partial<AwardSpec>, world: Partial<WorldSpec> = {}) =>
  runSites(AB, { awards: [award("A1", [at("00:00"), at("01:00")], -200, given)], ...world });

describe("activation", () => {
  test("activation 0.5 requests half of the reserved delta, all of which is dispatched (119, 155)", () => {
    const ran = oneAward({ activation: 0.5 });
    const row = findAwardRow(ran, "A1");
    expect(ran.dispatch.map(({ delta_kw }) => delta_kw)).toEqual([-100, -100]);
    expect(row.requestedKw).toBe(-200);
    expect([row.requestedKwh, row.deliveredKwh, row.shortfallKwh, row.uncoveredKw].map((x) => round3(x ?? 9))).toEqual([
      -100, -100, 0, 0,
    ]);
  });

  test("an activation series requests nothing, all, and a quarter in turn", () => {
    const row = findAwardRow(oneAward({ activation: evenSeries("called", 15, [0, 1, 0.25, 0.25, 0, 0, 0, 0]) }), "A1");
    // 200 · (0 + 1 + 1/4 + 1/4) quarters of an hour.
    expect(round3(row.requestedKwh ?? 9)).toBe(-75);
    expect(round3(row.deliveredKwh ?? 9)).toBe(-75);
  });

  test("a refused award has a shortfall of the requested energy, and its reserved delta is uncovered", () => {
    const ran = oneAward({ activation: 0.5 }, { events: parseEvents("outage 0 00:00-02:00", "outage 1 00:00-02:00") });
    const row = findAwardRow(ran, "A1");
    expect([row.state, row.requestedKwh, row.shortfallKwh, row.uncoveredKw]).toEqual(["refused", -100, 100, -200]);
    expect(ran.record.kpis.get("uncovered_kwh")).toBe(200);
  });
});

describe("money", () => {
  const kpi = (ran: ReturnType<typeof runSites>, name: KpiName) => ran.record.kpis.get(name);

  test("without prices there are no amounts of money", () => {
    const ran = oneAward({});
    expect([kpi(ran, "revenue_jpy"), kpi(ran, "penalty_jpy"), kpi(ran, "energy_cost_jpy")]).toEqual([null, null, null]);
  });

  test("capacity for what is covered, energy for what is delivered of the request, a penalty for the shortfall", () => {
    const limited = batterySites(100, 30);
    const ran = runSites(limited, {
      awards: [
        award("A1", [at("00:00"), at("01:00")], -200, {
          capacityPriceJpyPerKwHour: 3,
          priceJpyPerKwh: 10,
          penaltyJpyPerKwh: 7,
        }),
      ],
    });
    // 130 of 200 kW: 130 · 3 + 130 · 10 and 70 · 7.
    expect(kpi(ran, "revenue_jpy")).toBeCloseTo(1690, 9);
    expect(kpi(ran, "penalty_jpy")).toBeCloseTo(490, 9);
  });

  test("a price series that ends with the run is valid for an award that ends later", () => {
    const price = evenSeries("price", 60, [5, 7]);
    const ran = runSites(batterySites(100), {
      awards: [award("A1", [at("01:00"), at("03:00")], -200, { penaltyJpyPerKwh: price, priceJpyPerKwh: price })],
    });
    expect(kpi(ran, "penalty_jpy")).toBeCloseTo(700, 9);
    expect(kpi(ran, "revenue_jpy")).toBeCloseTo(700, 9);
  });

  describe("at half-hourly prices", () => {
    const byHalfHour = (...values: number[]) => evenSeries("price", 30, [...values, 0]);
    const hour = [at("00:00"), at("01:00")] as const;

    test("each delivered kWh and each kWh of shortfall has the price of its own time", () => {
      const ran = runSites([site("b", losslessBattery({ initialSocPct: 5 }))], {
        awards: [
          award("A1", [...hour], -100, {
            capacityPriceJpyPerKwHour: byHalfHour(2, 6),
            priceJpyPerKwh: byHalfHour(10, 40),
            penaltyJpyPerKwh: byHalfHour(3, 8),
          }),
        ],
      });
      // 100 kW for half an hour, then the store is empty; all of it was covered at the start.
      expect(kpi(ran, "revenue_jpy")).toBeCloseTo(100 * (0.5 * 2 + 0.5 * 6) + 50 * 10, 6);
      expect(kpi(ran, "penalty_jpy")).toBeCloseTo(50 * 8, 6);
    });

    test("power beyond the request of an instant is not paid at the price of that instant", () => {
      const load = evenSeries("load", 30, [400, 550, 550, 550, 550]);
      const ran = runSites([site("c", consumer(load), { baseline: { method: "constant", kw: 500 } })], {
        awards: [award("A1", [...hour], -100, { priceJpyPerKwh: byHalfHour(10, 40) })],
      });
      // 200 kW below the baseline, of which 100 are requested, then 50.
      expect(kpi(ran, "revenue_jpy")).toBeCloseTo(50 * 10 + 25 * 40, 6);
    });

    test("a split award is paid for the time of its pieces", () => {
      const prices = {
        capacityPriceJpyPerKwHour: byHalfHour(1, 9, 9, 3),
        priceJpyPerKwh: byHalfHour(10, 100, 100, 40),
      };
      const ran = runSites(batterySites(500), {
        endMs: at("02:00"),
        awards: [
          award("A1", [at("00:00"), at("02:00")], -100, { ...prices, sku: "rr" }),
          award("A2", [at("00:30"), at("01:30")], -100, { sku: "rr" }),
        ],
      });
      expect(findAwardRow(ran, "A1").executedMinutes).toBe(60);
      expect(kpi(ran, "revenue_jpy")).toBeCloseTo(100 * (0.5 * 1 + 0.5 * 3) + 50 * 10 + 50 * 40, 6);
    });

    test("a refused award has a shortfall of its whole energy, at the mean price", () => {
      const ran = runSites(batterySites(500), {
        awards: [award("A1", [...hour], -100, { penaltyJpyPerKwh: byHalfHour(3, 8) })],
        events: parseEvents("outage 0 00:00-02:00"),
      });
      expect(findAwardRow(ran, "A1").state).toBe("refused");
      expect(kpi(ran, "penalty_jpy")).toBeCloseTo(100 * 5.5, 6);
    });
  });

  test("energy cost is import less export at the price of the hour", () => {
    const ran = runSites(
      [site("a", losslessBattery(), { baseline: { method: "series", plan: evenSeries("plan", 60, [100, -40, 0]) } })],
      {
        energyPriceJpyPerKwh: evenSeries("price", 60, [10, 20, 0]),
      },
    );
    expect(kpi(ran, "energy_cost_jpy")).toBeCloseTo(100 * 10 - 40 * 20, 6);
  });
});

describe("key figures", () => {
  test("of three awards and a void instruction", () => {
    const ran = runSites(batterySites(100, 100), {
      awards: parseAwards("00:00-00:30 -200", "00:30-01:00 -260", "01:00-01:30 +100"),
      // The first two are void beside a running award; one of them requests 0.
      instructions: parseInstructions("01:10 +50 10min", "01:25 0 5min", "01:40 +201 10min"),
    });
    const figures = Object.fromEntries(
      [...ran.record.kpis].map(([name, value]) => [name, typeof value === "number" ? round3(value) : value]),
    );
    expect(figures).toMatchObject({
      awards_total: 6,
      awards_refused: 1,
      awards_fully_covered: 2,
      uncovered_kw_max: 201,
      uncovered_kw_peak: 201,
      uncovered_kw_peak_at: at("01:40"),
      // 60 kW for half an hour and 201 kW for ten minutes.
      uncovered_kwh: 63.5,
      requested_kwh: 100 + 130 + 50 + 33.5,
      shortfall_kwh: 63.5,
      delivered_kwh: 250,
      delivery_pct: round3(100 - (100 * 63.5) / 313.5),
      import_kwh: 50,
      export_kwh: 200,
      throughput_kwh: 250,
      equivalent_full_cycles: 0.1,
      soc_min_pct: 40,
      availability_pct: 100,
    });
  });

  test("energy and uncovered energy of a VPP by half hours", () => {
    const ran = runSites(batterySites(100, 100), { awards: parseAwards("00:15-00:45 -260") });
    expect(ran.vppEnergy.map(({ vpp, export_kwh, uncovered_kwh }) => [vpp, export_kwh, uncovered_kwh])).toEqual([
      ["east", 50, 15],
      ["east", 50, 15],
      ["east", 0, 0],
      ["east", 0, 0],
    ]);
  });

  test("the last interval is cut at the end, zeros are rows, sites outside a VPP too (94)", () => {
    const ran = runSites(AB, { vpps: [], endMs: at("01:10") });
    expect(
      ran.energy.map((row) => `${row.site} ${(Number(row.end) - Number(row.start)) / 60_000} ${row.import_kwh}`),
    ).toEqual(["a 30 0", "b 30 0", "a 30 0", "b 30 0", "a 10 0", "b 10 0"]);
  });
});
