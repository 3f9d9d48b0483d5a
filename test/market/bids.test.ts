import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MS_PER_HALF_HOUR, MS_PER_HOUR } from "../../src/base/time.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import { buildScenario, loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { bidTotals, clearBid, type PricedBid } from "../../src/market/clearBid.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const pricesOf = (values: readonly number[]): Series =>
  new Series(
    "price",
    Float64Array.from(values, (_, k) => k * MS_PER_HALF_HOUR),
    Float64Array.from(values),
    "step",
    values.length * MS_PER_HALF_HOUR,
  );

const bidOf = (keys: Partial<PricedBid>): PricedBid => ({
  bidId: "B-1",
  vpp: "east",
  sku: "exchange-da",
  kw: -1000,
  unit: "kwh",
  startMs: 0,
  endMs: 3 * MS_PER_HALF_HOUR,
  slotMs: MS_PER_HALF_HOUR,
  isAllOrNone: false,
  pricePerUnit: 20,
  clearedPricePerUnit: pricesOf([18, 21, 20]),
  paid: "cleared",
  reservationPricePerUnit: 12,
  ...keys,
});

const clear = (keys: Partial<PricedBid>) => clearBid(bidOf(keys), Number.POSITIVE_INFINITY);

describe("the example of docs/model/bids.md", () => {
  test("a sale is taken where the price is at least the bid, and paid the cleared price", () => {
    const { slots, taken } = clear({});
    expect(slots.map(({ marginPerUnit }) => marginPerUnit)).toEqual([-2, 1, 0]);
    expect(slots.map(({ awardId }) => awardId)).toEqual([null, "B-1-2", "B-1-2"]);
    expect(slots.map(({ paidPricePerUnit }) => paidPricePerUnit)).toEqual([null, 21, 20]);
    expect(slots.map(({ amountJpy }) => amountJpy)).toEqual([0, 10_500, 10_000]);
    expect(slots.map(({ marginJpy }) => marginJpy)).toEqual([0, 4500, 4000]);
    expect(taken).toEqual([{ awardId: "B-1-2", startMs: MS_PER_HALF_HOUR, endMs: 3 * MS_PER_HALF_HOUR }]);
    expect(bidTotals(slots)).toEqual({ slots: 3, taken: 2, amountJpy: 20_500, marginJpy: 8500 });
  });

  test("all or none is decided by the mean prices", () => {
    expect(clear({ isAllOrNone: true }).taken).toEqual([]);
    const whole = clear({ isAllOrNone: true, pricePerUnit: 19.5 });
    expect(whole.taken).toEqual([{ awardId: "B-1", startMs: 0, endMs: 3 * MS_PER_HALF_HOUR }]);
    // Also the slot whose own price is too low.
    expect(whole.slots.map(({ marginPerUnit }) => marginPerUnit)).toEqual([-1.5, 1.5, 0.5]);
    expect(whole.slots.map(({ amountJpy }) => amountJpy)).toEqual([9000, 10_500, 10_000]);
  });
});

test("a purchase is taken where the price is at most the bid, and pays", () => {
  const { slots } = clear({ kw: 1000, reservationPricePerUnit: 25 });
  expect(slots.map(({ awardId }) => awardId)).toEqual(["B-1", null, "B-1-3"]);
  expect(slots.map(({ amountJpy }) => amountJpy)).toEqual([-9000, 0, -10_000]);
  expect(slots.map(({ marginJpy }) => marginJpy)).toEqual([3500, 0, 2500]);
});

test.each([
  // 500 kW · 2 prices, per 30 minutes and per hour.
  ["kw_30min", 2500, 1250],
  ["kw_h", 1250, 625],
] as const)("capacity is sold in both directions and paid its bid, per %s", (unit, amountJpy, marginJpy) => {
  for (const kw of [500, -500]) {
    const keys = {
      kw,
      unit,
      pricePerUnit: 5,
      clearedPricePerUnit: 7,
      reservationPricePerUnit: 2.5,
      paid: "bid",
      endMs: MS_PER_HALF_HOUR,
    };
    expect(clear(keys as Partial<PricedBid>).slots).toMatchObject([
      { paidPricePerUnit: 5, amountJpy, marginJpy, marginPerUnit: 2 },
    ]);
    expect(clear({ ...keys, clearedPricePerUnit: 4.999 } as Partial<PricedBid>).taken).toEqual([]);
  }
});

test("slots beyond the run are not cleared", () => {
  expect(clearBid(bidOf({}), 2 * MS_PER_HALF_HOUR).slots).toHaveLength(2);
});

test("taken periods are the taken slots, whatever the prices", () => {
  const price = fc.integer({ min: -5, max: 30 });
  fc.assert(
    fc.property(fc.array(price, { minLength: 1, maxLength: 40 }), price, fc.boolean(), (cleared, bid, isSale) => {
      const { slots, taken } = clear({
        kw: isSale ? -100 : 100,
        pricePerUnit: bid,
        clearedPricePerUnit: pricesOf(cleared),
        endMs: cleared.length * MS_PER_HALF_HOUR,
      });
      for (const [k, slot] of slots.entries())
        expect(slot.awardId !== null).toBe(isSale ? cleared[k] >= bid : cleared[k] <= bid);
      const takenMs = taken.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
      expect(takenMs).toBe(slots.filter(({ awardId }) => awardId !== null).length * MS_PER_HALF_HOUR);
      for (const [k, { startMs }] of taken.entries()) expect(k === 0 || taken[k - 1].endMs < startMs).toBe(true);
      expect(new Set(taken.map(({ awardId }) => awardId)).size).toBe(taken.length);
    }),
  );
});

const SCENARIO = `version: 1
name: bids
start: 2026-04-01T00:00:00Z
end: 2026-04-01T02:00:00Z
series:
  spot: {file: spot.csv}
sites:
  - name: battery
    components:
      - {component_id: bat, component_type: battery, rated_cap: 4000, import_pwr_max: 1000, export_pwr_max: 1000,
         soc_op_min: 0, soc_op_max: 100}
vpps:
  - {name: east, members: [{site: battery, resource_type: battery}]}
awards:
  - {vpp: east, sku: rr, start: 2026-04-01T00:00:00Z, end: 2026-04-01T00:30:00Z, delta_kw: -100, price_jpy_per_kw_30min: 3}
bids:
  - {vpp: east, sku: exchange-da, start: 2026-04-01T00:00:00Z, end: 2026-04-01T02:00:00Z, delta_kw: -600, bid_jpy_per_kwh: 20,
     cleared_price: spot.price}
  - {file: reserve.csv, vpp: east}
`;

function folderOf(scenario = SCENARIO): string {
  const folder = createTemporaryFolder("bids");
  writeFileSync(join(folder, "scenario.yaml"), scenario);
  const rows = [21, 19, 20, 25].map(
    (price, k) => `${new Date(Date.UTC(2026, 3, 1) + k * 1_800_000).toISOString()},${price}`,
  );
  writeFileSync(join(folder, "spot.csv"), `timestamp,price\n${rows.join("\n")}\n`);
  writeFileSync(
    join(folder, "reserve.csv"),
    "bid_id,sku,start,end,delta_kw,activation,bid_jpy_per_kw_30min,cleared_price,v1_price_per_kwh\n" +
      "low,rr,2026-04-01T01:00:00Z,2026-04-01T01:30:00Z,-200,0,2,3,24\n" +
      "high,rr,2026-04-01T01:30:00Z,2026-04-01T02:00:00Z,-200,0,4,3,24\n",
  );
  return folder;
}

test("taken bids run as awards at the price that is paid, and the report says what was refused", async () => {
  const folder = folderOf();
  const scenario = loadScenario(join(folder, "scenario.yaml"));
  expect(
    scenario.world.awards.map(({ awardId, startMs, endMs }) => [awardId, (endMs - startMs) / MS_PER_HOUR]),
  ).toEqual([
    ["A-1", 0.5],
    ["B-1", 0.5],
    ["B-1-3", 1],
    ["low", 0.5],
  ]);
  const [, first, second, low] = scenario.world.awards;
  expect(first.priceJpyPerKwh).toBeInstanceOf(Series);
  expect(low.capacityPriceJpyPerKwHour).toBe(4);
  expect(second.activation).toBe(1);
  const out = join(folder, "report");
  const { record } = await runScenario(scenario, { out });
  // 600 kW in three half hours at 21, 20 and 25; 100 kW at 3 and 200 kW at 2 for half an hour each.
  expect(record.kpis.get("award_energy_jpy")).toBeCloseTo(300 * (21 + 20 + 25), 6);
  expect(record.kpis.get("capacity_jpy")).toBeCloseTo(300 + 400, 6);
  const summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  expect(summary.bids).toEqual({ slots: 6, taken: 4, amount_jpy: 19_800 + 400, margin_jpy: 300 * (1 + 0 + 5) });
  const rows = readFileSync(join(out, "bids.csv"), "utf8").trim().split("\n");
  expect(rows[0]).toBe(
    "slot_start,slot_end,bid_id,vpp_id,sku,bid_kw,price_per,bid_price_jpy,cleared_price_jpy,margin_price_jpy,result,award_id,paid_price_jpy,amount_jpy,margin_jpy",
  );
  expect(rows[2]).toBe(
    "2026-04-01T00:30:00Z,2026-04-01T01:00:00Z,B-1,east,exchange-da,-600.000,kwh,20.000,19.000,-1.000,refused,,,0.000,0.000",
  );
  expect(rows.map((row) => row.split(",")[10])).toEqual([
    "result",
    "taken",
    "refused",
    "taken",
    "taken",
    "taken",
    "refused",
  ]);
  const page = readFileSync(join(out, "report.html"), "utf8");
  expect(page).toContain("Bids by VPP and product");
});

test("a study sets prices of bids, and a bid is part of the hash", () => {
  const source = new ScenarioSource(join(folderOf(), "scenario.yaml"), diskFiles);
  const idsOf = (price: number): string[] =>
    buildScenario(source, { patch: { "bids.B-*.bid_jpy_per_kwh": price } }).world.awards.map(({ awardId }) => awardId);
  const { hash, world } = buildScenario(source);
  expect(idsOf(19)).toEqual(["A-1", "B-1", "low"]);
  expect(idsOf(26)).toEqual(["A-1", "low"]);
  // The build without a patch is not changed by the others.
  expect(buildScenario(source).world.awards.map(({ awardId }) => awardId)).toEqual(
    world.awards.map(({ awardId }) => awardId),
  );
  const refused = buildScenario(source, { patch: { "bids.high.bid_jpy_per_kw_30min": 5 } });
  expect(refused.world.awards).toEqual(world.awards);
  expect(refused.hash).not.toBe(hash);
  expect(() => buildScenario(source, { patch: { "bids.X.bid_jpy_per_kwh": 5 } })).toThrow(
    "a glob that matches the bid_id",
  );
});

test.each([
  ["no price", "bid_jpy_per_kwh: 20,", "", "bids.0: found no price, allowed one of bid_per_kw_30min"],
  [
    "two prices",
    "bid_jpy_per_kwh: 20,",
    "bid_jpy_per_kwh: 20, bid_jpy_per_kw_h: 1,",
    "bid_jpy_per_kw_h and bid_jpy_per_kwh, allowed one of",
  ],
  ["a broken slot", "end: 2026-04-01T02:00:00Z, delta", "end: 2026-04-01T01:40:00Z, delta", "a whole number of slots"],
  ["no energy", "delta_kw: -600", "delta_kw: 0", "bids.0.bid_jpy_per_kwh: found no energy"],
  ["an unknown series", "spot.price}", "sport.price}".replace("}", "\n     }"), 'series "sport"'],
  ["an unknown VPP", "{vpp: east, sku: exchange-da", "{vpp: west, sku: exchange-da", "the name of a VPP"],
  ["an amount of another product", "sku: exchange-da", "sku: fcr", "fcr_response_kw"],
  ["a price of the award", "bid_jpy_per_kwh: 20,", "bid_jpy_per_kwh: 20, price_jpy_per_kw_h: 1,", "unknown key"],
])("a bid with %s is refused with its place", (_what, from, to, message) => {
  expect(SCENARIO).toContain(from);
  const file = join(folderOf(SCENARIO.replace(from, to)), "scenario.yaml");
  expect(() => loadScenario(file)).toThrow(message);
});
