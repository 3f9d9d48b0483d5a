import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { runVppsim } from "./runVppsim.ts";
import { ServeProcess } from "./serveProcess.ts";

const SCENARIO = `version: 1
name: small
start: 2026-04-01T00:00:00Z
end: 2026-04-02T00:00:00Z
sites:
  - name: b
    components:
      - {component_id: bat, component_type: battery, rated_cap: 2000, import_pwr_max: 1000, export_pwr_max: 900, soc_op_min: 10, soc_op_max: 90}
vpps: [{name: v, members: [{site: b, resource_type: battery}]}]
awards:
  - {vpp: v, sku: frr, start: 2027-04-01T01:00:00Z, end: 2027-04-01T02:00:00Z, delta_kw: -100}
  - {file: a.csv}
`;
const AWARDS = "vpp,start,end,delta_kw,phone\nv,2026-04-01T01:00:00Z,2026-04-01T02:00:00Z,-100,1\n";
const messageAt = (instant: string) => `award A-1 begins at ${instant}, after the run`;

test("a warning stands with its place on standard error and in run.json, and without it in the report", () => {
  const cwd = createTemporaryFolder("cli");
  writeFileSync(join(cwd, "s.yaml"), SCENARIO);
  writeFileSync(join(cwd, "a.csv"), AWARDS);
  const lines = [
    expect.stringContaining('note: a.csv:1:24: phone: column "phone" is no key'),
    expect.stringContaining(`warning: s.yaml:11:31: awards.0.start: ${messageAt("1 Apr 2027 01:00")}`),
  ];

  const run = runVppsim(["run", "s.yaml", "--out", "r"], { cwd });
  expect(run.status).toBe(0);
  expect(run.stderr.trim().split("\n")).toEqual(lines);
  expect(run.stdout).toMatch(/\n {2}1 warning on the input: /);

  const readJson = (file: string) => JSON.parse(readFileSync(join(cwd, "r", file), "utf8"));
  expect(
    readJson("run.json").remarks.map(({ check, file, line }: Record<string, unknown>) => [check, file, line]),
  ).toEqual([
    ["ignored-column", "a.csv", 1],
    ["award-outside-run", "s.yaml", 11],
  ]);
  expect(readJson("summary.json").warnings).toEqual([expect.stringContaining(messageAt("2027-04-01T01:00:00Z"))]);
  expect(readFileSync(join(cwd, "r/report.html"), "utf8")).toContain("award A-1 begins at");

  expect(runVppsim(["validate", "s.yaml"], { cwd }).stdout.trim().split("\n").slice(1)).toEqual(lines);
  const { remarks, warnings } = JSON.parse(runVppsim(["validate", "s.yaml", "--json"], { cwd }).stdout);
  expect([remarks.length, warnings.length]).toEqual([2, 1]);
});

test("a server says its warnings once, with their places", async () => {
  const cwd = createTemporaryFolder("cli");
  writeFileSync(join(cwd, "s.yaml"), SCENARIO);
  writeFileSync(join(cwd, "a.csv"), AWARDS);
  const server = new ServeProcess(["s.yaml", "--paused", "--no-journal", "--port", "0", "--auth-port", "0"], cwd);
  await server.waitUntilReady();
  server.kill("SIGTERM");
  const { stderr } = await server.exited;
  const lines = stderr.split("\n").filter((line) => /s\.yaml|a\.csv/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(/^vppsim: note: \S*a\.csv:1:24: phone: /),
    expect.stringMatching(/^vppsim: warning: \S*s\.yaml:11:31: awards\.0\.start: /),
  ]);
});
