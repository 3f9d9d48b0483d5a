import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LiveScenario } from "../../src/browser/liveScenario.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { ScenarioSource } from "../../src/inputs/scenario/scenarioSource.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { kpiJson } from "../../src/report/kpiJson.ts";
import { runScenario } from "../../src/report/runScenario.ts";

const SCENARIOS = join(import.meta.dirname, "../../scenarios");

describe("a step of a what-if", () => {
  test.each([
    ["quickstart/scenario.yaml", { "sites.*.components.*.rated_cap": "*0.5", "weights.east.battery-small": 7 }],
    ["features/api-calls.yaml", {}],
    ["features/overlap.yaml", { "sites.*.components.*.rated_cap": "+10%" }],
    ["markets/battery-year.yaml", { "sites.*.components.*.rated_cap": 900 }],
  ])("has the key figures of a run of %s with its patch, and the causes of its awards", async (name, patch) => {
    const file = join(SCENARIOS, name);
    const live = new LiveScenario(new ScenarioSource(file, diskFiles));
    for (const each of [patch, {}, patch]) {
      const { kpis, causes } = await live.run(each);
      const { record } = await runScenario(loadScenario(file, { patch: each }));
      expect(kpis).toEqual(kpiJson(record.kpis, record.currency ?? "JPY"));
      const shortfallKwh = record.awards.reduce((sum, award) => sum + (award.shortfallKwh ?? 0), 0);
      expect(Object.values(causes).reduce((sum, kwh) => sum + kwh)).toBeCloseTo(shortfallKwh, 1);
    }
  });

  test("refuses a path that the scenario does not have, and continues", async () => {
    const live = new LiveScenario(new ScenarioSource(join(SCENARIOS, "quickstart/scenario.yaml"), diskFiles));
    await expect(live.run({ "weights.west.*": 1 })).rejects.toThrow(/^patch: weights\.west\.\*: found a path/);
    expect((await live.run({})).kpis.shortfall_kwh).toBeGreaterThan(0);
  });
});
