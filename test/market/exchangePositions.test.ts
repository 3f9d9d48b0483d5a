import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MS_PER_HALF_HOUR, MS_PER_HOUR, MS_PER_MINUTE } from "../../src/base/time.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { type ExchangeAward, ExchangePositions } from "../../src/market/exchangePositions.ts";
import type { EnergyLine } from "../../src/market/settlement.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { SETTLED_HEAD } from "./settledFixtures.ts";

const award = (sku: ExchangeAward["sku"], fromMinute: number, toMinute: number, kw: number): ExchangeAward => ({
  awardId: `${sku} ${fromMinute} ${toMinute} ${kw}`,
  sku,
  startMs: fromMinute * MS_PER_MINUTE,
  endMs: toMinute * MS_PER_MINUTE,
  kw,
});

const positions = (...awards: readonly ExchangeAward[]): ExchangePositions => {
  const out = new ExchangePositions(MS_PER_HALF_HOUR);
  for (const each of awards) out.add(each);
  return out;
};

/** kWh of the slots of an hour, as [spot, intraday]. */
const hourOf = (traded: ExchangePositions) =>
  [0, 1].map((k) => {
    const { spotKwh, intradayKwh } = traded.energyOver(k * MS_PER_HALF_HOUR, (k + 1) * MS_PER_HALF_HOUR);
    return [spotKwh, intradayKwh];
  });

describe("exchange awards as positions of a group", () => {
  test.each([
    ["a day-ahead award is a spot position", [award("exchange-da", 0, 60, -400)], [-200, 0], [-200, 0]],
    ["an intraday award alone is an intraday position", [award("exchange-ttv", 30, 60, -400)], [0, 0], [0, -200]],
    [
      "an intraday award trades the difference to the day-ahead position",
      [award("exchange-da", 0, 60, -400), award("exchange-ttv", 30, 60, -600)],
      [-200, 0],
      [-200, -100],
    ],
    [
      "an intraday award of the other direction buys back",
      [award("exchange-da", 0, 60, -400), award("exchange-ttv", 0, 60, 100)],
      [-200, 250],
      [-200, 250],
    ],
    [
      "the last of two intraday awards counts",
      [award("exchange-da", 0, 60, -400), award("exchange-ttv", 0, 60, -600), award("exchange-ttv", 30, 60, -500)],
      [-200, -100],
      [-200, -50],
    ],
    [
      "a day-ahead award that is registered later replaces both",
      [award("exchange-da", 0, 60, -400), award("exchange-ttv", 0, 60, -600), award("exchange-da", 30, 60, -300)],
      [-200, -100],
      [-150, 0],
    ],
    [
      "a sold reduction is a spot position beside the others",
      [award("exchange-da", 0, 60, -400), award("negawatt-spot", 0, 60, -50), award("exchange-ttv", 0, 30, -300)],
      [-225, 50],
      [-225, 0],
    ],
    ["a part of a slot counts with its time", [award("exchange-da", 10, 40, -600)], [-200, 0], [-100, 0]],
  ])("%s", (_rule, awards, first, second) => {
    const hour = hourOf(positions(...(awards as readonly ExchangeAward[])));
    [first, second].forEach((expected, k) => {
      (expected as readonly number[]).forEach((kwh, j) => expect(hour[k][j]).toBeCloseTo(kwh, 9));
    });
  });

  test("a deleted award is not traded in the period of the deletion", () => {
    const dayAhead = award("exchange-da", 0, 60, -400);
    const intraday = award("exchange-ttv", 0, 60, -600);
    const traded = positions(dayAhead, intraday);
    traded.remove(intraday.awardId, { startMs: 30 * MS_PER_MINUTE, endMs: 60 * MS_PER_MINUTE });
    expect(hourOf(traded)).toEqual([
      [-200, -100],
      [-200, 0],
    ]);
  });

  test("the positions add up to the power of the award in force, instant by instant", () => {
    const drawn = fc.record({
      sku: fc.constantFrom("exchange-da" as const, "exchange-ttv" as const),
      from: fc.integer({ min: 0, max: 55 }),
      minutes: fc.integer({ min: 5, max: 60 }),
      kw: fc.integer({ min: -1000, max: 1000 }),
    });
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 8 }), (rows) => {
        const awards = rows.map(({ sku, from, minutes, kw }) => award(sku, from, from + minutes, kw));
        const traded = positions(...awards);
        for (let slot = 0; slot < 4; slot++) {
          // The last award that covers a minute is in force in it.
          let kwh = 0;
          for (let minute = 30 * slot; minute < 30 * slot + 30; minute++) {
            const atMs = minute * MS_PER_MINUTE;
            const inForce = awards.findLast(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
            kwh += ((inForce?.kw ?? 0) * MS_PER_MINUTE) / MS_PER_HOUR;
          }
          const energy = traded.energyOver(slot * MS_PER_HALF_HOUR, (slot + 1) * MS_PER_HALF_HOUR);
          expect(energy.spotKwh + energy.intradayKwh).toBeCloseTo(kwh, 6);
        }
      }),
      { numRuns: 200 },
    );
  });
});

const SETTLEMENT = `settlement:
  market: jp
  values: {wheeling_charging: none, capacity_price_kw_year: 0}
  prices: {spot: 20, intraday: 25, imbalance: 30}
`;

async function settle(awards: string, settlement = SETTLEMENT) {
  const file = join(createTemporaryFolder("exchange"), "scenario.yaml");
  writeFileSync(file, `${SETTLED_HEAD}awards:\n${awards}${settlement}`);
  const result = (await runScenario(loadScenario(file))).settlement;
  if (result === null) throw new Error("the scenario is settled");
  const items = Object.fromEntries(result.invoice.map(({ item, amount }) => [item, Number(amount.toFixed(6))]));
  return { ...result, items };
}

const at = (time: string) => `2026-06-01T${time}:00+09:00`;
const awardLine = (keys: string, from: string, to: string, kw: number) =>
  `  - {vpp: tokyo, ${keys}, start: ${at(from)}, end: ${at(to)}, delta_kw: ${kw}}\n`;
const kwhOf = (lines: readonly EnergyLine[]) =>
  lines.map((line) => [line.spotKwh, line.intradayKwh, line.meteredKwh, line.imbalanceKwh].map((kwh) => kwh || 0));

const dayAhead = awardLine("award_id: D, sku: exchange-da", "01:00", "02:00", -400);
const raised = awardLine(`award_id: I, sku: exchange-ttv, registered_at: ${at("00:50")}`, "01:30", "02:00", -600);

test("a day-ahead sale that is raised intraday is settled at both prices, without any fee of a reserve", async () => {
  const { awards, energy, items } = await settle(dayAhead + raised);
  expect(kwhOf(energy.slice(2, 4))).toEqual([
    [-200, 0, -200, 0],
    [-200, -100, -300, 0],
  ]);
  expect(awards).toEqual([]);
  // 400 kWh at 20, 100 kWh at 25, 500 kWh at 0.03.
  expect(items).toMatchObject({ spot: 8000, intraday: 2500, jepx_fee: -15, total_cash: 10_485 });
  expect(items).not.toHaveProperty("eprx_fee");
});

test("energy of a position that an empty store does not deliver is imbalance", async () => {
  // 600 kWh are gone after 45 minutes at 800 kW.
  const { energy, items } = await settle(awardLine("sku: exchange-da", "01:00", "02:00", -800));
  const [first, second] = kwhOf(energy.slice(2, 4));
  expect(first).toEqual([-400, 0, -400, 0]);
  [-400, 0, -200, -200].forEach((kwh, k) => expect(second[k]).toBeCloseTo(kwh, 6));
  expect(items.spot).toBeCloseTo(16_000, 6);
  expect(items.imbalance).toBeCloseTo(-6000, 3);
});

test("a reserve beside a position activates energy of its own", async () => {
  const reserve = awardLine(
    "award_id: R, sku: rr, price_jpy_per_kw_30min: 4, v1_price_per_kwh: 24",
    "01:00",
    "01:30",
    -200,
  );
  const { awards, energy } = await settle(dayAhead + reserve);
  expect(awards.map(({ awardId, activatedKwh }) => [awardId, activatedKwh])).toEqual([["R", -100]]);
  expect(kwhOf(energy.slice(2, 3))).toEqual([[-200, 0, -300, 0]]);
});

test("a plan of the scenario states the whole position", async () => {
  const settlement = SETTLEMENT.replace("prices:", "plan: {spot_kw: -100, intraday_kw: 0}\n  prices:");
  const { energy } = await settle(dayAhead, settlement);
  expect(kwhOf(energy.slice(2, 3))).toEqual([[-50, 0, -200, 150]]);
});

test("a refused award counts as traded", async () => {
  const outage = `events:\n  - {at: ${at("00:00")}, kind: outage, site: battery, duration: PT3H}\n`;
  const { energy } = await settle(dayAhead + outage);
  expect(kwhOf(energy.slice(2, 3))).toEqual([[-200, 0, 0, -200]]);
});
