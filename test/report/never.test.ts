// What never happens, said of real runs of three days.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Language } from "../../src/base/language.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { planFiles } from "../../src/market/plan/planFiles.ts";
import { planScenario } from "../../src/market/plan/planScenario.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { createPageLocale } from "../../src/report/html/page/pageLocale.ts";
import { neverFacts, neverSentences } from "../../src/report/neverText.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const root = createTemporaryFolder("never");
let folders = 0;

interface Case {
  /** Flow mappings. */
  readonly awards: readonly string[];
  /** Further sites, and whether they are members. */
  readonly sites?: readonly string[];
  readonly prices?: readonly number[];
}

const battery = (name: string): string =>
  `{name: ${name}, components: [{component_id: bat, component_type: battery, rated_cap: 200, import_pwr_max: 100, export_pwr_max: 100, soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 50, charge_efficiency: 1, discharge_efficiency: 1}}]}`;

function write({ awards, sites = [], prices }: Case): string {
  const folder = join(root, String(++folders));
  mkdirSync(folder);
  const names = ["kawasaki-bat", ...sites];
  const priced = prices === undefined ? "" : "series: {p: {file: p.csv}}\nmarket: {energy_price: p.jpy}\n";
  writeFileSync(
    join(folder, "s.yaml"),
    `version: 1
name: three-days
start: 2026-04-01T00:00:00Z
end: 2026-04-04T00:00:00Z
${priced}sites: [${names.map(battery).join(", ")}]
vpps: [{name: v, members: [${names.map((site) => `{site: ${site}, resource_type: battery}`).join(", ")}]}]
awards: [${awards.map((keys) => `{vpp: v, ${keys}}`).join(", ")}]
`,
  );
  const rows = (prices ?? []).map((jpy, k) => `${new Date(Date.UTC(2026, 3, 1, 24 * k)).toISOString()},${jpy}`);
  writeFileSync(join(folder, "p.csv"), ["timestamp,jpy", ...rows, ""].join("\n"));
  return join(folder, "s.yaml");
}

/** From an hour of April on for some hours. */
const award = (day: number, hour: number, hours: number, keys: string): string => {
  const at = (time: number) => new Date(Date.UTC(2026, 3, day, 0, Math.round(60 * time))).toISOString();
  return `start: ${at(hour)}, end: ${at(hour + hours)}, ${keys}`;
};

async function said(file: string, language: Language = "en"): Promise<readonly string[]> {
  const out = join(file, "../report");
  const scenario = loadScenario(file);
  const { record } = await runScenario(scenario, { out, language });
  const sentences = neverSentences(neverFacts(scenario), record, createPageLocale(language, "UTC", record));
  const page = readFileSync(join(out, "report.html"), "utf8");
  for (const sentence of sentences) expect(page).toContain(sentence);
  return sentences;
}

/** Takes what the battery holds, 100 kWh, in an hour. */
const EMPTIES = award(2, 8.5, 2, "delta_kw: -100");

describe("a battery", () => {
  test("never charges once an award has emptied it", async () => {
    expect(await said(write({ awards: [EMPTIES] }))).toEqual([
      "kawasaki-bat never charges: it is empty from Thu 2 Apr 2026, 09:30 on.",
    ]);
    expect(await said(write({ awards: [EMPTIES] }), "ja")).toEqual([
      "kawasaki-bat は充電しません：2026年4月2日（木）9:30 以降は空です。",
    ]);
  });

  test("never discharges once an award has filled it", async () =>
    expect(await said(write({ awards: [award(1, 3, 2, "delta_kw: 100")] }))).toEqual([
      "kawasaki-bat never discharges: it is full from Wed 1 Apr 2026, 04:00 on.",
    ]));

  test("that was charged before stands still for half of the run at least", async () => {
    const charged = (day: number) =>
      write({ awards: [award(1, 1, 0.5, "delta_kw: 100"), award(day, 8, 3, "delta_kw: -100")] });
    expect(await said(charged(1))).toEqual(["kawasaki-bat never charges: it is empty from Wed 1 Apr 2026, 09:30 on."]);
    expect(await said(charged(3))).toEqual([]);
  });

  test("that does not stand at a bound, or that is charged again, is not named", async () => {
    expect(await said(write({ awards: [award(2, 8, 0.5, "delta_kw: -100")] }))).toEqual([]);
    expect(await said(write({ awards: [EMPTIES, award(3, 20, 1, "delta_kw: 50")] }))).toEqual([]);
  });

  test("is one of several that stand still", async () =>
    expect(await said(write({ sites: ["bat-2"], awards: [award(2, 8.5, 2, "delta_kw: -200")] }))).toEqual([
      "2 batteries never charge: kawasaki-bat is empty from Thu 2 Apr 2026, 09:30 on.",
    ]));
});

const CALLED = "Every reserve award is called in full all the time (activation is 1).";

test("all awards of reserve are called in full", async () => {
  const reserve = (activation: string) => award(1, 1, 0.5, `sku: frr, delta_kw: -50${activation}`);
  expect(await said(write({ awards: [reserve("")] }))).toEqual([CALLED]);
  expect(
    await said(write({ awards: [reserve(""), award(1, 5, 0.5, "sku: rr, delta_kw: -50, activation: 0.5")] })),
  ).toEqual([]);
});

test("a shortfall has no penalty price, and a price never changes", async () => {
  const short = { awards: [award(2, 8.5, 2, "delta_kw: -100, price_jpy_per_kwh: 5")] };
  expect((await said(write({ ...short, prices: [10, 12, 11, 10] })))[1]).toBe(
    "No award has a penalty price, so 100.0\u00a0kWh of shortfall cost nothing.",
  );
  const reserve = award(2, 8.5, 2, "sku: frr, delta_kw: -100, penalty_jpy_per_kwh: 3");
  expect(await said(write({ awards: [reserve], prices: [10, 10, 10, 10] }))).toEqual([
    expect.stringContaining("never charges"),
    CALLED,
    "The market price never changes: it is 10.00 JPY/kWh throughout.",
  ]);
  // Four hold, and three are said.
  const free = award(2, 8.5, 2, "sku: frr, delta_kw: -100");
  expect(await said(write({ awards: [free], prices: [10, 10, 10, 10] }))).toHaveLength(3);
});

test("a plan does not serve the awards of its scenario", async () => {
  const planned = async (awards: readonly string[]): Promise<string> => {
    const file = write({ awards, prices: [10, 14, 9, 13] });
    const scenario = loadScenario(file);
    const options = {
      sites: [],
      forecast: "perfect",
      cyclesPerDay: null,
      feePerKwh: 0,
      wearPerKwh: 0,
      reserve: { sku: "frr", pricePerKw: 1, sustainedHours: 0.5 },
    } as const;
    const plans = await planScenario(scenario, options, () => {});
    const folder = join(file, "../plan");
    mkdirSync(folder);
    const files = planFiles(scenario, plans, options, {
      files: diskFiles,
      folder,
      name: "three-days-plan",
      patches: [],
    });
    for (const [name, content] of files) writeFileSync(join(folder, name), content);
    return join(folder, "scenario.yaml");
  };
  const sentence = "The plan does not serve the awards of the scenario.";
  expect(await said(await planned([award(2, 8.5, 1, "delta_kw: -50")]))).toContain(sentence);
  expect(await said(await planned([]))).not.toContain(sentence);
});
