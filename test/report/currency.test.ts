// The quickstart as if its prices were in EUR: the same amounts by other names.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { compareReports } from "../../src/report/compare/compareReports.ts";
import { renderComparisonHtml } from "../../src/report/compare/comparisonPage.ts";
import { explainAward } from "../../src/report/explain/explainAward.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { SETTLED_HEAD } from "../market/settledFixtures.ts";
import { openStudy, studyErrors, TWO_BATTERIES } from "../study/studyFixtures.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const root = createTemporaryFolder("currency");
const [jpy, eur, larger] = ["jpy", "eur", "larger"].map((name) => join(root, name));
const file = join(root, "s", "scenario.yaml");

beforeAll(async () => {
  cpSync(join(import.meta.dirname, "../../scenarios/quickstart"), join(root, "s"), { recursive: true });
  const text = readFileSync(file, "utf8");
  await runScenario(loadScenario(file), { out: jpy });
  const counted = text
    .replace(/^market: \{/m, "market: {currency: EUR, ")
    .replace(/^market:\n/m, "market:\n  currency: EUR\n");
  expect(counted).not.toBe(text);
  writeFileSync(file, counted);
  await runScenario(loadScenario(file), { out: eur });
  await runScenario(loadScenario(file, { patch: { "sites.*.components.*.rated_cap": "*1.2" } }), {
    out: larger,
    language: "ja",
  });
});

const textOf = (dir: string, name: string): string => readFileSync(join(dir, name), "utf8");
const words = (dir: string): string =>
  textOf(dir, "report.html")
    .replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, "")
    .replace(/<\/?b>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("\u00a0", " ");

describe("a report in EUR", () => {
  test("has the amounts of that in JPY, by names that end in _eur", () => {
    for (const name of ["awards.csv", "sites.csv"])
      expect(textOf(eur, name)).toBe(textOf(jpy, name).replaceAll(/_jpy\b/g, "_eur"));
    const kpis = (dir: string) => JSON.stringify(JSON.parse(textOf(dir, "summary.json")).kpis);
    expect(kpis(eur)).toBe(kpis(jpy).replaceAll('_jpy"', '_eur"'));
    expect(JSON.parse(kpis(eur)).aggregator_margin_eur).toBe(61_794.863);
  });

  test("says so on its pages", () => {
    expect(words(eur)).toContain("The virtual power plant earned €61,795: 46,270 from awards");
    expect(words(eur)).toContain("with it the profit is −€260,843.");
    expect(words(eur)).toContain("aggregator_margin_eur");
    expect(words(larger)).toMatch(/VPP の利益は 61,920 ユーロ/);
    // Warnings are English.
    expect(words(larger)).not.toMatch(/EUR(?!, in which this scenario counts)/);
    for (const dir of [eur, larger]) expect(words(dir)).not.toMatch(/JPY|円|_jpy(?!_)/);
  });

  test("compares with another one, and not with one in JPY", () => {
    const comparison = compareReports([eur, larger], { language: "en" });
    expect(comparison.text).toContain("margin €61,920 (+€125)");
    expect(comparison.text).toMatch(/ aggregator_margin_eur +EUR +61,795 +61,920 +\+125\n/);
    const json = JSON.stringify(comparison.json);
    expect(json).toContain('"margin_eur":[');
    expect(json).toContain('"aggregator_margin_eur":61794.863');
    expect(json).not.toContain('_jpy"');
    expect(renderComparisonHtml(comparison)).not.toMatch(/JPY|_jpy/);
    expect(() => compareReports([jpy, eur])).toThrow(
      "compare: found currency differs: JPY and EUR, allowed reports in one currency",
    );
  });

  test("explains its awards as that in JPY does", () =>
    expect(explainAward(eur, "noon-sale").text).toBe(explainAward(jpy, "noon-sale").text));

  test("warns of prices whose keys name JPY, which count as those without a currency", async () => {
    const found = loadScenario(file).remarks.filter(({ check }) => check === "price-currency");
    expect(found[0].message).toMatch(
      /^\w+_jpy_per_\w+ of award \S+ is in EUR, in which this scenario counts; write \w+$/,
    );
    const folder = join(root, "renamed");
    cpSync(join(root, "s"), folder, { recursive: true });
    // Names of series stay as they are.
    const path = join(folder, "scenario.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(?<![.\w])(price|penalty)_jpy_per_/g, "$1_per_"));
    const renamed = loadScenario(path);
    expect(renamed.remarks.map(({ check }) => check)).not.toContain("price-currency");
    expect(renamed.hash).toBe(loadScenario(file).hash);
  });
});

const messages = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof InputErrors) return error.message;
    throw error;
  }
  return "";
};

test("the currency is that of the market that settles the scenario, and no other", () => {
  const path = join(root, "settled.yaml");
  const settled = (market: string): string => {
    writeFileSync(path, `${SETTLED_HEAD}settlement: {market: eu, prices: {spot: 0.1, imbalance: 0.2}}\n${market}`);
    return path;
  };
  expect(loadScenario(settled("")).world.currency).toBe("EUR");
  expect(messages(() => loadScenario(settled("market: {currency: JPY}\n")))).toContain(
    "market.currency: found JPY, allowed EUR, the currency of settlement.market eu",
  );
});

test("a price given by two keys is an error", () => {
  const path = join(root, "twice.yaml");
  writeFileSync(
    path,
    TWO_BATTERIES.replace("delta_kw: -300}", "delta_kw: -300, penalty_per_kwh: 3, penalty_jpy_per_kwh: 3}"),
  );
  expect(messages(() => loadScenario(path))).toContain(
    "penalty_per_kwh: found penalty_jpy_per_kwh beside it, allowed one of the two: they are the same price",
  );
});

describe("a study in EUR", () => {
  const scenario = `${TWO_BATTERIES}market: {currency: EUR}\n`;
  const study = (kpi: string) => `version: 1
name: s
scenario: two.yaml
parameters: [{name: w, path: weights.v.large, values: [0, 100]}]
objective: {maximise: ${kpi}}
constraints: [{kpi: ${kpi}, at_least: 0}]
`;

  test("names its figures in EUR, and refuses names in JPY", () => {
    const { study: read } = openStudy(study("profit_eur"), scenario);
    expect(read.objective).toMatchObject({ text: "profit_eur", terms: [{ kpi: "profit_jpy" }] });
    expect(read.constraints[0].name).toBe("profit_eur");
    const [error] = studyErrors(study("profit_jpy"), scenario);
    expect(error).toBe(
      'study.yaml:5:23: objective.maximise: found "profit_jpy"; this scenario counts in EUR: profit_eur',
    );
    expect(studyErrors(study("profit_eur"))[0]).toContain("this scenario counts in JPY: profit_jpy");
  });
});
