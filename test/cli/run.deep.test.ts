import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { copyScenario, PROJECT, runVppsim, runWithFileLimit, startVppsim } from "./runVppsim.ts";

const QUICKSTART = join(PROJECT, "scenarios/quickstart/scenario.yaml");

/** Content of every file of a report but run.json, which holds the timings. */
function reportBytes(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name !== "run.json");
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

describe("vppsim run", () => {
  test("writes the files of the report and a summary, and exits with 0", () => {
    const cwd = createTemporaryFolder("cli");
    const { status, stdout, stderr } = runVppsim(["run", QUICKSTART], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^ {2}awards +9, /m);
    const stems = ["awards", "dispatch", "energy", "events", "power", "sites", "vpp_energy"];
    const tables = stems.flatMap((stem) => [`${stem}.csv`, `${stem}.jsonl`]);
    const files = [...tables, "report.html", "run.json", "scenario.json", "summary.json"].sort();
    expect(readdirSync(join(cwd, "reports/quickstart")).sort()).toEqual(files);
    const run = JSON.parse(readFileSync(join(cwd, "reports/quickstart/run.json"), "utf8"));
    expect(Object.keys(run.files)).toEqual(files.filter((file) => file !== "run.json"));
  });

  test("gives the same bytes twice, in another time zone, locale and folder", () => {
    const one = createTemporaryFolder("cli");
    const other = createTemporaryFolder("cli");
    expect(runVppsim(["run", QUICKSTART, "--out", "a"], { cwd: one }).status).toBe(0);
    const env = { TZ: "America/New_York", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
    expect(runVppsim(["run", QUICKSTART, "--out", "b"], { cwd: other, env }).status).toBe(0);
    expect(reportBytes(join(other, "b"))).toEqual(reportBytes(join(one, "a")));
  });

  test("times on the screen and on the page are in the zone of --tz, files stay in UTC", () => {
    const cwd = createTemporaryFolder("cli");
    const { stdout } = runVppsim(["run", QUICKSTART, "--out", "tokyo"], { cwd });
    expect(stdout).toContain("quickstart: 20 May 2026 00:00 to 21 May 2026 00:00 Asia/Tokyo (UTC+09:00), 6 sites");
    const other = runVppsim(["run", QUICKSTART, "--out", "paris", "--tz", "europe/paris"], { cwd });
    expect(other.stdout).toContain("19 May 2026 17:00 to 20 May 2026 17:00 Europe/Paris (UTC+02:00), 6 sites");
    const [tokyo, paris] = ["tokyo", "paris"].map((name) => reportBytes(join(cwd, name)));
    expect(paris.get("report.html")).toContain("Europe/Paris");
    expect(paris.get("report.html")).not.toContain("Asia/Tokyo");
    for (const bytes of [tokyo, paris]) bytes.delete("report.html");
    expect(paris).toEqual(tokyo);
  });

  test("another seed gives another run, and the output states the seed", () => {
    const cwd = createTemporaryFolder("cli");
    const { stdout } = runVppsim(["run", QUICKSTART, "--seed", "2", "--json", "--format", "csv"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ scenario: "quickstart", seed: 2, kpis: { awards_total: 9 } });
  });

  test("a patch changes numbers of the scenario for one run", () => {
    const cwd = createTemporaryFolder("cli");
    writeFileSync(join(cwd, "patch.yaml"), "weights.east.pv-*: 0\n");
    const kpis = (args: string[]) =>
      JSON.parse(runVppsim(["run", QUICKSTART, "--json", "--format", "csv", ...args], { cwd }).stdout).kpis;
    expect(kpis(["--patch", "patch.yaml"]).shortfall_kwh).not.toBe(kpis([]).shortfall_kwh);
  });
});

describe("errors", () => {
  const MISTAKES: readonly [string, readonly string[], string][] = [
    ["no such scenario", ["run", "nowhere.yaml"], "file not found: nowhere.yaml"],
    [
      "an unknown time zone",
      ["run", QUICKSTART, "--tz", "Asia/Tokio"],
      '--tz: found "Asia/Tokio", allowed an IANA time zone, as in Asia/Tokyo or UTC; did you mean Asia/Tokyo',
    ],
    ["an unknown command", ["fly"], "unknown command 'fly'"],
    ["an unknown option", ["run", QUICKSTART, "--fast"], "unknown option '--fast'"],
    [
      "a format that is none",
      ["run", QUICKSTART, "--format", "csv,pdf"],
      '--format: found "pdf", allowed a format: csv, json, html, parquet, xlsx',
    ],
    ["a time without offset", ["run", QUICKSTART, "--from", "2026-05-20T15:00:00"], "--from: found"],
    ["a seed that is no number", ["run", QUICKSTART, "--seed", "x"], 'Found "x", allowed: an integer'],
    ["an empty seed, as of an unset variable", ["run", QUICKSTART, "--seed", ""], 'Found "", allowed: an integer'],
    ["a patch that is not there", ["run", QUICKSTART, "--patch", "no.yaml"], "file not found: no.yaml"],
    ["a report that is none", ["compare", "scenarios", "scenarios"], "found no summary.json in it"],
  ];
  for (const [name, args, message] of MISTAKES)
    test(`${name} is bad input: exit 2, and nothing on standard output`, () => {
      const { status, stdout, stderr } = runVppsim(args);
      expect(stderr).toContain(message);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    });

  test("a disk that fills up fails the run, names the file, and leaves the older report as it was", () => {
    const cwd = createTemporaryFolder("cli");
    runVppsim(["run", QUICKSTART, "--out", "r", "--format", "csv"], { cwd });
    const before = reportBytes(join(cwd, "r"));
    const { status, stderr } = runWithFileLimit(40, ["run", QUICKSTART, "--out", "r", "--format", "csv"], cwd);
    expect(stderr).toMatch(/cannot write .*\.csv: .*(EFBIG|file too large)/i);
    expect(status).toBe(1);
    expect(reportBytes(join(cwd, "r"))).toEqual(before);
    expect(readdirSync(cwd)).toEqual(["r"]);
  });

  test.each([
    ["below a file", "file/r", "ENOTDIR"],
    ["two folders below a file", "file/a/r", "ENOTDIR"],
    ["under a name too long for a folder", "n".repeat(300), "ENAMETOOLONG"],
    ...(existsSync("/proc/self") ? [["where the system lets nobody make folders", "/proc/r", "ENOENT"]] : []),
  ])("a report to be written %s is bad input: exit 2", (_, out, code) => {
    const cwd = createTemporaryFolder("cli");
    writeFileSync(join(cwd, "file"), "");
    const { status, stderr } = runVppsim(["run", QUICKSTART, "--out", out, "--format", "csv"], { cwd });
    expect(stderr).toContain(`found a path where no folder can be created (${code}), allowed a new or empty folder`);
    expect({ status, names: readdirSync(cwd) }).toEqual({ status: 2, names: ["file"] });
  });

  test("a run makes the folders above its report", () => {
    const cwd = createTemporaryFolder("cli");
    expect(runVppsim(["run", QUICKSTART, "--out", "a/b/r", "--format", "csv"], { cwd }).status).toBe(0);
    expect(existsSync(join(cwd, "a/b/r/summary.json"))).toBe(true);
  });

  test("Ctrl-C in the middle ends cleanly: exit 1, no half report, no staging folder", async () => {
    const folder = copyScenario("quickstart");
    // A longer run of the same day, so that the signal falls into it.
    const file = join(folder, "quickstart/scenario.yaml");
    const yaml = readFileSync(file, "utf8").replace("power_interval: PT5M", "power_interval: PT0.05S");
    writeFileSync(file, yaml);
    const child = startVppsim(["run", file, "--out", "r", "--format", "csv"], folder);
    let stderr = "";
    child.stderr?.on("data", (bytes) => {
      stderr += bytes;
    });
    const isStaging = () => readdirSync(folder).some((name) => name.startsWith(".r.partial-"));
    const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
    while (!isStaging() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(stderr).toContain("stopped before its end; no report was written");
    expect(readdirSync(folder)).toEqual(["quickstart"]);
  });
});

describe("vppsim validate", () => {
  test("prints the contents of a scenario", () => {
    const { status, stdout } = runVppsim(["validate", QUICKSTART]);
    expect(status).toBe(0);
    expect(stdout).toContain("valid, 6 sites, 1 VPP, 8 awards, 1 instruction, 6 events");
  });

  test("reports all errors at once, as text and as JSON", () => {
    const folder = copyScenario("quickstart");
    const file = join(folder, "quickstart/scenario.yaml");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace("rated_cap: 4000", "rated_cap: -1").replace("seed: 1", "sead: 1"),
    );
    const text = runVppsim(["validate", file]);
    expect(text.status).toBe(2);
    expect(text.stderr).toContain("2 errors; nothing was run");
    const { valid, errors } = JSON.parse(runVppsim(["validate", file, "--json"]).stdout);
    expect(valid).toBe(false);
    expect(errors.map((error: { key_path: string }) => error.key_path)).toEqual([
      "sead",
      "sites.0.components.0.rated_cap",
    ]);
  });
});

describe("vppsim init and compare", () => {
  test("the scenario of init runs, and two seeds can be compared", () => {
    const cwd = createTemporaryFolder("cli");
    expect(runVppsim(["init", "mine"], { cwd }).status).toBe(0);
    expect(runVppsim(["run", "mine/scenario.yaml", "--out", "a"], { cwd }).status).toBe(0);
    writeFileSync(join(cwd, "patch.yaml"), "sites.battery.components.bat.rated_cap: 100\n");
    expect(runVppsim(["run", "mine/scenario.yaml", "--out", "b", "--patch", "patch.yaml"], { cwd }).stderr).toBe("");
    const { status, stdout } = runVppsim(["compare", "a", "b", "--out", "c"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain("shortfall_kwh");
    expect(readFileSync(join(cwd, "c/comparison.txt"), "utf8")).toBe(stdout);
    expect(runVppsim(["init", "mine"], { cwd }).status).toBe(2);
  });
});
