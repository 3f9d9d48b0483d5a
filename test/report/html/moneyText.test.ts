// The sentences on money of the first screen.
import { describe, expect, test } from "vitest";
import { type KpiName, kpiOf } from "../../../src/accounting/kpis/kpiRegistry.ts";
import type { EnergyTrade } from "../../../src/accounting/ledger/energyTrade.ts";
import type { RunRecord } from "../../../src/accounting/runRecord.ts";
import { MS_PER_DAY } from "../../../src/base/time.ts";
import { figureUnit, moneyFormat } from "../../../src/report/html/page/money.ts";
import { createPageLocale, textsIn } from "../../../src/report/html/page/pageLocale.ts";
import { customersSentence, moneySentence } from "../../../src/report/html/sections/moneyText.ts";
import { emptyRecord, runKpis, START_MS, siteRow } from "./reportFixtures.ts";

const TRADE: EnergyTrade = {
  boughtKwh: 25_173_000,
  boughtJpy: 233_100_000,
  soldKwh: 22_240_000,
  soldJpy: 384_155_000,
  lowestJpyPerKwh: 6.065,
  highestJpyPerKwh: 23.066,
};

const recordOf = (values: Partial<Record<KpiName, number>>, changes: Partial<RunRecord> = {}): RunRecord => ({
  ...emptyRecord(),
  kpis: runKpis({ requested_kwh: 100, ...values }),
  timelines: [],
  sites: [siteRow({ vpp: "kanto" }), siteRow({ site: "bat-02", vpp: "kanto" })],
  trade: TRADE,
  ...changes,
});

const plain = (text: { readonly text: string }): string =>
  text.text
    .replace(/<[^>]+>/g, "")
    .replaceAll("\u00a0", " ")
    .trim();

const sentence = (record: RunRecord, language: "en" | "ja" = "en"): string =>
  plain(moneySentence(record, createPageLocale(language, "Asia/Tokyo", record)));

/**
 * As the account prints it: 31,918 + 14,352 − 24,918 + 40,671 − 228 = 61,795, where the remainders 0.803 of −228.197 and 0.485 of
 * 40,670.485 are the largest, and 61,795 − 322,638 = −260,843.
 */
const DAY = {
  capacity_jpy: 31_918.03,
  award_energy_jpy: 14_352.218,
  revenue_jpy: 46_270.248,
  penalty_jpy: 24_917.68,
  called_energy_cost_jpy: -40_670.485,
  own_energy_cost_jpy: 228.197,
  customer_energy_cost_jpy: 322_637.388,
  aggregator_margin_jpy: 61_794.856,
  profit_jpy: -260_842.532,
} as const;

describe("the sentence on money", () => {
  test("says what was earned, from what, and what the shortfall cost", () => {
    expect(sentence(recordOf(DAY))).toBe(
      "The virtual power plant earned 61,795 JPY: 46,270 from awards and 40,671 from energy sold at 6.1 to 23.1 JPY/kWh, less 24,918 of penalties.",
    );
    expect(sentence(recordOf(DAY), "ja")).toBe(
      "VPP の利益は 61,795 円：約定収入 46,270 円、指令電力量の市場での売電 40,671 円（6.1～23.1 円/kWh）。差し引き：ペナルティ 24,918 円。",
    );
  });

  test("says lost below 0, with all amounts in the unit of the largest", () => {
    const year = {
      capacity_jpy: 137_761_766,
      revenue_jpy: 137_761_766,
      penalty_jpy: 123_475_508,
      called_energy_cost_jpy: 54_343_039,
      aggregator_margin_jpy: -40_056_781,
    };
    expect(sentence(recordOf(year))).toBe(
      "The virtual power plant lost 40.1 million JPY: 137.8 from awards, less 54.3 for energy moved by awards at 6.1 to 23.1 JPY/kWh and 123.5 of penalties.",
    );
  });

  test("is that of the trade where nothing was requested", () => {
    const record = recordOf(
      { requested_kwh: 0, own_energy_cost_jpy: -151_055_044, aggregator_margin_jpy: 151_055_044 },
      { sites: [siteRow({ vpp: null })], endMs: START_MS + 365 * MS_PER_DAY },
    );
    expect(sentence(record)).toBe(
      "The battery earned 151.1 million JPY in a year: it bought 25.17 GWh at 9.26 and sold 22.24 GWh at 17.27 JPY/kWh on average.",
    );
    expect(sentence(record, "ja")).toBe(
      "蓄電池 の利益は1年間で 1.51 億円：25.17 GWh を平均 9.26、22.24 GWh を平均 17.27 円/kWh で売買。",
    );
  });

  test("says which prices are missing where there are none", () =>
    expect(sentence(recordOf({}, { trade: null }))).toBe(
      "No prices are given, so nothing is said of money; set market.energy_price and prices of awards.",
    ));

  test("leaves the customers' energy to a sentence of its own", () => {
    const customer = siteRow({ site: "factory" });
    const owned = { ...customer, money: { owner: "customer" } as NonNullable<typeof customer.money> };
    const of = (record: RunRecord) =>
      customersSentence(record, createPageLocale("en", "Asia/Tokyo", record))?.replaceAll("\u00a0", " ") ?? null;
    expect(of(recordOf(DAY, { sites: [owned] }))).toBe(
      "Apart from that, the customers' own energy cost 322,638 JPY; with it the profit is −260,843 JPY.",
    );
    expect(of(recordOf(DAY))).toBeNull();
  });
});

test("a figure has its unit in the language of the page", () => {
  const unitsIn = (language: "en" | "ja", currency: "JPY" | "EUR"): string[] =>
    (["payback_years", "npv_jpy", "settled_cash", "shortfall_kwh", "awards_total"] as const).map((name) =>
      figureUnit(kpiOf(name), textsIn(language, currency)),
    );
  expect(unitsIn("en", "JPY")).toEqual(["a", "JPY", "JPY", "kWh", ""]);
  expect(unitsIn("ja", "JPY")).toEqual(["年", "円", "円", "kWh", ""]);
  expect(unitsIn("ja", "EUR")).toEqual(["年", "ユーロ", "ユーロ", "kWh", ""]);
});

test("an amount has its currency and unit", () => {
  const text = (language: "en" | "ja", currency: "JPY" | "EUR", amount: number): string =>
    moneyFormat(textsIn(language, currency), amount).text(amount).replaceAll("\u00a0", " ");
  expect(text("en", "JPY", 999_999.4)).toBe("999,999 JPY");
  expect(text("en", "JPY", 999_999.6)).toBe("1.0 million JPY");
  expect(text("ja", "JPY", -61_794.9)).toBe("−61,795 円");
  expect(text("ja", "JPY", 40_056_781)).toBe("40.1 百万円");
  expect(text("ja", "JPY", 151_055_044)).toBe("1.51 億円");
  expect(text("en", "EUR", 61_794.9)).toBe("€61,795");
  expect(text("en", "EUR", 1_510_000)).toBe("€1.51 million");
});
