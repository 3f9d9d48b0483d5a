import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KPI_NAMES } from "../../src/accounting/kpis/kpiRegistry.ts";
import { CAUSES } from "../../src/accounting/settlement/causes.ts";
import { SKUS } from "../../src/base/sku.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import type { Scenario } from "../../src/inputs/scenario/scenario.ts";
import { explainAward } from "../../src/report/explain/explainAward.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { settleReport, writeSettlement } from "../../src/report/settle/settleReport.ts";
import { CATALOGUE } from "../../src/texts/catalogue.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const SCENARIOS = join(import.meta.dirname, "../../scenarios");

const named = (text: string): string[] => text.match(/[A-Za-z]{3,}/g) ?? [];

/** Units, abbreviations of the field, products and marks of programs: the same in every language. */
const KEEP = new Set([
  ..."VPP SOC FCR FIT FIP JPY EUR CSV EPRX JEPX kWh MWh GWh vppsim UTC".split(" "),
  ...SKUS.flatMap((sku) => named(sku)),
]);

/** Words of names: of the scenario, of files and their columns, and of reasons in the APIs. */
function namesOf({ name, description, timezone, world, settlement, inputFiles }: Scenario): Set<string> {
  const names = [
    name,
    description,
    timezone,
    settlement?.parameterSet ?? "",
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
    for (const table of ["awards.csv", "sites.csv", "events.csv", "dispatch.csv", "invoice.csv", "scenario.json"])
      expect(readFileSync(join(out, table)), table).toEqual(readFileSync(join(english, table)));
  });
});
