// A year of trading with a battery of 40 and of 48 MWh, from the plan to the answer whether the larger one pays.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PROJECT, runVppsim } from "./runVppsim.ts";

const cwd = createTemporaryFolder("invest");
const BATTERY_YEAR = join(PROJECT, "scenarios/markets/battery-year.yaml");

function run(line: readonly string[]): string {
  const { status, stdout, stderr } = runVppsim([...line, "--quiet"], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

test("48 MWh against 40 pay back in 19 years, and are worth less than they cost", { timeout: 300_000 }, () => {
  writeFileSync(join(cwd, "larger.yaml"), 'sites.battery.components.bat.rated_cap: "*1.2"\n');
  for (const [name, patch] of [
    ["now", []],
    ["larger", ["--patch", "larger.yaml"]],
  ] as const) {
    run(["plan", BATTERY_YEAR, ...patch, "--out", name]);
    run(["run", `${name}/scenario.yaml`, ...patch, "--out", `reports/${name}`, "--format", "csv"]);
  }
  const compare = ["compare", "reports/now", "reports/larger", "--names", "40 MWh,48 MWh", "--capex", "35000"];
  const { status, stdout } = runVppsim([...compare, "--out", "c"], { cwd });
  expect(status).toBe(0);
  expect(stdout).toContain(
    "48 MWh against 40 MWh: investment +280.0 million JPY, yearly margin +14.6 million JPY, simple payback 19.23 years, net present value -63.3 million JPY",
  );
  expect(stdout).toContain("One year is repeated 20 times, prices as given, 3 % a year; ageing: none modelled.");
  const { investment, reports } = JSON.parse(readFileSync(join(cwd, "c/comparison.json"), "utf8"));
  expect(reports[0].kpis.aggregator_margin_jpy).toBeCloseTo(151_055_044.056, 3);
  expect(investment).toHaveLength(1);
  expect(investment[0]).toMatchObject({ name: "48 MWh", investment_jpy: 280_000_000 });
  expect(investment[0].yearly_margin_jpy).toBeCloseTo(14_563_840.716, 3);
  expect(investment[0].payback_years).toBeCloseTo(19.23, 2);
  expect(Math.round(investment[0].npv_jpy / 10)).toBe(-6_332_683);
});

test("a price below 0, or a run of a day, is bad input", () => {
  const bad = (line: readonly string[]) => {
    const { status, stdout, stderr } = runVppsim(line, { cwd });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    return stderr;
  };
  expect(bad(["compare", "a", "b", "--capex", "-1"])).toContain("0 or more");
  expect(bad(["run", join(PROJECT, "scenarios/quickstart"), "--capex", "35000"])).toContain(
    "a year cannot be told from 24 h: run 28 days at least",
  );
});
