// The canonical workload, written by the generator beside this project where it is there, against totals that programs
// in other languages found under the same rules.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { needing } from "../needing.ts";
import { runWorld } from "../runWorld.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PROJECT_ROOT } from "../tidySource.ts";

const generator = join(PROJECT_ROOT, "..", "shared", "bench", "gen_fleet_year.py");
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const workloads = needing("python3 and ../shared/bench", existsSync(generator) && hasPython);

let folder = "";

interface Totals {
  readonly uncoveredKw: number;
  readonly fullyCovered: number;
  readonly shortfallKwh: number;
  readonly importKwh: number;
  readonly exportKwh: number;
}

/** The figures are printed with one decimal, so that half a last digit is theirs. */
const near = (found: number, expected: number) =>
  expect(Math.abs(found - expected)).toBeLessThanOrEqual(1e-6 * expected + 0.05);

function checkTotals(name: string, expected: Totals): void {
  const inside = join(folder, name);
  const file = readdirSync(inside).find((entry) => entry.endsWith(".yaml"));
  const { world } = loadScenario(join(inside, file ?? "scenario.yaml"));
  const { awards, kpis } = runWorld(world, { intervalMs: 1_800_000, timelines: false });
  near(
    awards.reduce((sum, row) => sum + Math.abs(row.uncoveredKw ?? 0), 0),
    expected.uncoveredKw,
  );
  expect(kpis.get("awards_fully_covered")).toBe(expected.fullyCovered);
  near(kpis.get("shortfall_kwh") ?? Number.NaN, expected.shortfallKwh);
  near(kpis.get("import_kwh") ?? Number.NaN, expected.importKwh);
  near(kpis.get("export_kwh") ?? Number.NaN, expected.exportKwh);
}

workloads.describe("one hundred members under back-to-back awards", () => {
  beforeAll(() => {
    folder = createTemporaryFolder("fleet");
    const { status, stderr } = spawnSync("python3", [generator, "--root", folder], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the generator failed: ${stderr}`);
  });

  test("a week", () => {
    checkTotals("fleet-week", {
      uncoveredKw: 148_842.1,
      fullyCovered: 209,
      shortfallKwh: 86_081.4,
      importKwh: 1_940_595.3,
      exportKwh: 1_042_018.8,
    });
  });

  test("a year", () => {
    checkTotals("fleet-year", {
      uncoveredKw: 7_671_483.1,
      fullyCovered: 11_317,
      shortfallKwh: 4_115_849.4,
      importKwh: 107_497_130.6,
      exportKwh: 54_138_778.8,
    });
  });
});
