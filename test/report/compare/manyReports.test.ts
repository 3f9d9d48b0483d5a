// Three runs of the quickstart beside each other: as written, and with larger batteries.
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { loadScenario } from "../../../src/inputs/scenario/loadScenario.ts";
import { compareReports } from "../../../src/report/compare/compareReports.ts";
import { renderComparisonHtml } from "../../../src/report/compare/comparisonPage.ts";
import { runScenario } from "../../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../../temporaryFolder.ts";

const SCENARIO = join(import.meta.dirname, "../../../scenarios/quickstart/scenario.yaml");
const root = createTemporaryFolder("many");
const [now, plus20, plus50, short] = ["now", "plus20", "plus50", "short"].map((name) => join(root, name));

beforeAll(async () => {
  const path = "sites.*.components.*.rated_cap";
  await runScenario(loadScenario(SCENARIO), { out: now });
  await runScenario(loadScenario(SCENARIO, { patch: { [path]: "*1.2" } }), { out: plus20 });
  await runScenario(loadScenario(SCENARIO, { patch: { [path]: "+50%" } }), { out: plus50 });
  await runScenario(loadScenario(SCENARIO, { toMs: Date.parse("2026-05-20T12:00:00+09:00") }), { out: short });
});

const textOf = (dirs: readonly string[], names?: readonly string[]): readonly string[] =>
  compareReports(dirs, names === undefined ? {} : { names }).text.split("\n");

describe("three reports", () => {
  test("are named by what was patched, with their change in kWh and in money", () => {
    expect(textOf([now, plus20, plus50]).slice(0, 3)).toEqual([
      "as written: shortfall 678.8 kWh, margin 61,795 JPY",
      "rated_cap ×1.2: shortfall 674.2 kWh (-4.6 kWh, -0.7 %), margin 61,920 JPY (+125 JPY)",
      "rated_cap +50 %: shortfall 667.3 kWh (-11.5 kWh, -1.7 %), margin 62,108 JPY (+313 JPY)",
    ]);
    expect(textOf([plus20, now], ["plus 20 %", "now"])[1]).toBe(
      "now: shortfall 678.8 kWh (+4.6 kWh, +0.7 %), margin 61,795 JPY (-125 JPY)",
    );
  });

  test("have the differences to the first, with units, in the JSON", () => {
    const { json } = compareReports([now, plus20, plus50]);
    expect(json.reports.map(({ name, scenario }) => [name, scenario])).toEqual([
      ["as written", "quickstart"],
      ["rated_cap ×1.2", "quickstart"],
      ["rated_cap +50 %", "quickstart"],
    ]);
    const [first, second] = json.differences;
    const margin = first.kpis.aggregator_margin_jpy;
    expect([Math.round(margin?.value ?? 0), Math.round(margin?.difference ?? 0), margin?.unit]).toEqual([
      61_920,
      125,
      "JPY",
    ]);
    expect(second.kpis.shortfall_kwh?.unit).toBe("kWh");
    expect(second.kpis.shortfall_kwh?.difference).toBeCloseTo(-11.5, 1);
    expect(json.awards.map(({ award_id }) => award_id)).toEqual(["noon-sale"]);
    expect(json.awards[0].shortfall_kwh).toHaveLength(3);
    expect(json.sites[0].site).toBe("battery-small");
    // Details of a pair are those of two reports alone.
    expect(["a", "b", "award_changes", "parted"].filter((key) => key in json)).toEqual([]);
    expect(compareReports([now, plus20]).json.award_changes?.compared).toBe(9);
    const causes = (language: "en" | "ja") => compareReports([now, plus20], { language }).text;
    expect(causes("en")).toContain(
      "\n\nChanges and causes by award\n  noon-sale: State of charge at its limit -4.734 kWh; ",
    );
    expect(causes("ja")).toContain("\n\n約定別の変化と原因\n  noon-sale：充電率の限界 -4.734 kWh、");
    expect(compareReports([now, now], { names: ["x", "y"] }).text).not.toContain("causes by award");
  });

  test("never have letters for names on the page, whose title has the change", () => {
    const page = renderComparisonHtml(compareReports([now, plus20], { names: ["now", "plus 20 %"] }));
    expect(page).toContain("<title>now | plus 20 %: 4.6\u00a0kWh less shortfall, 125\u00a0JPY more</title>");
    const words = page.replace(/<(script|style)>[\s\S]*?<\/\1>/g, "").replace(/<[^>]+>/g, " ");
    expect(words).not.toMatch(/\b(A|B|B − A)\b(?! few)/);
    expect(renderComparisonHtml(compareReports([now, plus20, plus50]))).toContain("Margin of the aggregator");
  });
});

test("what cannot be compared is refused", () => {
  expect(() => compareReports([now])).toThrow(/two reports at least/);
  expect(() => compareReports([now, short])).toThrow(/period differs: 24 h and 12 h/);
  expect(() => compareReports([now, plus20, plus50], { names: ["x", "y"] })).toThrow(/2 names for 3 reports/);
  expect(() => compareReports(Array.from({ length: 13 }, () => now))).toThrow(/at most 12/);
});

test("reports of one scenario without a patch are named by their folders", async () => {
  const again = join(root, "again");
  await runScenario(loadScenario(SCENARIO), { out: again });
  expect(textOf([now, again])[0]).toBe("now: shortfall 678.8 kWh, margin 61,795 JPY");
});
