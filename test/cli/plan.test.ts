import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { runVppsim } from "./runVppsim.ts";

/** A price of 10 in the first and of 20 in the second hour, and a battery without losses. */
const SCENARIO = `version: 1
name: trade
start: 2026-04-01T00:00:00Z
end: 2026-04-01T02:00:00Z
series: {prices: {file: prices.csv}}
market: {energy_price: prices.jpy}
sites:
  - name: battery
    components:
      - {component_id: bat, component_type: battery, rated_cap: 400, import_pwr_max: 100, export_pwr_max: 100,
         soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 50, charge_efficiency: 1, discharge_efficiency: 1}}
`;

function scenarioFolder(text: string): string {
  const folder = createTemporaryFolder("plan");
  writeFileSync(join(folder, "s.yaml"), text);
  writeFileSync(
    join(folder, "prices.csv"),
    "timestamp,jpy\n2026-04-01T00:00:00Z,10\n2026-04-01T01:00:00Z,20\n2026-04-01T02:00:00Z,20\n",
  );
  return folder;
}

function outputOf(cwd: string, line: string): string {
  const { status, stdout, stderr } = runVppsim(line.split(" "), { cwd });
  expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: "" });
  return stdout;
}

test("no plan replaces the report of its scenario or of another plan, and the same plan replaces its own", () => {
  const cwd = scenarioFolder(SCENARIO);
  const report = (line: string) => /report: (.*)\/report.html/.exec(outputOf(cwd, line))?.[1];
  expect(report("run s.yaml --quiet")).toBe("reports/trade");
  expect(report("plan s.yaml --forecast perfect --run --quiet")).toBe("reports/trade-plan");
  expect(report("plan s.yaml --forecast perfect --fee 0.5 --run --quiet")).toBe("reports/trade-plan-2");
  expect(report("plan s.yaml --forecast perfect --run --quiet")).toBe("reports/trade-plan");
  expect(report("plan s.yaml --out reports/spring --run --quiet")).toBe("reports/trade-plan-reports-spring");
  expect(report("run plans/trade-plan-2/scenario.yaml --quiet")).toBe("reports/trade-plan-2");
  expect(existsSync(join(cwd, "plans/trade-plan-3"))).toBe(false);
  for (const file of ["scenario.yaml", "plan.json"])
    expect(readFileSync(join(cwd, "plans/trade-plan", file), "utf8")).not.toContain(cwd);
});

test("a plan and its run print both cashes, their difference by cause, and a currency", () => {
  const text = `${SCENARIO}  - name: load
    components: [{component_id: l, component_type: consumer, consumer_kind: factory, contract_kw: 50, max_demand_kw: 50, dr_capable: false, model: {load: prices.jpy}}]
    baseline: {method: perfect}
`;
  const stdout = outputOf(scenarioFolder(text), "plan s.yaml --forecast perfect --fee 0.5 --run --quiet");
  expect(stdout).toContain("trade: plan of 1 day\n");
  expect(stdout).toContain("left out    load (no battery)");
  // 100 of the stored 200 kWh are sold at 10 and 100 at 20. The load draws 10 kWh at 10 and 20 kWh at 20.
  expect(stdout).toContain("  cash        2,900 JPY at the prices that came\n");
  expect(stdout).toContain("margin of the aggregator  2,900 JPY");
  expect(stdout.slice(stdout.indexOf("cash as planned"))).toBe(`cash as planned         2,900 JPY
  cash as run             2,400 JPY
  difference              −500 JPY, of which
    run without the plan  −500 JPY

`);
});
