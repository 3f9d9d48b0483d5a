// The money of a run: each kWh has one price once (docs/model/money.md).
import { describe, expect, test } from "vitest";
import type { NumericKpiName } from "../../src/accounting/kpis/kpiRegistry.ts";
import type { Series } from "../../src/engine/series/model/series.ts";
import type { WorldSpec } from "../../src/engine/simulation/worldSpec.ts";
import type { AwardSpec } from "../../src/engine/vpp/instructions/instructionSpec.ts";
import { runWorld } from "../runWorld.ts";
import {
  at,
  award,
  batterySites,
  consumer,
  evenSeries,
  flat,
  losslessBattery,
  parseEvents,
  site,
  vpp,
  world,
} from "../simulation/smallWorld.ts";

const LINES = [
  "capacity_jpy",
  "award_energy_jpy",
  "revenue_jpy",
  "penalty_jpy",
  "energy_cost_jpy",
  "profit_jpy",
] as const satisfies readonly NumericKpiName[];

/** Capacity, award energy, revenue, penalty, energy cost, profit; alike with tables and in the runs of studies. */
function ledgerOf(spec: WorldSpec): (number | null)[] {
  const lines = (kpis: ReturnType<typeof runWorld>["kpis"]) => LINES.map((name) => kpis.get(name) ?? null);
  const found = lines(runWorld(spec, { intervalMs: 1_800_000 }).kpis);
  const onlyKpis = { intervalMs: 0, timelines: false, causes: false, rows: false };
  expect(lines(runWorld(spec, onlyKpis).kpis)).toEqual(found);
  return found;
}

const HOUR = [at("00:00"), at("01:00")] as const;
const steps = (...values: number[]): Series => evenSeries("price", 30, values);

/** Battery with a plan of -100 kW under two awards, battery with auxiliaries, factory. */
function workedExample(): WorldSpec {
  const plan = { baseline: { method: "series", plan: flat(-100) } } as const;
  const big = { importMaxKw: 1000, exportMaxKw: 1000, ratedCapKwh: 2000 };
  const sites = [
    // 450 kWh: 600 kW for 45 minutes.
    site("b", losslessBattery({ ...big, initialSocPct: 22.5 }), plan),
    site("c", losslessBattery({ ...big, initialSocPct: 10, auxiliaryKw: 20 })),
    site("f", consumer(flat(500)), { baseline: { method: "constant", kw: 500 } }),
  ];
  const vpps = sites.map(({ name }, k) => vpp(name, sites, [[k, 1]]));
  const awards = [
    award("F", [...HOUR], -300, {
      sku: "frr",
      capacityPriceJpyPerKwHour: 3,
      priceJpyPerKwh: 24,
      penaltyJpyPerKwh: 45,
    }),
    award("X", [...HOUR], -200, { sku: "exchange-da", priceJpyPerKwh: 15 }),
    award("C", [...HOUR], 400, { vpp: 1, priceJpyPerKwh: 8 }),
    award("N", [...HOUR], -100, { vpp: 2, priceJpyPerKwh: 20 }),
  ];
  return world(sites, { vpps, awards, endMs: at("01:00"), energyPriceJpyPerKwh: evenSeries("market", 60, [10]) });
}

test("the worked example: profit -475", () => {
  const spec = workedExample();
  expect(ledgerOf(spec)).toEqual([900, 6450, 7350, 3375, 4450, -475]);
  const { kpis, awards } = runWorld(spec, { intervalMs: 3_600_000 });
  expect([kpis.get("import_kwh"), kpis.get("export_kwh")]).toEqual([820, 450]);
  expect(awards.map(({ deliveredKwh }) => deliveredKwh)).toEqual([-225, -125, 420, -100]);
});

test("the worked example by owner, award and site", () => {
  const { kpis, awards, sites, siteless } = runWorld(workedExample(), { intervalMs: 3_600_000 });
  const names = ["called_energy_cost_jpy", "own_energy_cost_jpy", "customer_energy_cost_jpy"] as const;
  expect(names.map((name) => kpis.get(name))).toEqual([450, -1000, 5000]);
  expect([kpis.get("aggregator_margin_jpy"), kpis.get("fees_jpy"), kpis.get("wear_jpy")]).toEqual([4525, null, null]);
  // F: revenue 900 + 5,400, penalty 3,375. X: 2,250, credited 25 kWh less than it is paid for. C pays 3,200 and moves 20 kWh more.
  expect(
    awards.map(({ revenueJpy, penaltyJpy, energyCostJpy, marginJpy }) => [
      revenueJpy,
      penaltyJpy,
      energyCostJpy,
      marginJpy,
    ]),
  ).toEqual([
    [6300, 3375, 0, 2925],
    [2250, null, 250, 2000],
    [-3200, null, 200, -3400],
    [2000, null, 0, 2000],
  ]);
  expect(awards.map(({ deliveredWithinKwh }) => deliveredWithinKwh)).toEqual([225, 150, 400, 100]);
  expect(
    sites.map(({ money }) => [
      money?.owner,
      money?.revenueJpy,
      money?.energyCostJpy,
      money?.ownEnergyCostJpy,
      money?.customerEnergyCostJpy,
      money?.marginJpy,
    ]),
  ).toEqual([
    ["aggregator", 8550, 250, -1000, null, 8550 - 3375 - 250 + 1000],
    ["aggregator", -3200, 200, 0, null, -3400],
    ["customer", 2000, 0, null, 5000, 2000],
  ]);
  expect(siteless).toBeNull();
});

test("fees and wear are those of the aggregator's sites", () => {
  const spec = { ...workedExample(), charges: { feePerKwh: 0.5, wearPerKwh: 2 } };
  const { kpis, sites } = runWorld(spec, { intervalMs: 3_600_000 });
  // b exports 450 kWh and c imports 420; b discharges 450.
  expect([kpis.get("fees_jpy"), kpis.get("wear_jpy")]).toEqual([435, 900]);
  expect([kpis.get("aggregator_margin_jpy"), kpis.get("profit_jpy")]).toEqual([4525 - 1335, -475 - 1335]);
  expect(sites.map(({ money }) => [money?.feesJpy, money?.wearJpy])).toEqual([
    [225, 900],
    [210, 0],
    [null, null],
  ]);
});

describe("a line", () => {
  const hour = (changes: Partial<AwardSpec>, market: Series | null = null) =>
    world(batterySites(100), {
      awards: [award("A", [...HOUR], -100, changes)],
      endMs: at("01:00"),
      energyPriceJpyPerKwh: market,
    });

  test("without its price is null and counts 0 in the sums; without any price all are null", () => {
    expect(ledgerOf(hour({}))).toEqual([null, null, null, null, null, null]);
    expect(ledgerOf(hour({ priceJpyPerKwh: 10 }))).toEqual([null, 1000, 1000, null, null, 1000]);
    expect(ledgerOf(hour({ capacityPriceJpyPerKwHour: 2 }))).toEqual([200, null, 200, null, null, 200]);
    expect(ledgerOf(hour({ penaltyJpyPerKwh: 5 }))).toEqual([null, null, null, 0, null, 0]);
    expect(ledgerOf(hour({}, flat(10)))).toEqual([null, null, null, null, -1000, 1000]);
    // The award prices every kWh that flows.
    expect(ledgerOf(hour({ priceJpyPerKwh: 0 }, flat(10)))).toEqual([null, 0, 0, null, 0, 0]);
  });

  test("of an award with import is a cost", () =>
    expect(
      ledgerOf(
        world(batterySites(100), {
          awards: [award("A", [...HOUR], 100, { priceJpyPerKwh: 8 })],
          endMs: at("01:00"),
          energyPriceJpyPerKwh: flat(10),
        }),
      ),
    ).toEqual([null, -800, -800, null, 0, -800]));

  test("prices no energy beyond the request or the wrong way, which the market price values", () => {
    const load = evenSeries("load", 30, [350, 650]);
    const spec = world([site("f", consumer(load), { baseline: { method: "constant", kw: 500 } })], {
      awards: [award("A", [...HOUR], -100, { priceJpyPerKwh: steps(20, 30) })],
      endMs: at("01:00"),
      energyPriceJpyPerKwh: steps(7, 11),
    });
    // 250 kW below the baseline, then 50 kW above it: 50 kWh at 20. Meter 125 and 275 kWh; -50 kWh of the first are the award's.
    expect(ledgerOf(spec)).toEqual([null, 1000, 1000, null, 175 * 7 + 275 * 11, 1000 - 175 * 7 - 275 * 11]);
  });

  test("has the price of each step within an award", () => {
    const spec = world([site("b", losslessBattery({ initialSocPct: 7.5 }))], {
      awards: [
        award("A", [...HOUR], -100, {
          capacityPriceJpyPerKwHour: evenSeries("price", 20, [3, 6, 9]),
          priceJpyPerKwh: evenSeries("price", 15, [10, 20, 40, 80]),
          penaltyJpyPerKwh: evenSeries("price", 10, [0, 0, 0, 0, 6, 12]),
        }),
      ],
      endMs: at("01:00"),
      energyPriceJpyPerKwh: evenSeries("market", 20, [7, 8, 9]),
    });
    // 75 kWh in 45 minutes.
    const penalty = (100 * 5 * 6 + 100 * 10 * 12) / 60;
    expect(ledgerOf(spec)).toEqual([600, 1750, 2350, penalty, 0, 2350 - penalty]);
  });

  test("of a refused award is its penalty over the whole span, at the price of each step", () => {
    const spec = world(batterySites(500), {
      awards: [
        award("A", [...HOUR], -100, {
          activation: steps(0.5, 1),
          capacityPriceJpyPerKwHour: 2,
          priceJpyPerKwh: 9,
          penaltyJpyPerKwh: steps(3, 8),
        }),
      ],
      events: parseEvents("outage 0 00:00-01:00"),
      endMs: at("01:00"),
    });
    expect(ledgerOf(spec)).toEqual([0, 0, 0, 475, null, -475]);
  });

  test("of FCR is the payment for the capacity held; of a compound it bears on the delta", () => {
    const capable = site("a", losslessBattery({ importMaxKw: 100, exportMaxKw: 100, fcrCapable: true }));
    const prices = { capacityPriceJpyPerKwHour: 2, priceJpyPerKwh: 9, penaltyJpyPerKwh: 7 };
    const one = (changes: Partial<AwardSpec>) =>
      ledgerOf(
        world([capable], {
          awards: [award("A", [...HOUR], 0, { ...prices, ...changes })],
          endMs: at("01:00"),
        }),
      );
    expect(one({ sku: "fcr", deltaKw: null, fcrResponseKw: 130 })).toEqual([200, 0, 200, 0, null, 200]);
    const [capacityJpy, energyJpy] = one({ sku: "compound", deltaKw: -60, fcrResponseKw: 30 });
    expect([capacityJpy, energyJpy]).toEqual([120, 540]);
  });

  test("is held power while an outage leaves the award uncovered: the snapshot of the dispatch", () => {
    const spec = world(batterySites(100, 100), {
      awards: [award("A", [...HOUR], -260, { capacityPriceJpyPerKwHour: 3, activation: 0.5 })],
      events: parseEvents("outage 0 00:30-01:00"),
      endMs: at("01:00"),
    });
    expect(ledgerOf(spec)[0]).toBe(600);
  });
});
