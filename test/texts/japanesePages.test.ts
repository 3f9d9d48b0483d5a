import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { KPI_NAMES } from "../../src/accounting/kpis/kpiRegistry.ts";
import { CAUSES } from "../../src/accounting/settlement/causes.ts";
import { SKUS } from "../../src/base/sku.ts";
import { buildScenario, loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import type { Scenario } from "../../src/inputs/scenario/scenario.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import type { CashDifference } from "../../src/market/plan/cashDifference.ts";
import { planFiles } from "../../src/market/plan/planFiles.ts";
import { renderPlanHtml } from "../../src/market/plan/planPage.ts";
import { planScenario } from "../../src/market/plan/planScenario.ts";
import { differenceText, planText } from "../../src/market/plan/planText.ts";
import { planTotals } from "../../src/market/plan/planTotals.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { baselineText } from "../../src/report/baseline/baselineText.ts";
import { compareReports } from "../../src/report/compare/compareReports.ts";
import { renderComparisonHtml } from "../../src/report/compare/comparisonPage.ts";
import { explainAward } from "../../src/report/explain/explainAward.ts";
import { createPageLocale, textsIn } from "../../src/report/html/page/pageLocale.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { settleReport, writeSettlement } from "../../src/report/settle/settleReport.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { boundSentences } from "../../src/study/report/boundSection.ts";
import { evidence, sideEffectText, verdict } from "../../src/study/report/recommendation.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { CATALOGUE } from "../../src/texts/catalogue.ts";
import { openEvaluator, STUDY_HEAD, TWO_BATTERIES } from "../study/studyFixtures.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const SCENARIOS = join(import.meta.dirname, "../../scenarios");

const named = (text: string): string[] => text.match(/[A-Za-z]{3,}/g) ?? [];

/** Units, abbreviations of the field, products and marks of programs: the same in every language. */
const KEEP = new Set([
  ..."VPP SOC FCR FIT FIP CSV EPRX JEPX kWh MWh GWh vppsim UTC".split(" "),
  ...SKUS.flatMap((sku) => named(sku)),
]);

/** Words of names: of the scenario, of files and their columns, and of reasons in the APIs. */
function namesOf({ name, description, timezone, world, settlement, inputFiles }: Scenario): Set<string> {
  const names = [
    name,
    description,
    timezone,
    settlement?.area ?? "",
    ...(settlement?.unsure ?? []),
    ...inputFiles.keys(),
    ...world.sites.flatMap((site) => [site.name, ...site.components.map(({ componentId }) => componentId)]),
    ...world.vpps.map((vpp) => vpp.name),
    ...[...world.awards, ...world.instructions].map(({ awardId }) => awardId),
    ...KPI_NAMES,
    ...CAUSES,
    ...Object.keys(CATALOGUE).filter((key) => key.startsWith("refusal.")),
    "energy_limit awards.csv sites.csv components.csv power.csv summary.json ev_sessions.csv battery_ageing.csv bids.csv alarms.csv",
    "error_type events.csv invoice.csv market.energy_price settlement.html",
  ];
  return new Set(names.flatMap(named));
}

/** Words of a page that a person reads, without code elements and warnings. */
function wordsOf(page: string): string[] {
  const body = page
    .slice(page.indexOf("<body>"))
    .replace(/<script.*?<\/script>|<code>.*?<\/code>/gs, "")
    .replace(/<section id="warnings".*?<\/section>/s, "");
  const spoken = [...body.matchAll(/ (?:title|aria-label)="([^"]*)"/g)].map(([, text]) => text);
  const text = [body.replace(/<[^>]*>/g, "\n"), ...spoken].join("\n").replace(/&(amp|lt|gt|quot|#39);/g, " ");
  return named(text);
}

/** Names that are cut in a drawing end in a piece of a word. */
const foreign = (words: readonly string[], names: ReadonlySet<string>): string[] => [
  ...new Set(words.filter((word) => !KEEP.has(word) && ![...names].some((name) => name.startsWith(word)))),
];

/** Runs a scenario in Japanese. @returns the folder of the report */
async function runInJapanese(file: string) {
  const scenario: Scenario = { ...loadScenario(file), language: "ja" };
  const out = join(createTemporaryFolder("japanese"), "report");
  const { record } = await runScenario(scenario, { out });
  const ids = [...record.awards.map(({ awardId }) => awardId), ...scenario.bids.map(({ bidId }) => bidId)];
  return { scenario, out, names: new Set([...namesOf(scenario), ...ids.flatMap(named)]) };
}

const pageOf = (folder: string, name = "report.html"): string => readFileSync(join(folder, name), "utf8");

describe("a Japanese report", () => {
  test.each([
    "quickstart/scenario.yaml",
    "mixed-week/scenario.yaml",
    "features/activation-and-money.yaml",
    "features/battery-ageing.yaml",
    "features/behind-the-meter.yaml",
    "features/bids.yaml",
    "features/demand-response.yaml",
    "features/ev-chargers.yaml",
    "features/frequency-containment.yaml",
    "features/outages-and-links.yaml",
    "features/output-control.yaml",
    "features/overlap.yaml",
  ])("of %s has no English words", async (file) => {
    const { out, names } = await runInJapanese(join(SCENARIOS, file));
    const page = pageOf(out);
    expect(page).toContain('<html lang="ja">');
    expect(foreign(wordsOf(page), names)).toEqual([]);
    // Every value of a text is there.
    expect(page.replace(/<script.*?<\/script>|<style.*?<\/style>/gs, "")).not.toMatch(/\{\w+[|}]/);
  });

  test("has its settlement and its explanations in Japanese, and the same tables as an English one", async () => {
    const file = join(createTemporaryFolder("settled"), "scenario.yaml");
    const quickstart = join(SCENARIOS, "quickstart");
    const text = readFileSync(join(quickstart, "scenario.yaml"), "utf8").replace(
      /\{file: (\w+\.csv)\}/g,
      (_, name: string) => `{file: ${JSON.stringify(join(quickstart, name))}}`,
    );
    writeFileSync(
      file,
      `${text}
settlement:
  market: jp
  area: tokyo
  prices: {spot: prices.spot_jpy_per_kwh, imbalance: prices.spot_jpy_per_kwh}
  values: {price_gap: zero}
`,
    );
    const { scenario, out, names } = await runInJapanese(file);
    expect(foreign(wordsOf(pageOf(out, "settlement.html")), names)).toEqual([]);
    const settled = await writeSettlement(join(out, "../again"), settleReport(out, scenario), scenario);
    expect(foreign(wordsOf(pageOf(settled, "settlement.html")), names)).toEqual([]);
    for (const { awardId } of [...scenario.world.awards, ...scenario.world.instructions]) {
      const { text: story, json } = explainAward(out, awardId);
      expect(foreign(named(story), names), awardId).toEqual([]);
      expect(json).toEqual(explainAward(out, awardId, { language: "en" }).json);
    }
    const english = join(out, "../english");
    await runScenario({ ...scenario, language: "en" }, { out: english });
    expect(foreign(named(baselineText(scenario, 0, textsIn("ja"))), names)).toEqual([]);
    for (const table of ["awards.csv", "sites.csv", "events.csv", "dispatch.csv", "invoice.csv", "scenario.json"])
      expect(readFileSync(join(out, table)), table).toEqual(readFileSync(join(english, table)));
  });
});

/** What a Japanese page must not have: English words, and values that no text took. */
function expectJapanese(page: string, names: ReadonlySet<string>): void {
  expect(page.includes('<html lang="ja">')).toBe(true);
  expect(foreign(wordsOf(page), names)).toEqual([]);
  expect(page.replace(/<script.*?<\/script>|<style.*?<\/style>/gs, "").match(/\{\w+[|}]/)).toBeNull();
}

test("a Japanese comparison has no English words, on its page and in its text", async () => {
  const file = join(SCENARIOS, "quickstart/scenario.yaml");
  const out = createTemporaryFolder("compared");
  const scenario = loadScenario(file);
  const larger = buildScenario(new ScenarioSource(file, diskFiles), {
    patch: { "sites.battery-*.components.*.rated_cap": "*1.2" },
  });
  await runScenario(scenario, { out: join(out, "now") });
  await runScenario({ ...larger, world: { ...larger.world, seed: 2 } }, { out: join(out, "larger") });
  const comparison = compareReports([join(out, "now"), join(out, "larger")], { language: "ja" });
  const ids = scenario.world.awards.flatMap(({ awardId }) => named(awardId));
  const names = new Set([
    ...namesOf(scenario),
    ...named(out),
    ...ids,
    ..."now larger rated_cap".split(" ").flatMap(named),
  ]);
  for (const name of named("comparison.json events.csv dispatch.csv energy.csv status time tick timestamp"))
    names.add(name);
  expectJapanese(withoutRows(renderComparisonHtml(comparison)), names);
  expect(foreign(named(withoutRows(comparison.text).replace(/ハッシュ [0-9a-f]+/g, "")), names)).toEqual([]);
});

/** Without rows of tables, which are files. */
const withoutRows = (text: string): string =>
  text
    .replace(/<section id="divergence".*?<\/section>/s, (section) => section.replace(/<tbody>.*?<\/tbody>/gs, ""))
    .replace(/(events|dispatch|energy)\.csv：.*\n.*\n.*/g, "$1.csv");

test("a Japanese study has no English words, on its page and in its sentences", async () => {
  const folder = createTemporaryFolder("study-ja");
  writeFileSync(
    join(folder, "two.yaml"),
    TWO_BATTERIES.replace(/(delta_kw: -?\d+)\}/g, "$1, price_jpy_per_kw_h: 4, penalty_jpy_per_kwh: 45}"),
  );
  const text = `${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", range: [0, 100], steps: 3}
  - {name: small, path: "weights.v.small", range: [0, 100], steps: 3}
seeds: 4
objective: {minimise: shortfall_kwh}
pareto: [shortfall_kwh, throughput_kwh]
constraints: [{kpi: soc_min_pct, at_least: -1}]
`;
  writeFileSync(join(folder, "s.study.yaml"), text);
  const open = readStudy(join(folder, "s.study.yaml"));
  const out = join(folder, "out");
  const executor = inlineExecutor(await openEvaluator(open));
  const { result } = await runStudy(open, { out, executor, language: "ja" });
  const names = new Set([
    "two",
    "large",
    "small",
    ...KPI_NAMES.flatMap(named),
    ...named("study.csv allocation: equal"),
  ]);
  expectJapanese(pageOf(out), names);
  const texts = textsIn("ja");
  const sentences = [
    ...verdict(result, texts),
    ...evidence(result, texts),
    sideEffectText(result, texts),
    ...boundSentences(result, texts),
  ];
  expect(foreign(sentences.flatMap(named), names)).toEqual([]);
});

test("a Japanese plan has no English words, on its page and in its text", async () => {
  const scenario: Scenario = { ...loadScenario(join(SCENARIOS, "quickstart/scenario.yaml")), language: "ja" };
  const options = {
    sites: [],
    forecast: "previous_day",
    cyclesPerDay: 1,
    feePerKwh: 0.03,
    wearPerKwh: 1,
    reserve: { sku: "frr", pricePerKw: 1, sustainedHours: 1 },
  } as const;
  const plans = await planScenario(scenario, options, () => {});
  const energyAlone = await planScenario(scenario, { ...options, reserve: null }, () => {});
  const found = { scenario, options, plans, energyAlone };
  const place = { files: diskFiles, folder: "plan", name: "plan", patches: [] };
  const difference: CashDifference = {
    cash: 5,
    causes: [
      ["plan.without", 3],
      ["kpi.penalty_jpy.label", -20],
    ],
  };
  const locale = createPageLocale("ja", scenario.timezone, scenario.world);
  const names = namesOf(scenario);
  expectJapanese(renderPlanHtml({ ...found, place, difference }, locale), names);
  const totals = planTotals(plans);
  const printed = `${planText(found, null, locale)}${differenceText(totals, difference, locale)}`;
  expect(foreign(named(printed), names)).toEqual([]);
  // The scenario that runs by the plan describes it in the same language.
  const planned = parse(
    planFiles({ ...scenario, description: "説明" }, plans, options, place).get("scenario.yaml") ?? "",
  );
  expect(planned.description).toMatch(/^説明。計画の前提：価格予測：.*売買 1 kWh あたり 0\.03 円/);
  expect(foreign(named(planned.description), names)).toEqual([]);
});
