// How many batteries to buy: net present value as the objective of a study.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { readStudy } from "../../src/study/readStudy.ts";
import { runStudy } from "../../src/study/runStudy.ts";
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

test("a study with --capex finds the size with the highest net present value", async () => {
  const files = memoryFiles(
    new Map([
      ["/s/study.yaml", STUDY],
      ["/s/month.yaml", SCENARIO],
      ["/s/prices.csv", "timestamp,jpy\n2026-04-01T00:00:00Z,10\n2026-05-01T00:00:00Z,10\n"],
    ]),
  );
  const flags = { capex_per_kwh: 100, lifetime_years: 2, discount_pct: 0 };
  const out = join(createTemporaryFolder("invested"), "out");
  const opened = readStudy("/s/study.yaml", files, flags);
  await runStudy(opened, { out, executor: inlineExecutor(await openEvaluator(opened)) });
  const [head, ...rows] = readFileSync(join(out, "study.csv"), "utf8").trim().split("\n");
  const columns = head.split(",");
  const years = 2 * (365 / 28);
  for (const row of rows) {
    const of = (name: string) => Number(row.split(",")[columns.indexOf(name)]);
    const size = of("size");
    expect(of("investment_jpy")).toBe(10_000 * size);
    expect(of("npv_jpy")).toBeCloseTo(10 * Math.min(75, 50 * size) * years - 10_000 * size, 2);
  }
  expect(rows.length).toBeGreaterThan(2);
  const { best } = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
  expect(JSON.stringify(best)).toContain('"size":1.5');
});

test("its figures need a price of the batteries", () => {
  const study = STUDY.replace("month.yaml", "two.yaml");
  expect(studyErrors(study).join("\n")).toContain(
    "a scenario without investment for npv_jpy, allowed one with the key investment, or --capex",
  );
});
