import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { runVppsim } from "./runVppsim.ts";

/** 100 kW, in the afternoon ten times the day of the month; 106 kW in the morning of May 20. */
function loadCsv(from: string): string {
  const startMs = Date.parse(`${from}T00:00:00+09:00`);
  const untilMs = Date.parse("2026-05-22T00:00:00+09:00");
  const rows = ["timestamp,load_kw"];
  for (let atMs = startMs; atMs < untilMs; atMs += 1_800_000) {
    const local = new Date(atMs + 9 * 3_600_000).toISOString();
    const hour = Number(local.slice(11, 13));
    const morningKw = local.startsWith("2026-05-20") ? 106 : 100;
    rows.push(`${new Date(atMs).toISOString()},${hour < 13 ? morningKw : 10 * Number(local.slice(8, 10))}`);
  }
  return `${rows.join("\n")}\n`;
}

const SCENARIO = `version: 1
name: dr
timezone: Asia/Tokyo
start: 2026-05-20T00:00:00+09:00
end: 2026-05-22T00:00:00+09:00
series: {factory: {file: factory.csv}}
sites:
  - name: plant
    components:
      - {component_id: c, component_type: consumer, contract_kw: 900, max_demand_kw: 900, dr_capable: true, max_dr_reduction_kw: 100, model: {load: factory.load_kw}}
    baseline: {method: high_4_of_5}
  - name: battery
    components: [{component_id: b, component_type: battery, rated_cap: 100, import_pwr_max: 50, export_pwr_max: 50, soc_op_min: 10, soc_op_max: 90}]
    baseline: {method: constant, kw: 12.5}
vpps: [{name: v, members: [{site: plant, resource_type: consumer}]}]
awards: [{vpp: v, start: 2026-05-20T14:00:00+09:00, end: 2026-05-20T15:00:00+09:00, delta_kw: -40, sku: frr}]
report: {formats: [csv]}
`;

function scenario(from = "2026-04-20", yaml = SCENARIO): string {
  const folder = createTemporaryFolder("cli");
  writeFileSync(join(folder, "scenario.yaml"), yaml);
  writeFileSync(join(folder, "factory.csv"), loadCsv(from));
  return folder;
}

const rowsOf = (folder: string, file: string) => readFileSync(join(folder, file), "utf8").trimEnd().split("\n");

describe("vppsim baseline", () => {
  test("writes the slots and the days they come from, and explains them", () => {
    const cwd = scenario();
    const { status, stdout, stderr } = runVppsim(["baseline", "scenario.yaml", "--site", "plant", "--out", "b"], {
      cwd,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    // May 19, 18, 15, 14 and 13: 130 is the lowest; (190 + 180 + 150 + 140) / 4 = 165, and 6 more than usual before.
    expect(
      stdout,
    ).toBe(`dr, plant: baseline high_4_of_5 (4 of 5 workdays, 2 of 3 holidays within 30 days, with same-day adjustment), times in Asia/Tokyo

2026-05-20, workday, demand response 2026-05-20 14:00-15:00
  2026-05-19     190.0 kW  used
  2026-05-18     180.0 kW  used
  2026-05-17               left out: a holiday (Sunday)
  2026-05-16               left out: a holiday (Saturday)
  2026-05-15     150.0 kW  used
  2026-05-14     140.0 kW  used
  2026-05-13     130.0 kW  left out: the lowest mean, of equal ones the farthest day
  low load: below 25 % of 158.0 kW
  baseline: mean of 4 days, slot by slot
  adjustment from 2026-05-20 09:00-12:00: load 106.0 kW - baseline 100.0 kW = +6.0 kW in the slots of the demand response

1 day without demand response: see audit.csv
warning: site battery is a member of no VPP (v) and gets no instruction; add it to members, or remove it
written: b (baseline.csv, audit.csv, audit.json)
`);
    const slots = rowsOf(join(cwd, "b"), "baseline.csv");
    expect(slots).toHaveLength(1 + 96);
    expect(slots.slice(0, 2)).toEqual([
      "start,end,baseline_kw,method_note",
      "2026-05-19T15:00:00Z,2026-05-19T15:30:00Z,100.000,High 4 of 5",
    ]);
    expect(slots.slice(28, 32)).toEqual([
      "2026-05-20T04:30:00Z,2026-05-20T05:00:00Z,165.000,High 4 of 5",
      '2026-05-20T05:00:00Z,2026-05-20T05:30:00Z,171.000,"High 4 of 5, same-day adjustment +6.0 kW"',
      '2026-05-20T05:30:00Z,2026-05-20T06:00:00Z,171.000,"High 4 of 5, same-day adjustment +6.0 kW"',
      "2026-05-20T06:00:00Z,2026-05-20T06:30:00Z,165.000,High 4 of 5",
    ]);
    const audit = rowsOf(join(cwd, "b"), "audit.csv");
    expect(audit.slice(0, 4)).toEqual([
      "day,day_type,dr_periods,considered_day,considered_type,mean_kw,verdict,reason,adjustment_kw",
      "2026-05-20,workday,2026-05-20T05:00:00Z/2026-05-20T06:00:00Z,2026-05-19,workday,190.000,used,used,6.000",
      "2026-05-20,workday,2026-05-20T05:00:00Z/2026-05-20T06:00:00Z,2026-05-18,workday,180.000,used,used,6.000",
      "2026-05-20,workday,2026-05-20T05:00:00Z/2026-05-20T06:00:00Z,2026-05-17,holiday,,other_type,left out: a holiday (Sunday),6.000",
    ]);
    // The next day passes over the 20th; over the whole day its loads are means of 100 × 26 and 10 × day × 22 slots.
    expect(audit[8]).toMatch(
      /^2026-05-21,workday,,2026-05-20,workday,.*,dr_day,left out: a day with demand response,$/,
    );
    const { days, rule } = JSON.parse(readFileSync(join(cwd, "b/audit.json"), "utf8"));
    expect(rule.workday).toEqual({ size: 5, keep: 4 });
    expect(days[0].used).toEqual(["2026-05-19", "2026-05-18", "2026-05-15", "2026-05-14"]);
    expect(days[0].adjustment).toEqual({
      start: "2026-05-20T00:00:00Z",
      end: "2026-05-20T03:00:00Z",
      actual_kw: 106,
      baseline_kw: 100,
      adjustment_kw: 6,
    });
  });

  test("is what the award is settled against", () => {
    const cwd = scenario();
    runVppsim(["run", "scenario.yaml", "--out", "r"], { cwd });
    const [head, row] = rowsOf(join(cwd, "r"), "awards.csv").map((line) => line.split(","));
    // Load 200 less 40 shed for an hour is 160; against 171 that delivers 11.
    expect(row[head.indexOf("delivered_kwh")]).toBe("-11.000");
  });

  test("explains the other methods too, in a folder of the scenario's name", () => {
    const cwd = scenario();
    const { stdout } = runVppsim(["baseline", "scenario.yaml", "--site", "battery"], { cwd });
    expect(stdout).toContain("dr, battery: baseline constant\n  The same value in every slot.\n");
    const folder = join(cwd, "reports/dr-baseline-battery");
    expect(readdirSync(folder).sort()).toEqual(["audit.csv", "audit.json", "baseline.csv", "run.json"]);
    expect(rowsOf(folder, "baseline.csv")[1]).toBe("2026-05-19T15:00:00Z,2026-05-19T15:30:00Z,12.500,Constant");
    expect(rowsOf(folder, "audit.csv")).toHaveLength(1);
  });

  test("names the error of the slots, which have it", () => {
    const yaml = SCENARIO.replace("kw: 12.5}", "kw: 12.5, error: {bias_kw: -2.5, correlation_minutes: 90}}");
    const cwd = scenario("2026-04-20", yaml.replace("high_4_of_5}", "high_4_of_5, error: {bias_kw: 4}}"));
    const explained = (site: string) => runVppsim(["baseline", "scenario.yaml", "--site", site], { cwd }).stdout;
    expect(explained("battery")).toContain(`dr, battery: baseline constant
  The same value in every slot.
  Each slot has an error: mean -2.5 kW, standard deviation 0 kW, correlation time 90 min, seed 1.
`);
    expect(explained("plant")).toContain(
      "times in Asia/Tokyo\n  Each slot has an error: mean 4 kW, standard deviation 0 kW, correlation time 0 min, seed 1.\n\n",
    );
    const firstSlot = (site: string) =>
      rowsOf(join(cwd, `reports/dr-baseline-${site}`), "baseline.csv")[1].split(",")[2];
    expect([firstSlot("battery"), firstSlot("plant")]).toEqual(["10.000", "104.000"]);
  });

  test("of a site with a name of another script, in a folder with percent signs", () => {
    const cwd = scenario();
    const file = join(cwd, "scenario.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(name|site): battery\b/g, "$1: 川崎蓄電所"));
    const { stdout } = runVppsim(["baseline", "scenario.yaml", "--site", "川崎蓄電所"], { cwd });
    expect(stdout).toContain("dr, 川崎蓄電所: baseline constant\n");
    expect(readdirSync(join(cwd, "reports"))).toEqual(["dr-baseline-%E5%B7%9D%E5%B4%8E%E8%93%84%E9%9B%BB%E6%89%80"]);
  });

  const MISTAKES: readonly [string, readonly string[], string, string?][] = [
    [
      "a site that is none",
      ["--site", "plants"],
      '--site: found "plants", allowed the name of a site (plant, battery)',
    ],
    ["no site", [], "required option '--site <name>' not specified"],
    [
      "a load without past days",
      ["--site", "plant"],
      "scenario.yaml:11:24: sites.0.baseline.method: found 3 workdays to average for 2026-05-20",
      "2026-05-15",
    ],
  ];
  for (const [name, args, message, from] of MISTAKES)
    test(`${name} is bad input: exit 2, nothing on standard output, nothing written`, () => {
      const cwd = scenario(from);
      const { status, stdout, stderr } = runVppsim(["baseline", "scenario.yaml", ...args], { cwd });
      expect(stderr).toContain(message);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(readdirSync(cwd).sort()).toEqual(["factory.csv", "scenario.yaml"]);
    });

  test("gives the same bytes in another time zone and locale", () => {
    const cwd = scenario();
    const args = ["baseline", "scenario.yaml", "--site", "plant", "--out"];
    const one = runVppsim([...args, "a"], { cwd, env: { TZ: "UTC" } });
    const env = { TZ: "America/New_York", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" };
    const other = runVppsim([...args, "b"], { cwd, env });
    expect(other.stdout.replace("written: b", "written: a")).toBe(one.stdout);
    for (const file of readdirSync(join(cwd, "a")))
      expect(readFileSync(join(cwd, "b", file), "utf8")).toBe(readFileSync(join(cwd, "a", file), "utf8"));
  });
});
