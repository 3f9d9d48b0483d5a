// How many batteries to buy: net present value as the objective of a study.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { textsIn } from "../../src/report/html/page/pageLocale.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { investmentNote, sideEffectText, verdict } from "../../src/study/report/recommendation.ts";
import { valueFormat } from "../../src/study/report/studyText.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { openEvaluator, studyErrors } from "./studyFixtures.ts";

// A battery sells half of what it can hold, at most 75 kWh, at 10 JPY/kWh in 28 days.
const SCENARIO = `version: 1
name: month
start: 2026-04-01T00:00:00Z
end: 2026-04-29T00:00:00Z
series: {prices: {file: prices.csv}}
market: {energy_price: prices.jpy}
sites:
  - name: battery
    components: [{component_id: bat, component_type: battery, rated_cap: 100, import_pwr_max: 80, export_pwr_max: 75, soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 50, charge_efficiency: 1, discharge_efficiency: 1}}]
vpps: [{name: v, members: [{site: battery, resource_type: battery}]}]
awards: [{vpp: v, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:00:00Z, delta_kw: -75}]
`;
const STUDY = `version: 1
name: size
scenario: month.yaml
parameters: [{name: size, path: "sites.*.components.*.rated_cap", scale: [1, 1.5, 2]}]
objective: {maximise: npv_jpy}
seeds: 1
method: grid
`;

/** The month's study of a text, by flags. */
async function studied(study: string, capex: number, language: "en" | "ja" = "en", scenario = SCENARIO) {
  const files = memoryFiles(
    new Map([
      ["/s/study.yaml", study],
      ["/s/month.yaml", scenario],
      ["/s/prices.csv", "timestamp,jpy\n2026-04-01T00:00:00Z,10\n2026-05-01T00:00:00Z,10\n"],
    ]),
  );
  const out = join(createTemporaryFolder("invested"), "out");
  const opened = readStudy("/s/study.yaml", files, { capex_per_kwh: capex, lifetime_years: 2, discount_pct: 0 });
  const { result, texts } = await runStudy(opened, {
    out,
    language,
    executor: inlineExecutor(await openEvaluator(opened)),
  });
  const read = (file: string) => readFileSync(join(out, file), "utf8");
  const sentences = verdict(result, texts).map((text) => text.replaceAll("\u00a0", " "));
  return { result, texts, sentences, read, page: read("report.html").replaceAll("\u00a0", " ") };
}

test("a study with --capex finds the size with the highest net present value", async () => {
  const { read } = await studied(STUDY, 100);
  const [head, ...rows] = read("study.csv").trim().split("\n");
  const columns = head.split(",");
  const years = 2 * (365 / 28);
  for (const row of rows) {
    const of = (name: string) => Number(row.split(",")[columns.indexOf(name)]);
    const size = of("size");
    expect(of("investment_jpy")).toBe(10_000 * size);
    expect(of("npv_jpy")).toBeCloseTo(10 * Math.min(75, 50 * size) * years - 10_000 * size, 2);
  }
  expect(rows.length).toBeGreaterThan(2);
  const { best } = JSON.parse(read("summary.json"));
  expect(JSON.stringify(best)).toContain('"size":1.5');
});

describe("its first screen and its text say in how many years the batteries pay back, and what they are worth", () => {
  const shortfall = STUDY.replace("{maximise: npv_jpy}", "{minimise: shortfall_kwh}");
  // 50 kWh at 10 JPY, of 75 kWh 750 JPY, in 28 of 365 days: 6,517.86 and 9,776.79 JPY a year.
  test.each([
    [
      "where the objective is a shortfall",
      shortfall,
      100,
      ["Simple payback: 1.53 years (as written: 1.53 years).", "Net present value: 4,554 JPY (as written: 3,036 JPY)."],
    ],
    [
      "where they lose by it",
      shortfall,
      300,
      [
        "Simple payback: 4.60 years (as written: 4.60 years).",
        "Net present value: −25,446 JPY (as written: −16,964 JPY).",
      ],
    ],
    ["once, where it is the objective", STUDY, 100, ["Simple payback: 1.53 years (as written: 1.53 years)."]],
    ["where nothing is better", STUDY, 300, ["Simple payback: 4.60 years."]],
  ])("%s", async (_, study, capex, expected) => {
    const { result, texts, sentences, page } = await studied(study, capex);
    expect(sentences.slice(1)).toEqual(expected);
    const [summary] = page.split('<section id="evidence"');
    for (const sentence of expected) expect(summary).toContain(sentence);
    const note = "One year is repeated 2 times, prices as given, 0 % a year; ageing: none modelled.";
    expect(investmentNote(result, texts)).toBe(note);
    expect(summary).toContain(note);
  });

  test("and that it gets worse, where its intervals say so", async () => {
    const { result, texts } = await studied(shortfall, 300);
    const sure = (mean: number) => ({ mean, low: mean, high: mean });
    const kpis = (npv: number, years: number) => ({
      get: (kpi: string) =>
        new Map([
          ["npv_jpy", sure(npv)],
          ["payback_years", sure(years)],
        ]).get(kpi),
    });
    if (result.best === null) throw new Error("a candidate is feasible");
    const scored = { ...result.best.scored, kpis: kpis(-25_446, 5) };
    const worse = {
      ...result,
      written: { ...result.written, kpis: kpis(-16_964, 4.6) },
      best: { ...result.best, scored },
    };
    expect(sideEffectText(worse, texts).replaceAll("\u00a0", " ")).toBe(
      "It gets worse: Simple payback from 4.60 years to 5.00 years and Net present value from −16,964 JPY to −25,446 JPY.",
    );
  });

  test("in Japanese", async () => {
    const { sentences } = await studied(shortfall, 100, "ja");
    expect(sentences.slice(1)).toEqual([
      "単純回収年数：1.53 年（現状：1.53 年）。",
      "正味現在価値：4,554 円（現状：3,036 円）。",
    ]);
  });
});

test("a study in EUR says EUR", async () => {
  const scenario = SCENARIO.replace("market: {", "market: {currency: EUR, ");
  const inEur = (objective: string) => STUDY.replace("maximise: npv_jpy", objective);
  const { sentences, page } = await studied(inEur("maximise: npv_eur"), 100, "en", scenario);
  expect(sentences[0]).toBe("Set size ×1.5: net present value rises from €3,036 to €4,554 (+50.0 %).");
  expect(page).not.toContain("JPY");
  const margin = await studied(inEur("minimise: shortfall_kwh"), 100, "en", scenario);
  expect(margin.sentences).toEqual([
    "Set size ×1.5: shortfall falls from 25.0 kWh to 0.0 kWh (−100.0 %), and the margin rises from €500 to €750.",
    "Simple payback: 1.53 years (as written: 1.53 years).",
    "Net present value: €4,554 (as written: €3,036).",
  ]);
  expect(margin.page).not.toContain("JPY");
});

test("two amounts that look alike in millions are written whole", () => {
  const first = (...values: number[]) =>
    valueFormat("npv_jpy", values, textsIn("en"))(values[0]).replaceAll("\u00a0", " ");
  expect(first(151_055_044, 151_080_000)).toBe("151,055,044 JPY");
  expect(first(151_055_044, 165_000_000)).toBe("151.1 million JPY");
  expect(first(151_055_044, 151_055_044)).toBe("151.1 million JPY");
});

test("its figures need a price of the batteries", () => {
  const study = STUDY.replace("month.yaml", "two.yaml");
  expect(studyErrors(study).join("\n")).toContain(
    "a scenario without investment for npv_jpy, allowed one with the key investment, or --capex",
  );
});
