import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { memoryFiles } from "../../../src/inputs/scenario/parse/loadContext.ts";
import { readServedScenario } from "../../../src/live/session/servedScenario.ts";
import { calmServedScenario } from "../../session/tinyScenario.ts";
import { runReport, ServedPlant } from "../servedPlant.ts";

const events = (file: string) => parse(readFileSync(file, "utf8")).events as Record<string, unknown>[];

test("weights, maintenance, an immediate instruction and an owner's order become what they were", async () => {
  const plant = await ServedPlant.open(
    calmServedScenario(
      [
        "{at: 2026-04-01T00:40:00Z, kind: set_weight, vpp: east, site: battery-2, allocation_weight: 300}",
        "{at: 2026-04-01T02:40:30Z, kind: maintenance, site: battery-2, duration: PT10M}",
        "{at: 2026-04-01T03:00:00Z, kind: direct_schedule, site: battery-1, start: 2026-04-01T03:05:00Z, end: 2026-04-01T03:25:00Z, delta_kw: 40}",
      ].join("\n  - "),
      (yaml) => `${yaml}instructions:\n  - {vpp: east, at: 2026-04-01T03:40:25Z, delta_kw: 120, duration_minutes: 7}\n`,
    ),
    "2026-04-01T05:30:00Z",
  );
  const { scenarioFile, document } = await plant.import();
  await plant.close();
  const [one, two, load] = document.sites.map(({ name }) => name);
  const of = (kind: string) => events(scenarioFile).filter((event) => event.kind === kind);
  expect(of("maintenance")).toEqual([
    { at: "2026-04-01T02:40:30Z", kind: "maintenance", site: two, duration: "PT600S" },
  ]);
  expect(of("direct_schedule")).toEqual([
    {
      at: "2026-04-01T03:05:00Z",
      kind: "direct_schedule",
      site: one,
      start: "2026-04-01T03:05:00Z",
      end: "2026-04-01T03:25:00Z",
      delta_kw: 40,
    },
  ]);
  expect(document.weights).toMatchObject([
    { site: one, allocation_weight: 100 },
    { site: two, allocation_weight: 300 },
    { site: load, allocation_weight: 100 },
  ]);
  expect(document.awards).toEqual({ schedules: 1, reconstructed: 1, refused: 0 });
  const awards = (await runReport(scenarioFile))("awards.csv");
  expect(
    awards.map(({ award_id, start, end, requested_kwh }) => [award_id.slice(0, 15), start, end, requested_kwh]),
  ).toContainEqual(["reconstructed-1", "2026-04-01T03:40:25Z", "2026-04-01T03:47:25Z", "14.000"]);
});

test("a site without a token is as large as what was measured, or is available now", async () => {
  const plant = await ServedPlant.open(
    calmServedScenario("", (yaml) => yaml.replace(/rebound_\w+: [\d.]+(, )?/g, "").replace(", }", "}")),
    "2026-04-01T05:30:00Z",
  );
  const { scenarioFile } = await plant.import({ siteTokens: new Map() });
  await plant.close();
  const [battery, , load] = (parse(readFileSync(scenarioFile, "utf8")).sites as { components: object[] }[]).map(
    ({ components }) => components,
  );
  // At rest at 50 % of 500 kWh: 200 kWh up to 90 % and 200 kWh down to 10 % are available.
  expect(battery).toMatchObject([
    { component_type: "battery", rated_cap: 400, import_pwr_max: 200, export_pwr_max: 200 },
  ]);
  // A third of 250 kW is shed of a load of up to 400 kW.
  const ratings = { contract_kw: 400, max_demand_kw: 400, dr_capable: true, max_dr_reduction_kw: 83.3 };
  expect(load).toMatchObject([{ component_type: "consumer", ...ratings }]);
});

test("a member that returns is one before and after, and its absence is no gap", async () => {
  const served = calmServedScenario(
    [
      "{at: 2026-04-01T03:10:20Z, kind: remove_member, vpp: east, site: plant}",
      "{at: 2026-04-01T03:40:25Z, kind: add_member, vpp: east, site: plant, resource_type: consumer, allocation_weight: 50}",
    ].join("\n  - "),
  );
  const plant = await ServedPlant.open(served, "2026-04-01T05:30:00Z");
  const { scenarioFile, document } = await plant.import();
  await plant.close();
  const { name: site } = document.sites[2];
  expect(document.gaps).toEqual([]);
  const { vpps } = parse(readFileSync(scenarioFile, "utf8"));
  expect(vpps[0].members[2]).toMatchObject({ site, allocation_weight: 100 });
  expect(events(scenarioFile)).toMatchObject([
    { at: "2026-04-01T03:10:20Z", kind: "remove_member", site },
    { at: "2026-04-01T03:40:25Z", kind: "add_member", site, resource_type: "consumer", allocation_weight: 50 },
  ]);
});

/** Two batteries that follow a plan of hours, for 70 days; one has left. */
function longScenario() {
  const start = Date.parse("2026-01-01T00:00:00Z");
  const plan = Array.from(
    { length: 24 * 70 },
    (_, k) => `${new Date(start + 3_600_000 * k).toISOString()},${[40, 0, -36.1, 0][k % 4]}\n`,
  );
  const yaml = `
version: 1
name: long
start: 2026-01-01T00:00:00Z
end: 2026-03-12T00:00:00Z
series: {plan: {file: plan.csv}}
sites:
  - name: battery-{n}
    count: 2
    components:
      - {component_id: bat, component_type: battery, rated_cap: 500, import_pwr_max: 200, export_pwr_max: 200, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50, auxiliary_kw: 1.5}}
    baseline: {method: series, series: plan.kw}
vpps: [{name: east, members: [{site: "battery-*", resource_type: battery, label: "store"}]}]
awards:
  - {award_id: old, vpp: east, sku: frr, start: 2026-01-20T01:00:00Z, end: 2026-01-20T02:00:00Z, delta_kw: -60}
  - {award_id: new, vpp: east, sku: frr, start: 2026-03-01T01:00:00Z, end: 2026-03-01T02:00:00Z, delta_kw: -60}
events: [{at: 2026-03-02T00:00:00Z, kind: remove_member, vpp: east, site: battery-2}]
`;
  const files = new Map([
    ["/long/scenario.yaml", yaml],
    ["/long/plan.csv", `timestamp,kw\n${plan.join("")}`],
  ]);
  return readServedScenario("/long/scenario.yaml", memoryFiles(files));
}

test("beyond 30 days awards come from the history, beyond 60 days power from energy; what is older is refused", async () => {
  const plant = await ServedPlant.open(longScenario(), "2026-03-11T12:00:00Z");
  const too = plant.import({ fromMs: Date.parse("2025-03-01T00:00:00Z") });
  await expect(too).rejects.toThrow(
    "--from: found 2025-03-01T00:00:00Z, allowed from 2026-01-10T13:00:00Z on (history of power), or from 2025-03-11T13:00:00Z on (history of energy alone)",
  );
  const { scenarioFile, document } = await plant.import({ fromMs: Date.parse("2026-01-05T00:00:00Z") });
  await plant.close();
  expect(document).toMatchObject({
    from: "2026-01-05T00:00:00Z",
    awards: { schedules: 1, reconstructed: 1 },
    gaps: [],
  });
  const [one, two] = document.sites.map(({ name }) => name);
  expect(events(scenarioFile)).toMatchObject([{ at: "2026-03-02T00:00:00Z", kind: "remove_member", site: two }]);
  const report = await runReport(scenarioFile);
  expect(report("awards.csv").map(({ award_id, start }) => [award_id.slice(0, 15), start])).toEqual([
    ["reconstructed-1", "2026-01-20T01:00:00Z"],
    [expect.stringMatching(/^[0-9a-f]{15}$/), "2026-03-01T01:00:00Z"],
  ]);
  // Of both parts: the plan and what the auxiliaries draw.
  const day = (from: string) =>
    report("energy.csv").filter(({ site, start }) => site === one && start.startsWith(from));
  for (const date of ["2026-01-06", "2026-02-10"])
    expect(day(date).reduce((sum, { import_kwh }) => sum + Number(import_kwh), 0)).toBeCloseTo(6 * 41.5 + 12 * 1.5, 0);
}, 60_000);
