import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, PROJECT, runVppsim } from "./runVppsim.ts";

test("a program sits a drill: it ends with the grade of what it did", () => {
  const cwd = createFolder();
  const client = `
    const { VPPSIM_BASE_URL: base } = process.env;
    const call = (path, body) => fetch(base + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    await call("/sandbox/clock/pause", {});
    await call("/sandbox/clock/advance", { to: "2026-05-20T18:02:00+09:00" });
    await call("/sandbox/owner-calls", { site: "battery-large" });`;
  const program = [process.execPath, "--input-type=module", "-e", client];
  const flags = ["--out", "debriefing", "--person", "Aya", "--json"];
  const { status, stdout, stderr } = runVppsim(["drill", "run", "outage-in-an-award", ...flags, "--", ...program], {
    cwd,
  });
  expect(stderr).not.toContain("ended with status");
  const grade = JSON.parse(stdout) as { readonly passed: boolean; readonly actions: readonly object[] };
  expect({ status, passed: grade.passed, actions: grade.actions.length }).toEqual({
    status: 0,
    passed: true,
    actions: 1,
  });
  expect(readFileSync(join(cwd, "debriefing/debriefing.html"), "utf8")).toContain("call to the owner of battery-large");
  expect(readFileSync(join(cwd, ".vppsim/drill-attempts.jsonl"), "utf8")).toContain('"person":"Aya"');
});

test.each([
  [["drill", "run", "storm", "--script", "none.yaml"], "none.yaml"],
  [["drill", "grade", "none.yaml"], "none.yaml"],
  [["drill", "run", "hurricane"], "no such drill"],
  [["drill", "validate", "scenarios/quickstart/scenario.yaml"], "scenario.yaml"],
])("vppsim %j is bad input", (args, words) => {
  const { status, stdout, stderr } = runVppsim(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(words);
});

test.each([
  ["careful", 0, []],
  [
    "careless",
    1,
    [
      "key_on_commands",
      "one_instruction",
      "waited_after_429",
      "new_token_after_498",
      "same_key_after_lost_answer",
      "read_after_redispatch",
      "resumed_telemetry",
    ],
  ],
])("a %s client sits the integrator's drill", (name, expectedStatus, mistakes) => {
  const program = [process.execPath, join(PROJECT, `test/drill/clients/${name}.mjs`)];
  const args = ["drill", "run", "integrator", "--speed", "15", "--json", "--", ...program];
  const { status, stdout } = runVppsim(args, { cwd: createFolder() });
  const { client } = JSON.parse(stdout) as { readonly client: { readonly check: string; readonly passed: boolean }[] };
  expect(client.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual(mistakes);
  expect(status).toBe(expectedStatus);
});
