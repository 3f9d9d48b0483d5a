import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import type { Scenario } from "../../src/inputs/scenario/scenario.ts";
import { compareReports } from "../../src/report/compare/compareReports.ts";
import { readAwardFacts } from "../../src/report/explain/readAwardFacts.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { settleReport } from "../../src/report/settle/settleReport.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const SCENARIO = `
version: 1
name: changed
start: 2026-04-01T00:00:00Z
end: 2026-04-01T06:00:00Z
seed: 7
sites:
  - name: battery
    components:
      - {component_id: bat, component_type: battery, rated_cap: 500, import_pwr_max: 200, export_pwr_max: 200, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50}}
vpps:
  - name: east
    members: [{site: battery, resource_type: battery}]
awards:
  - {award_id: A, vpp: east, sku: frr, start: 2026-04-01T01:00:00Z, end: 2026-04-01T02:30:00Z, delta_kw: -150, price_jpy_per_kw_30min: 5}
settlement: {market: jp, area: tokyo, prices: {spot: 10}}
report: {interval: PT30M, formats: [csv]}
`;

let scenario: Scenario;
let folder: string;
let other: string;

beforeAll(async () => {
  const root = createTemporaryFolder("changed");
  writeFileSync(join(root, "scenario.yaml"), SCENARIO);
  scenario = loadScenario(join(root, "scenario.yaml"));
  [folder, other] = [join(root, "a"), join(root, "b")];
  for (const out of [folder, other]) await runScenario(scenario, { out });
});

/** Replaces the last digit of a file by the next one while a function runs. */
function withChangedDigit(file: string, read: () => unknown): void {
  const path = join(folder, file);
  const content = readFileSync(path, "utf8");
  const changed = content.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  expect(changed).not.toBe(content);
  writeFileSync(path, changed);
  try {
    expect(read).toThrow(InputErrors);
    expect(read).toThrow(`${path}: found a file that was changed after the run`);
  } finally {
    writeFileSync(path, content);
  }
  expect(read).not.toThrow();
}

describe("a changed digit in a report is refused", () => {
  test.each(["summary.json", "scenario.json", "awards.csv", "sites.csv", "energy.csv", "events.csv", "dispatch.csv"])(
    "by a comparison: %s",
    (file) => withChangedDigit(file, () => compareReports([other, folder])),
  );
  test.each(["summary.json", "awards.csv", "dispatch.csv", "events.csv"])("by an explanation: %s", (file) =>
    withChangedDigit(file, () => readAwardFacts(folder, "A")),
  );
  test("by a comparison that stops at an earlier row", async () => {
    const root = createTemporaryFolder("changed");
    writeFileSync(join(root, "scenario.yaml"), SCENARIO.replace("delta_kw: -150", "delta_kw: -90"));
    const third = join(root, "c");
    await runScenario(loadScenario(join(root, "scenario.yaml")), { out: third });
    const { first_differing_energy } = compareReports([third, folder]).json;
    const rows = readFileSync(join(folder, "energy.csv"), "utf8").trim().split("\n").length - 1;
    expect(first_differing_energy?.row).toBeLessThan(rows);
    withChangedDigit("energy.csv", () => compareReports([third, folder]));
    withChangedDigit("energy.csv", () => compareReports([folder, third]));
  });
  test("by a settlement", () => withChangedDigit("settlement_slots.jsonl", () => settleReport(folder, scenario)));
});

test.each(["null", "5", "{}", "[]"])("a settled slot that is %s is refused with its line", (line) => {
  const report = createTemporaryFolder("forged");
  const content = readFileSync(join(folder, "settlement_slots.jsonl"), "utf8");
  writeFileSync(join(report, "settlement_slots.jsonl"), `${content}${line}\n`);
  const place = `settlement_slots.jsonl:${content.split("\n").length}`;
  expect(() => settleReport(report, scenario)).toThrow(place);
});
