import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { batteryYearFiles } from "../../bench/batteryYearFiles.ts";
import { writeFiles } from "../../src/inputs/datagen/disk/writeFiles.ts";
import { STUDY_HEAD, TWO_BATTERIES } from "../study/studyFixtures.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { runVppsim, shellCommand, startVppsim } from "./runVppsim.ts";

const STUDY = `${STUDY_HEAD}parameters:
  - {name: large, path: "weights.v.large", range: [0, 100], steps: 3}
  - {name: small, path: "weights.v.small", range: [0, 100], steps: 3}
seeds: 2
objective: {minimise: shortfall_kwh}
`;

function folderWith(study: string): string {
  const cwd = createTemporaryFolder("cli");
  writeFileSync(join(cwd, "two.yaml"), TWO_BATTERIES);
  writeFileSync(join(cwd, "study.yaml"), study);
  return cwd;
}

describe("vppsim study", () => {
  test("writes a report that is equal with one worker and with two", () => {
    const cwd = folderWith(STUDY);
    const one = runVppsim(["study", "study.yaml", "--workers", "1", "--json"], { cwd });
    expect([one.status, one.stderr]).toEqual([0, ""]);
    const { report, best } = JSON.parse(one.stdout);
    expect(report).toBe(join(cwd, "reports/s"));
    const two = runVppsim(["study", "study.yaml", "--workers", "2", "--out", "two"], { cwd });
    expect([two.status, two.stderr]).toEqual([0, ""]);
    expect(two.stdout).toContain("9 candidates (grid) on 2 seeds");
    const textOf = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
    for (const file of ["study.csv", "summary.json", "best.patch.yaml"])
      expect(textOf(join(cwd, "two"), file)).toBe(textOf(report, file));
    // The page names its folder.
    expect(textOf(join(cwd, "two"), "report.html").replace("--patch two/", "--patch reports/s/")).toBe(
      textOf(report, "report.html"),
    );
    expect(Object.keys(best.patch).sort()).toEqual(["weights.v.large", "weights.v.small"]);
  });

  test("prints and shows a command that applies the best patch, as it is pasted", () => {
    const cwd = createTemporaryFolder("cli");
    mkdirSync(join(cwd, "my fleet"));
    writeFileSync(join(cwd, "my fleet/two.yaml"), TWO_BATTERIES);
    writeFileSync(join(cwd, "my fleet/study.yaml"), STUDY.replace("seeds: 2", "seeds: 5"));
    const { stdout } = runVppsim(["study", "my fleet", "--workers", "1", "--out", "it's/best"], { cwd });
    const [, command] = /^ {2}Apply it with: (.*)$/m.exec(stdout) ?? [];
    expect(command).toBe(`vppsim run 'my fleet/two.yaml' --patch 'it'\\''s/best/best.patch.yaml'`);
    const page = readFileSync(join(cwd, "it's/best/report.html"), "utf8");
    expect(page).toContain(`<code>${command.replaceAll("'", "&#39;")}</code>`);
    execFileSync("sh", ["-c", command.replace("vppsim", shellCommand())], { cwd });
    expect(readFileSync(join(cwd, "reports/two/run.json"), "utf8")).toContain("best.patch.yaml");
  });

  test("Ctrl-C keeps the finished runs, --resume continues, and there is no report before the end", async () => {
    const cwd = folderWith(STUDY.replace("seeds: 2", "seeds: 400"));
    const child = startVppsim(["study", "study.yaml", "--workers", "1", "--out", "r"], cwd);
    let errors = "";
    child.stderr?.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const results = join(cwd, "r.unfinished/results.jsonl");
    const lines = () => (existsSync(results) ? readFileSync(results, "utf8").split("\n").length - 2 : 0);
    while (lines() < 40 && child.exitCode === null) await pause(20);
    const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(errors).toMatch(/stopped after \d+ of \d+ runs, stored in .*r\.unfinished; --resume continues from there/);
    expect(existsSync(join(cwd, "r"))).toBe(false);
    expect(readdirSync(join(cwd, "r.unfinished"))).toEqual(["results.jsonl"]);
    const kept = lines();
    const again = runVppsim(["study", "study.yaml", "--workers", "1", "--out", "r", "--resume"], { cwd });
    expect(again.status).toBe(0);
    expect(JSON.parse(readFileSync(join(cwd, "r/run.json"), "utf8")).resumed).toBe(kept);
  });

  test.each(["1", "2"])("Ctrl-C ends a study while bounds are solved, with %s workers", async (workers) => {
    const cwd = createTemporaryFolder("cli");
    // Ten batteries and 576 awards on ten seeds: 21 linear programmes, some seconds in all.
    writeFiles(join(cwd, "fleet"), batteryYearFiles(12, 10));
    writeFileSync(
      join(cwd, "study.yaml"),
      `version: 1
name: s
scenario: fleet/scenario.yaml
parameters: [{name: weight, path: "weights.fleet.bat-01", values: [100]}]
seeds: 10
allocation: equal
objective: {minimise: shortfall_kwh}
`,
    );
    const child = startVppsim(["study", "study.yaml", "--workers", workers, "--out", "r"], cwd);
    const results = join(cwd, "r.unfinished/results.jsonl");
    const lines = () => (existsSync(results) ? readFileSync(results, "utf8").split("\n").length - 2 : 0);
    const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
    // As written and equal weights on the seeds, and, since their settings are the same, once on as many others.
    while (lines() < 30 && child.exitCode === null) await pause(5);
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(readdirSync(join(cwd, "r.unfinished"))).toEqual(["results.jsonl"]);
  });

  test.each<[string, string, string[], RegExp]>([
    [
      "an error in the study",
      STUDY.replace("weights.v.large", "weights.v.huge"),
      [],
      /study\.yaml:5:\d+: parameters\.0\.path: found "weights\.v\.huge", allowed a glob/,
    ],
    ["no worker at all", STUDY, ["--workers", "0"], /--workers: found 0, allowed a whole number of at least 1/],
  ])("%s is bad input: exit 2 and nothing written", (_, study, flags, message) => {
    const cwd = folderWith(study);
    const { status, stdout, stderr } = runVppsim(["study", "study.yaml", ...flags], { cwd });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(existsSync(join(cwd, "reports"))).toBe(false);
  });
});
