import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { StepEngine } from "../../src/engine/kernel/stepper.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { runScenario } from "../../src/report/runScenario.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const QUICKSTART = resolve(import.meta.dirname, "../../scenarios/quickstart/scenario.yaml");

async function reportOf(engine: StepEngine): Promise<Record<string, string>> {
  const out = join(createTemporaryFolder("engines"), "report");
  const formats = ["csv", "json", "html", "parquet"] as const;
  await runScenario(loadScenario(QUICKSTART, { formats }), { out, engine });
  const names = readdirSync(out).filter((name) => name !== "run.json");
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(out, name), "latin1")]));
}

test("a report is the same to the byte whether machines are stepped by XState or by their table", async () => {
  const table = await reportOf("table");
  expect(Object.keys(table)).toHaveLength(24);
  expect(await reportOf("xstate")).toEqual(table);
});
