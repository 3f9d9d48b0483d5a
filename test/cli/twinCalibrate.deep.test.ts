import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PROJECT, runVppsim } from "./runVppsim.ts";

const SCENARIO = join(PROJECT, "scenarios/quickstart/scenario.yaml");

const calibrate = (folder: string, measured: string) => {
  const file = join(folder, "m.csv");
  writeFileSync(file, measured);
  return runVppsim(["twin", "calibrate", SCENARIO, "--measured", file, "--out", join(folder, "out")]);
};

test("nothing identifiable is no failure: reasons, and an empty patch with a comment", () => {
  const folder = createTemporaryFolder("calibrate");
  const { status, stdout } = calibrate(folder, "timestamp,site,current_kw\n2026-04-01T00:00:00Z,battery-large,1\n");
  expect(status).toBe(0);
  expect(stdout).toContain("0 of ");
  expect(readFileSync(join(folder, "out/calibration.patch.yaml"), "utf8")).toContain("# Nothing was identifiable");
  const { parameters } = JSON.parse(readFileSync(join(folder, "out/calibration.json"), "utf8"));
  for (const { status: found, why } of parameters)
    expect([found, why]).toEqual(["not_identifiable", expect.any(String)]);
});

test("a wrong file, no file and a foreign folder are refused", () => {
  const folder = createTemporaryFolder("calibrate");
  const wrong = calibrate(folder, "timestamp,site,current_kw\n2026-04-01T00:00:00Z,nowhere,1\n");
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('m.csv:2:2: site: found "nowhere"')]);
  const none = runVppsim(["twin", "calibrate", SCENARIO, "--out", join(folder, "out")]);
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("--measured FILE, or --from-import")]);
  const imported = runVppsim(["twin", "calibrate", SCENARIO, "--from-import", "--out", join(folder, "out")]);
  expect([imported.status, imported.stderr]).toEqual([2, expect.stringContaining("--from-import: found no series")]);
});
