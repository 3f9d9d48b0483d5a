// Each command once, in the order of a first session. The deep tests of this folder cover the rest.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { GENERAL_DOCUMENTS, HELP_DOCUMENTS, HELP_EXAMPLES } from "../../src/cli/helpExamples.ts";
import { program } from "../../src/cli/program.ts";
import { readDocument } from "../docs/documents.ts";
import { needing } from "../needing.ts";
import { hourlyCsv, SMALL_SCENARIO } from "../scenario/scenarioFixtures.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { builtCommand } from "./builtCommand.ts";
import { PROJECT, runVppsim, shellCommand } from "./runVppsim.ts";
import { requestJson, startServer } from "./serveProcess.ts";

const STUDY = `version: 1
name: weights
scenario: demo/scenario.yaml
parameters: [{name: battery, path: weights.my-vpp.battery, values: [50, 100]}]
seeds: 2
objective: {minimise: shortfall_kwh}
`;

test("every command has its examples and its row in docs/commands.md", () => {
  const names = program().commands.map((command) => command.name());
  expect(Object.keys(HELP_EXAMPLES).sort()).toEqual([...names].sort());
  const table = readDocument("docs/commands.md");
  for (const name of names) expect(table).toMatch(new RegExp(`^\\| \`vppsim ${name}\\b`, "m"));
});

test("every help ends with documents of the package and the exit status", () => {
  const commands = program().commands.map((command) => command.name());
  expect(Object.keys(HELP_DOCUMENTS).sort()).toEqual([...commands].sort());
  for (const path of [...GENERAL_DOCUMENTS, ...Object.values(HELP_DOCUMENTS).flat()])
    expect(existsSync(join(PROJECT, path)), path).toBe(true);
  for (const line of ["--help", "run --help", "drill --help"])
    expect(runVppsim(line.split(" ")).stdout).toMatch(
      /\nDocuments:\n {2}\S+\.md\n(.*\n)*\nExit status:\n {2}0 {2}done\n {2}1 {2}.*\n {2}2 {2}bad usage or bad input; nothing was run\n$/,
    );
});

test("a folder without its file is one line", () => {
  const folder = createTemporaryFolder("empty");
  for (const command of ["run", "validate", "plan", "serve"])
    expect(runVppsim([command, folder])).toMatchObject({
      status: 2,
      stderr: `no scenario.yaml in ${folder}\n1 error; nothing was run\n`,
    });
  expect(runVppsim(["study", folder])).toMatchObject({
    status: 2,
    stderr: `no study.yaml in ${folder}\n1 error; nothing was run\n`,
  });
  for (const name of ["a", "b"]) writeFileSync(join(folder, `${name}.study.yaml`), STUDY);
  expect(runVppsim(["study", folder]).stderr).toBe(
    `${folder}: found 2 studies, allowed one of them: a.study.yaml, b.study.yaml\n1 error; nothing was run\n`,
  );
});

describe("every command works in one folder, one after the other", () => {
  const cwd = createTemporaryFolder("cli");
  writeFileSync(join(cwd, "study.yaml"), STUDY);

  test.each<[string, string, string, readonly string[]]>([
    // command line                                         standard output            folder        files in it
    ["init demo", "demo/scenario.yaml", "demo", ["awards.csv", "load.csv", "pv.csv", "scenario.yaml"]],
    ["validate demo", "valid, 3 sites, 1 VPP, 4 awards", "demo", []],
    [
      "run demo --out r",
      "4, 3 fully allocated at dispatch, 1 delivered in band",
      "r",
      ["awards.csv", "report.html", "summary.json"],
    ],
    ["explain r evening", "evening", "r", []],
    [
      "compare r r --out c",
      "All compared results are equal",
      "c",
      ["comparison.html", "comparison.json", "comparison.txt"],
    ],
    ["baseline demo/scenario.yaml --site battery --out b", "battery", "b", ["baseline.csv"]],
    ["study . --workers 2 --out s", "2 candidates", "s", ["best.patch.yaml", "report.html", "study.csv"]],
  ])("vppsim %s", (line, words, folder, files) => {
    const { status, stdout, stderr } = runVppsim(line.split(" "), { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(words);
    expect(readdirSync(join(cwd, folder))).toEqual(expect.arrayContaining([...files]));
  });

  test("a study locks its folder where Node may start no program", () => {
    const permission = process.allowedNodeEnvironmentFlags.has("--permission")
      ? "--permission"
      : "--experimental-permission";
    const node = [permission, "--allow-fs-read=*", "--allow-fs-write=*", "--allow-worker"];
    const words = [builtCommand(), "study", "study.yaml", "--workers", "1", "--out", "denied"];
    const { status, stderr, stdout } = spawnSync(process.execPath, [...node, ...words], { cwd, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringMatching(/^vppsim|^ +at /m) });
    expect(stdout).toContain("2 candidates");
  });

  needing("a POSIX shell", process.platform !== "win32").test(
    "too few open files are an error with its remedy, without a stack",
    () => {
      const limited = `ulimit -n 60; exec ${shellCommand()} drill list`;
      const { status, stderr } = spawnSync("sh", ["-c", limited], { cwd, encoding: "utf8" });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(
          /^vppsim: EMFILE: too many open files, .*; allow more open files \(ulimit -n 1024\)\n$/,
        ),
      });
    },
  );

  test("vppsim serve answers, and ends with 0 when it is stopped", async () => {
    const server = await startServer(cwd, "demo", "--paused", "--report", "live");
    expect((await requestJson("GET", `${server.at.base_url}/sandbox/clock`)).status).toBe(200);
    const post = (path: string, body: object) => requestJson("POST", `${server.at.base_url}/sandbox/${path}`, body);
    expect((await post("clock/advance", { by: "PT1H" })).status).toBe(200);
    // A thread writes it.
    expect((await post("report", {})).status).toBe(200);
    expect(await server.stop()).toMatchObject({ status: 0 });
  });
});

test("the built page of the APIs has the licences that its scripts name", () => {
  const folder = join(dirname(builtCommand()), "../api/http/openapi/page");
  const named = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map(
      (name) =>
        /^\/\*! For license information please see (\S+) \*\//.exec(readFileSync(join(folder, name), "utf8"))?.[1],
    );
  expect(named).toHaveLength(2);
  for (const name of named) expect(readFileSync(join(folder, String(name)), "utf8")).toContain("MIT License");
  expect(readFileSync(join(folder, "LICENSE"), "utf8")).toContain("Apache License");
});

test("--json has one spelling of keys, and the figures of summary.json", () => {
  const cwd = createTemporaryFolder("cli");
  writeFileSync(join(cwd, "s.yaml"), "version: 2\nname: x\n");
  const wrong = JSON.parse(runVppsim(["validate", "s.yaml", "--json"], { cwd }).stdout);
  expect(wrong.errors[0]).toMatchObject({ file: "s.yaml", line: 1, key_path: "start" });
  runVppsim(["init", "demo"], { cwd });
  const { kpis } = JSON.parse(runVppsim(["run", "demo", "--out", "r", "--json"], { cwd }).stdout);
  expect(kpis).toEqual(JSON.parse(readFileSync(join(cwd, "r/summary.json"), "utf8")).kpis);
  writeFileSync(join(cwd, "p.csv"), hourlyCsv(24, { jpy: (hour) => (hour < 12 ? 5 : 25) }));
  const series = "series: {p: {file: p.csv}}\nmarket: {energy_price: p.jpy}\n";
  writeFileSync(
    join(cwd, "plan.yaml"),
    `${SMALL_SCENARIO}${series}vpps: [{name: v, members: [{site: b, resource_type: battery}]}]\n`,
  );
  const plan = runVppsim(["plan", "plan.yaml", "--reserve", "frr", "--reserve-price", "3", "--out", "p", "--json"], {
    cwd,
  });
  expect(JSON.parse(plan.stdout).assumptions.reserve).toEqual({ sku: "frr", price_per_kw: 3, sustained_hours: 0.5 });
  expect([wrong, JSON.parse(plan.stdout)].flatMap(keysOf).filter((key) => /[a-z][A-Z]/.test(key))).toEqual([]);
});

const keysOf = (value: unknown): string[] =>
  value === null || typeof value !== "object"
    ? []
    : Object.entries(value).flatMap(([key, member]) => [Array.isArray(value) ? "" : key, ...keysOf(member)]);

test.each(["worker", "run demo --fast", "serve demo --port 70000", "compare a b --open"])(
  "vppsim %s is bad input: exit 2 and nothing on standard output",
  (line) => {
    const { status, stdout, stderr } = runVppsim(line.split(" "));
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).not.toBe("");
  },
);
