import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { compareReports } from "../../src/report/compare/compareReports.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { runStudy } from "../../src/study/node/runStudy.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { inlineExecutor } from "../../src/study/workers/evaluationRunner.ts";
import { openEvaluator, studyErrors, TWO_BATTERIES } from "../study/studyFixtures.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { SETTLED_HEAD } from "./settledFixtures.ts";

// A battery that holds 600 kWh bids replacement reserve for an hour; what it bids decides what is short.
const scenarioOf = (deltaKw: number): string => `${SETTLED_HEAD}bids:
  - {vpp: tokyo, bid_id: B-1, sku: rr, start: 2026-06-01T01:00:00+09:00, end: 2026-06-01T02:00:00+09:00,
     delta_kw: ${deltaKw}, bid_jpy_per_kw_30min: 4, cleared_price: 5, v1_price_per_kwh: 24}
settlement:
  market: jp
  values: {wheeling_charging: loss_only, capacity_price_kw_year: 0}
  prices: {spot: 20, imbalance: 30}
`;

const STUDY = `version: 1
name: reserve
scenario: scenario.yaml
parameters:
  - {name: offered, path: bids.B-1.delta_kw, values: [-500, -600, -1000]}
objective: {maximise: settled_cash}
constraints: [{kpi: shortfall_kwh, at_most: 1}]
seeds: 1
method: grid
`;

// Capacity 2 · 4 · kW, fee 2 · 0.03 · kW, energy 24 a kWh; of 1,000 kW one slot fails by the energy: − 1.5 · 4 · 1,000.
const CASH: Readonly<Record<string, number>> = {
  "-500": 4000 - 30 + 12_000,
  "-600": 4800 - 36 + 14_400,
  "-1000": 8000 - 60 + 14_400 - 6000,
};

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = createTemporaryFolder("settled");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

test("a study maximises settled cash under a limit of shortfall", async () => {
  const folder = folderOf({ "scenario.yaml": scenarioOf(-1000), "study.yaml": STUDY });
  const opened = readStudy(join(folder, "study.yaml"));
  const executor = inlineExecutor(await openEvaluator(opened));
  await runStudy(opened, { out: join(folder, "out"), executor });
  const runs = readFileSync(join(folder, "out", "study.csv"), "utf8")
    .trim()
    .split("\n");
  const columns = runs[0].split(",");
  const rows = runs.slice(1).map((row) => Object.fromEntries(row.split(",").map((cell, k) => [columns[k], cell])));
  for (const row of rows) expect(Number(row.settled_cash)).toBeCloseTo(CASH[row.offered], 3);
  expect(
    rows
      .filter(({ feasible }) => feasible === "1")
      .map(({ offered }) => offered)
      .sort(),
  ).toEqual(["-500", "-600"]);
  const summary = JSON.parse(readFileSync(join(folder, "out", "summary.json"), "utf8"));
  expect(JSON.stringify(summary)).toContain("settled_cash");
});

test("the parts of settled cash add up, and a comparison shows them", async () => {
  const folder = folderOf({ "a.yaml": scenarioOf(-600), "b.yaml": scenarioOf(-1000) });
  const records = [];
  for (const name of ["a", "b"]) {
    const { record } = await runScenario(loadScenario(join(folder, `${name}.yaml`)), { out: join(folder, name) });
    records.push(record);
  }
  const [a, b] = records.map(({ kpis }) => kpis);
  expect(a.get("settled_cash")).toBeCloseTo(CASH["-600"], 6);
  expect(b.get("settled_penalties")).toBeCloseTo(-6000, 6);
  for (const kpis of [a, b]) {
    const parts = ["reserve", "activated", "penalties", "energy", "imbalance", "network", "capacity"] as const;
    const sum = parts.reduce((total, part) => total + (kpis.get(`settled_${part}`) ?? Number.NaN), 0);
    expect(sum).toBeCloseTo(kpis.get("settled_cash") ?? Number.NaN, 6);
  }
  const { kpis } = compareReports([join(folder, "a"), join(folder, "b")]).json;
  expect(kpis?.find(({ name }) => name === "settled_cash")).toMatchObject({ a: 19_164, b: 16_340 });
});

test("a study of a scenario without settlement that wants settled figures is refused", () => {
  const study = `version: 1
name: s
scenario: two.yaml
parameters: [{name: w, path: weights.v.large, values: [0, 100]}]
objective: {maximise: settled_cash}
fork_at: 2026-04-01T12:00:00Z
`;
  const errors = studyErrors(study, TWO_BATTERIES);
  expect(errors.join("\n")).toContain(
    "a scenario without settlement for settled_cash, allowed one with the key settlement",
  );
  expect(errors.join("\n")).toContain("fork_at with settled_cash");
});
