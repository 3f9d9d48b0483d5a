// The account of the run on its page, and the chart of the market price.
import { describe, expect, test } from "vitest";
import type { KpiName } from "../../../src/accounting/kpis/kpiRegistry.ts";
import { isoUtc, MS_PER_DAY, MS_PER_HOUR } from "../../../src/base/time.ts";
import { Series } from "../../../src/engine/series/model/series.ts";
import { createPageLocale } from "../../../src/report/html/page/pageLocale.ts";
import { moneySection } from "../../../src/report/html/sections/moneySection.ts";
import { emptyRecord, runKpis, START_MS } from "./reportFixtures.ts";

const bodyOf = (
  values: Partial<Record<KpiName, number>>,
  energyPrice: Series | null = null,
  endMs = START_MS + MS_PER_DAY,
  language: "en" | "ja" = "en",
): string => {
  const record = { ...emptyRecord(), endMs, kpis: runKpis(values) };
  const locale = createPageLocale(language, "Asia/Tokyo", record);
  return moneySection({ record, energyPrice }, locale)?.body.text ?? "";
};

const amountsOf = (body: string): string[] =>
  [...body.matchAll(/<td class="n">(?:<data value="[^"]+">|<span class="na">)([^<]*)</g)].map(([, text]) => text);

describe("the account", () => {
  test("is in whole yen that sum to the margin and the profit as printed", () => {
    const body = bodyOf({
      capacity_jpy: 100.4,
      award_energy_jpy: 100.4,
      penalty_jpy: 0.4,
      called_energy_cost_jpy: -10.4,
      own_energy_cost_jpy: 0,
      aggregator_margin_jpy: 210.8,
      customer_energy_cost_jpy: 20.4,
      profit_jpy: 190.4,
    });
    // 100.4 + 100.4 − 0.4 + 10.4 = 210.8 prints as 101 + 100 − 0 + 10 = 211, by the largest remainders: 0.6 of −0.4 first.
    expect(amountsOf(body)).toEqual(["101", "100", "0", "−10", "0", "–", "–", "211", "21", "190"]);
    expect(body).toContain('<data value="100.4">101</data>');
  });

  test("is in millions where an amount has seven digits", () => {
    const year = {
      own_energy_cost_jpy: -151_055_044.056,
      aggregator_margin_jpy: 151_055_044.056,
      profit_jpy: 151_055_044.056,
    };
    expect(amountsOf(bodyOf(year))).toEqual(["–", "–", "–", "–", "−151.06", "–", "–", "151.06", "–", "151.06"]);
    expect(bodyOf(year, null, undefined, "ja")).toContain("百万円");
  });
});

describe("the market price", () => {
  const hours = (count: number, of: (hour: number) => number): Series =>
    new Series(
      "spot",
      Float64Array.from({ length: count }, (_, k) => START_MS + k * MS_PER_HOUR),
      Float64Array.from({ length: count }, (_, k) => of(k)),
      "step",
      START_MS + count * MS_PER_HOUR,
    );
  const dataOf = (body: string): { bin_ms: number; start: number; series: { min: number[]; max: number[] }[] } =>
    JSON.parse(/<script type="application\/json" data-series="price">(.*?)<\/script>/.exec(body)?.[1] ?? "null");

  test("has the lowest and the highest price of each bin, also of a month", () => {
    const days = 30;
    const price = (hour: number): number => 5 + ((7 * hour) % 24);
    const body = bodyOf({ profit_jpy: 1 }, hours(24 * days, price), START_MS + days * MS_PER_DAY);
    const { bin_ms, start, series } = dataOf(body);
    expect([bin_ms, isoUtc(start)]).toEqual([MS_PER_HOUR, isoUtc(START_MS)]);
    expect(series[0].min).toEqual(Array.from({ length: 24 * days }, (_, k) => price(k)));
    expect(series[0].max).toEqual(series[0].min);
    expect(body).toContain("Market price of energy in JPY/kWh, Asia/Tokyo. Each bin is 1\u00a0h and shows");
  });

  test("is not drawn where it never changes", () => {
    expect(
      bodyOf(
        { profit_jpy: 1 },
        hours(24, () => 12),
      ),
    ).not.toContain("data-series");
  });
});
