// Batteries of three sizes that an award empties, valued as an investment against the first.
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../../src/inputs/scenario/parse/loadContext.ts";
import type { Patch } from "../../../src/inputs/scenario/patch/patchValue.ts";
import { ScenarioSource } from "../../../src/inputs/scenario/scenarioSource.ts";
import { compareReports } from "../../../src/report/compare/compareReports.ts";
import { renderComparisonHtml } from "../../../src/report/compare/comparisonPage.ts";
import { runScenario } from "../../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";

const root = createTemporaryFolder("investments");
const [now, larger, smaller, day, owned, idle, idleFuller] = [
  "now",
  "larger",
  "smaller",
  "day",
  "owned",
  "idle",
  "idleFuller",
].map((name) => join(root, name));

const AWARD = "[{vpp: v, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:00:00Z, delta_kw: -100}]";

/** Sells what a battery of 100 kWh holds, 50 kWh at 10 JPY/kWh, in 28 days. */
async function runTo(out: string, patch: Patch, days = 28, rest = "", awards = AWARD): Promise<void> {
  const scenario = `version: 1
name: month
start: 2026-04-01T00:00:00Z
end: ${new Date(Date.UTC(2026, 3, 1 + days)).toISOString()}
series: {prices: {file: prices.csv}}
market: {energy_price: prices.jpy}
${rest}sites:
  - name: battery
    components: [{component_id: bat, component_type: battery, rated_cap: 100, import_pwr_max: 80, export_pwr_max: 100, soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 50, charge_efficiency: 1, discharge_efficiency: 1}}]
vpps: [{name: v, members: [{site: battery, resource_type: battery}]}]
awards: ${awards}
`;
  const files = new Map([
    ["/s/s.yaml", scenario],
    ["/s/prices.csv", "timestamp,jpy\n2026-04-01T00:00:00Z,10\n2026-05-01T00:00:00Z,10\n"],
  ]);
  await runScenario(buildScenario(new ScenarioSource("/s/s.yaml", memoryFiles(files)), { patch }), { out });
}

const RATED = "sites.*.components.*.rated_cap";

beforeAll(async () => {
  await runTo(now, {});
  await runTo(larger, { [RATED]: "*1.5" });
  await runTo(smaller, { [RATED]: "*0.5" });
  await runTo(day, {}, 1);
  await runTo(idle, {}, 28, "", "[]");
  await runTo(idleFuller, { "sites.*.components.*.model.initial_soc": 60 }, 28, "", "[]");
  await runTo(owned, {}, 28, "investment: {capex_per_kwh: 20, lifetime_years: 10}\n");
});

describe("at 10 JPY per kWh and no discount over two years", () => {
  const flags = { capex_per_kwh: 10, lifetime_years: 2, discount_pct: 0 };
  const compared = () => compareReports([now, larger, smaller], { investment: flags });
  // 25 kWh more or less at 10 JPY, in 28 of 365 days.
  const yearly = (250 * 365) / 28;

  test("50 kWh more cost 500 JPY; fewer save it, and never pay back", () => {
    const [more, less] = compared().json.investment;
    expect(more).toMatchObject({ name: "rated_cap ×1.5", investment_jpy: 500 });
    expect(more.yearly_margin_jpy).toBeCloseTo(yearly, 3);
    expect(more.payback_years).toBeCloseTo(500 / yearly, 3);
    expect(more.npv_jpy).toBeCloseTo(2 * yearly - 500, 3);
    expect(less).toMatchObject({ investment_jpy: -500, payback_years: null });
    expect(less.yearly_margin_jpy).toBeCloseTo(-yearly, 3);
    expect(less.npv_jpy).toBeCloseTo(500 - 2 * yearly, 3);
  });

  test("the text and the page say so, with what it assumes", () => {
    const comparison = compared();
    const lines = comparison.text.split("\n");
    expect(lines[3]).toBe(
      "rated_cap ×1.5 against as written: investment +500 JPY, yearly margin +3,259 JPY, simple payback 0.15 years, net present value +6,018 JPY",
    );
    expect(lines[4]).toBe(
      "rated_cap ×0.5 against as written: investment -500 JPY, yearly margin -3,259 JPY, net present value -6,018 JPY",
    );
    const assumed = "One year is repeated 2 times, prices as given, 0 % a year; ageing: none modelled.";
    expect(lines).toContain(assumed);
    expect(lines.find((line) => line.includes("Simple payback"))).toMatch(/ a +0\.15 +–$/);
    const page = renderComparisonHtml(comparison);
    expect(page).toContain(assumed);
    expect(page).toContain("Net present value");
    const japanese = compareReports([now, larger], { investment: flags, language: "ja" });
    expect(japanese.text).toContain("rated_cap ×1.5（as written との差）".replace("as written", "現状"));
    expect(japanese.text).toContain("1 年分を 2 回繰り返し");
  });
});

test("of runs without requests nothing is said of shortfall", () => {
  const comparison = compareReports([idle, idleFuller]);
  expect(comparison.text.split("\n").slice(0, 4)).toEqual([
    "as written: margin 0 JPY",
    "initial_soc 60: margin 0 JPY (unchanged)",
    "Changed: site battery (bat.model.initial_soc 50 -> 60).",
    "No energy was requested in either run.",
  ]);
  const page = renderComparisonHtml(comparison);
  expect(page).toContain("<title>as written | initial_soc 60</title>");
  expect(page).not.toContain('id="bars-shortfall"');
  const japanese = compareReports([idle, idleFuller], { language: "ja" });
  expect(japanese.text).toContain("どちらの実行にも要求量はない。");
  // One of them has a request.
  expect(compareReports([idle, now], { names: ["none", "one"] }).text).toContain("one: shortfall 50.0 kWh (+50.0 kWh)");
  expect(renderComparisonHtml(compareReports([idle, now], { names: ["a", "b"] }))).toContain('id="bars-shortfall"');
});

test("the terms are those of the first scenario where no flag gives others", () => {
  expect(compareReports([now, larger]).json.investment).toEqual([]);
  const value = (flags = {}) => compareReports([owned, larger], { investment: flags });
  expect(value().json.investment[0].investment_jpy).toBe(1000);
  expect(value().assumes).toContain("repeated 10 times, prices as given, 3 % a year");
  expect(value({ capex_per_kwh: 40 }).json.investment[0].investment_jpy).toBe(2000);
  expect(value({ capex_per_kwh: 40 }).assumes).toContain("repeated 10 times");
});

test("a day says nothing of a year, and flags need a price per kWh", () => {
  expect(() => compareReports([day, day], { names: ["a", "b"], investment: { capex_per_kwh: 1 } })).toThrow(
    "--capex: found 24 h; a year cannot be told from 24 h: run 28 days at least",
  );
  expect(() => compareReports([now, larger], { investment: { opex_per_kwh_year: 1 } })).toThrow(/--capex: a value/);
});
