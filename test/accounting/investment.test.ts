// What batteries cost and bring: the worked numbers of a year, and a month by hand.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { investmentDifference, investmentFigures } from "../../src/accounting/kpis/investment.ts";
import { InputErrors } from "../../src/base/inputError.ts";
import type { InvestmentFlags } from "../../src/inputs/scenario/build/buildInvestment.ts";
import type { LoadOptions } from "../../src/inputs/scenario/loadScenario.ts";
import { buildScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { investedRun } from "../../src/report/compare/compareInvestments.ts";
import { readReportSummary } from "../../src/report/compare/readReport.ts";
import { textsIn } from "../../src/report/html/page/pageLocale.ts";
import { investmentSentence } from "../../src/report/investmentText.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { runWorld } from "../runWorld.ts";
import { settingsOf } from "../scenario/settingsOf.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const TERMS = { capexPerKwh: 35_000, capexPerKw: 0, opexPerKwhYear: 0, lifetimeYears: 20, discountPct: 3 };
const yearOf = (ratedKwh: number, marginAmount: number | null, lostKwh: number | null = null) => ({
  hours: 8760,
  ratedKwh,
  ratedKw: 10_000,
  marginAmount,
  lostKwh,
});
const MARGIN = 151_055_044.056;

describe("a battery of 40 MWh that trades a year", () => {
  test("pays back in 9.27 years, and is worth 847 million JPY", () => {
    const { investment, yearlyMargin, paybackYears, netPresentValue } = investmentFigures(
      TERMS,
      yearOf(40_000, MARGIN),
    );
    expect([investment, yearlyMargin]).toEqual([1_400_000_000, MARGIN]);
    expect(paybackYears).toBeCloseTo(9.27, 2);
    expect(Math.round(netPresentValue ?? 0)).toBe(847_317_620);
  });

  test.each([
    [48_000, 14_563_840.716, 280_000_000, 19.23, -63_326_826],
    [32_000, -19_808_464.498, -280_000_000, null, -14_699_933],
  ])("compared with one of %d kWh, differs by these sums", (ratedKwh, more, investment, payback, value) => {
    const found = investmentDifference(TERMS, yearOf(40_000, MARGIN), yearOf(ratedKwh, MARGIN + more));
    expect(found.investment).toBe(investment);
    expect(found.yearlyMargin).toBeCloseTo(more, 6);
    if (payback === null) expect(found.paybackYears).toBeNull();
    else expect(found.paybackYears).toBeCloseTo(payback, 2);
    // The worked numbers are of a factor of eight digits.
    expect(Math.abs((found.netPresentValue ?? 0) - value)).toBeLessThan(2);
  });

  test("loses with ageing in each year what the first year lost", () => {
    // 0.9 of 100 in the second year and 0.8 in the third: 100 / 1.1 + 90 / 1.21 + 80 / 1.331.
    const terms = { ...TERMS, capexPerKwh: 1, lifetimeYears: 3, discountPct: 10 };
    const { netPresentValue } = investmentFigures(terms, yearOf(50, 100, 5));
    expect(netPresentValue).toBeCloseTo(90.90909 + 74.38017 + 60.10518 - 50, 4);
    // Nothing is left after ten years.
    const long = { ...terms, lifetimeYears: 50, discountPct: 0 };
    expect(investmentFigures(long, yearOf(50, 100, 5)).netPresentValue).toBeCloseTo(550 - 50, 9);
  });

  test("has no payback without a margin, and nothing but its cost without prices", () => {
    expect(investmentFigures(TERMS, yearOf(1, -5))).toMatchObject({ yearlyMargin: -5, paybackYears: null });
    expect(investmentFigures(TERMS, yearOf(1, null))).toEqual({
      investment: 35_000,
      yearlyMargin: null,
      paybackYears: null,
      netPresentValue: null,
    });
  });
});

/** 28 days at 10 JPY/kWh: a battery of 400 kWh that discharges 100 kW for an hour, and a load that does not count. */
const month = (days: number, rest = "") => `version: 1
name: month
start: 2026-04-01T00:00:00Z
end: ${new Date(Date.UTC(2026, 3, 1 + days)).toISOString()}
series: {prices: {file: prices.csv, repeat: day}}
market: {energy_price: prices.jpy}
${rest}sites:
  - name: battery
    components: [{component_id: bat, component_type: battery, rated_cap: 400, import_pwr_max: 100, export_pwr_max: 120, soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 50, charge_efficiency: 1, discharge_efficiency: 1}}]
vpps: [{name: v, members: [{site: battery, resource_type: battery}]}]
awards: [{vpp: v, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:00:00Z, delta_kw: -100}]
`;

function scenarioOf(text: string, flags: InvestmentFlags = {}, options: LoadOptions = {}) {
  const prices = `timestamp,jpy\n${Array.from({ length: 25 }, (_, k) => `${new Date(Date.UTC(2026, 3, 1, k)).toISOString()},10`).join("\n")}\n`;
  const files = memoryFiles(
    new Map([
      ["/s/s.yaml", text],
      ["/s/prices.csv", prices],
    ]),
  );
  return buildScenario(new ScenarioSource("/s/s.yaml", files, flags), options);
}
const messages = (act: () => unknown): string[] => {
  try {
    act();
  } catch (error) {
    if (error instanceof InputErrors) return error.errors.map(({ message }) => message.replaceAll("/s/", ""));
    throw error;
  }
  return [];
};

const KEY =
  "investment: {capex_per_kwh: 10, capex_per_kw: 5, opex_per_kwh_year: 2, lifetime_years: 2, discount_pct: 0}\n";

describe("a run with the key investment", () => {
  const scenario = scenarioOf(month(28, KEY));
  const record = runWorld(scenario.world, { intervalMs: 0 });
  const { kpis } = record;

  test("has its figures by hand", () => {
    // 400 · 10 + 120 · 5; 100 kWh sold at 10 in 28 days, less 2 · 400 a year.
    const yearly = (1000 * 365) / 28 - 800;
    expect(kpis.get("aggregator_margin_jpy")).toBe(1000);
    expect(kpis.get("investment_jpy")).toBe(4600);
    expect(kpis.get("yearly_margin_jpy")).toBeCloseTo(yearly, 9);
    expect(kpis.get("payback_years")).toBeCloseTo(4600 / yearly, 9);
    expect(kpis.get("npv_jpy")).toBeCloseTo(2 * yearly - 4600, 9);
  });

  test("has the same figures by its report, for comparisons", async () => {
    const out = join(createTemporaryFolder("invested"), "r");
    await runScenario(scenario, { out });
    const { settings } = JSON.parse(readFileSync(join(out, "scenario.json"), "utf8"));
    const terms = { capexPerKwh: 10, capexPerKw: 5, opexPerKwhYear: 2, lifetimeYears: 2, discountPct: 0 };
    const figures = investmentFigures(terms, investedRun(readReportSummary(out), settings));
    expect(figures.investment).toBe(4600);
    expect(figures.netPresentValue).toBeCloseTo(kpis.get("npv_jpy") ?? Number.NaN, 6);
  });

  test("says what they assume", () => {
    expect(investmentSentence(record, textsIn("en"))).toBe(
      "One year is repeated 2 times, prices as given, 0 % a year; ageing: none modelled.",
    );
    expect(investmentSentence(record, textsIn("ja"))).toContain("2 回");
    expect(investmentSentence({ kpis }, textsIn("en"))).toBeNull();
  });

  test.each([
    [
      "en",
      "The batteries cost 4,600 JPY and earn 12,236 JPY a year: simple payback in 0.38 years, net present value 19,871 JPY. One year is repeated 2 times",
    ],
    [
      "ja",
      "蓄電池の投資額は 4,600 円、年間利益は 12,236 円、単純回収年数は 0.38 年、正味現在価値は 19,871 円。 1 年分を 2 回繰り返し",
    ],
  ] as const)("says it on the page, in %s", async (language, sentence) => {
    const out = join(createTemporaryFolder("invested"), language);
    await runScenario(scenario, { out, language });
    expect(readFileSync(join(out, "report.html"), "utf8").replaceAll("\u00a0", " ")).toContain(sentence);
  });

  test("takes flags in place of its keys, and patches on top of both", () => {
    const flags = { capex_per_kwh: 20, discount_pct: 4 };
    expect(scenarioOf(month(28, KEY), flags).world.investment).toMatchObject({
      capexPerKwh: 20,
      capexPerKw: 5,
      discountPct: 4,
    });
    expect(scenarioOf(month(28), { capex_per_kwh: 20 }).world.investment).toEqual({ ...TERMS, capexPerKwh: 20 });
    const patched = scenarioOf(month(28, KEY), flags, { patch: { "investment.capex_per_kwh": "*1.5" } });
    expect(patched.world.investment?.capexPerKwh).toBe(30);
    expect(Object.fromEntries(settingsOf(patched))).toMatchObject({
      "investment.capex_per_kwh": 30,
      "investment.discount_pct": 4,
    });
  });

  test("leaves the figures and the hash of a scenario without it alone", () => {
    const without = runWorld(scenarioOf(month(28)).world, { intervalMs: 0 }).kpis;
    expect([...without.keys()]).not.toContain("npv_jpy");
    expect(scenarioOf(month(28)).world.investment).toBeUndefined();
    expect(scenarioOf(month(28, KEY)).hash).not.toBe(scenarioOf(month(28)).hash);
  });

  test("of less than 28 days, or by a flag without a price, is refused", () => {
    expect(messages(() => scenarioOf(month(1, KEY)))).toEqual([
      "s.yaml:7:13: investment: found 24 h; a year cannot be told from 24 h: run 28 days at least",
    ]);
    expect(messages(() => scenarioOf(month(1), { capex_per_kwh: 1 }))).toEqual([
      "--capex: found 24 h; a year cannot be told from 24 h: run 28 days at least",
    ]);
    expect(messages(() => scenarioOf(month(28), { discount_pct: 1 }))).toEqual([
      "--capex: a value is required (a price per kWh, which the other flags need)",
    ]);
  });
});
