import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { runVppsim } from "./runVppsim.ts";

const QUICKSTART = "scenarios/quickstart/scenario.yaml";

test.each([
  ["run", ["run", "none.yaml", "--json"]],
  ["validate", ["validate", "none.yaml", "--json"]],
  ["baseline", ["baseline", "none.yaml", "--site", "x", "--json"]],
  ["compare", ["compare", "none", "none", "--json"]],
])("%s --json prints its errors as JSON on standard output", (_, args) => {
  const { status, stdout, stderr } = runVppsim(args);
  expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
  const { error_count, errors } = JSON.parse(stdout);
  expect(error_count).toBe(1);
  expect(errors[0].message).toMatch(/none/);
});

test("run --json of a scenario with 30 errors gives their number, kinds and first places", () => {
  const file = join(createTemporaryFolder("cli"), "s.yaml");
  writeFileSync(file, `${Array.from({ length: 30 }, (_, k) => `k${k}: 1`).join("\n")}\n`);
  const { error_count, errors, kinds } = JSON.parse(runVppsim(["run", file, "--json"]).stdout);
  expect(kinds).toContainEqual({ file, key_path: "unknown keys", count: 30 });
  expect(error_count).toBe(35);
  expect(errors).toHaveLength(25);
  expect(runVppsim(["run", file]).stderr).toMatch(/\n35 errors; nothing was run\n$/);
});

test("baseline --json names method, folder and files", () => {
  const out = join(createTemporaryFolder("cli"), "b");
  const { status, stdout } = runVppsim(["baseline", QUICKSTART, "--site", "factory", "--out", out, "--json"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    scenario: "quickstart",
    site: "factory",
    method: "series",
    folder: out,
    files: ["baseline.csv", "audit.csv", "audit.json"],
    warnings: [],
  });
});
