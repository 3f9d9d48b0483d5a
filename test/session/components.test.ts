import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readServedScenario } from "../../src/live/session/servedScenario.ts";
import type { Session } from "../../src/live/session/session.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { openTinySession } from "./openTinySession.ts";
import { sessionAndExportReports } from "./sessionAndExportReports.ts";

const START = Date.parse("2026-04-01T00:00:00Z");
const minute = (k: number): number => START + 60_000 * k;
const instant = (k: number): string => `${new Date(minute(k)).toISOString().slice(0, 19)}Z`;

const battery = (id: string) =>
  `{component_id: ${id}, component_type: battery, fcr_capable: true, rated_cap: 400, import_pwr_max: 100, export_pwr_max: 100, soc_op_min: 10, soc_op_max: 90, model: {initial_soc: 50, ramp_kw_per_s: 2, response_delay_s: 3, auxiliary_kw: 1.5}}`;

/** Two batteries, PV and load behind a limited connection, with a varying frequency. */
const scenario = (control: string, frequency: string) => `
version: 1
name: parts
start: ${instant(0)}
end: 2026-04-01T04:00:00Z
seed: 5
series: {flows: {file: flows.csv}}
frequency: {${frequency}}
sites:
  - name: yard
    control: ${control}
    constraints: {site_import_max_kw: 320, site_export_max_kw: 60}
    capability: {reverse_flow_allowed: true}
    baseline: {method: constant, kw: 150}
    components:
      - ${battery("one")}
      - ${battery("two")}
      - {component_id: sun, component_type: generator, generator_kind: pv, pv_capacity_kw: 220, rated_output_kw: 200, model: {generation: flows.sun_kw}}
      - {component_id: hall, component_type: consumer, consumer_kind: factory, contract_kw: 400, max_demand_kw: 400, dr_capable: true, min_dr_reduction_kw: 10, max_dr_reduction_kw: 60, min_dr_duration_minutes: 10, min_dr_cooldown_minutes: 5, model: {load: flows.load_kw, rebound_fraction: 0.5, rebound_minutes: 20}}
vpps:
  - {name: east, members: [{site: yard, resource_type: multi_component}]}
awards:
  - {award_id: A, vpp: east, sku: rr, start: ${instant(30)}, end: ${instant(150)}, delta_kw: -70}
  - {award_id: F, vpp: east, sku: fcr, start: ${instant(60)}, end: ${instant(180)}, fcr_response_kw: 30}
report: {interval: PT30M, power_interval: PT1M, formats: [csv]}
`;

function flows(): string {
  const rows = Array.from(
    { length: 25 },
    (_, k) => `${new Date(START + 600_000 * k).toISOString()},${150 + 17 * ((5 * k) % 9)},${8 * k}`,
  );
  return `timestamp,load_kw,sun_kw\n${rows.join("\n")}\n`;
}

const ORDERS: readonly (readonly [atMinute: number, body: object])[] = [
  [10, { component_id: "one", sku: "frr", delta_kw: -40 }],
  [20, { component_id: "sun", baseline_kw: -50, delta_kw: 0 }],
  [40, { component_id: "two", sku: "fcr", fcr_response_kw: 25 }],
  [52, { component_id: "hall", sku: "frr", delta_kw: -30 }],
  [70, { component_id: "one", baseline_kw: 10, delta_kw: 60 }],
  [75, { component_id: "two", sku: "s-frr", delta_kw: -25 }],
  [100, { sku: "frr", delta_kw: 20, baseline_kw: 150 }],
  [110, { component_id: "one", sku: "compound", delta_kw: -30, fcr_response_kw: 20 }],
  [170, { component_id: "two", delta_kw: -100 }],
];

async function instruct(session: Session): Promise<void> {
  const { emsId } = session.scenario.world.sites[0];
  const call = { api: "site-v2", id: emsId, method: "POST", path: "/control/active_power", query: {} } as const;
  for (const [at, body] of ORDERS) {
    await session.advance(() => minute(at));
    const answer = await session.answer({ ...call, body: { type: "immediate", duration_minutes: 35, ...body } });
    expect([at, answer.status, answer.status === 200 ? null : answer.body]).toEqual([at, 200, null]);
  }
  await session.advance(() => minute(240));
}

/** Power of each minute from the API's history: of the site, and of its components. */
async function powerOf(session: Session): Promise<{ readonly site: number[]; readonly parts: number[][] }> {
  const { emsId } = session.scenario.world.sites[0];
  const body = { start_time: instant(0), end_time: instant(240), interval_seconds: 60 };
  const call = { api: "site-v2", id: emsId, method: "POST", path: "/measurements/active_power", query: {} } as const;
  const { stream } = await session.answer({ ...call, body });
  const { data } = JSON.parse([...stream!].join("")) as {
    data: { current_kw: number; components: { current_kw: number }[] }[];
  };
  return {
    site: data.map((row) => row.current_kw),
    parts: data.map((row) => row.components.map((part) => part.current_kw)),
  };
}

test.each([
  ["open", "generator: {mean_hz: 50, sigma_hz: 0.05, time_constant_s: 60}"],
  ["track", "constant_hz: 49.96"],
])("orders of single components: session, export and history agree (control: %s)", async (control, frequency) => {
  const folder = createTemporaryFolder("export");
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, scenario(control, frequency));
  writeFileSync(join(folder, "flows.csv"), flows());
  const session = await openTinySession({}, readServedScenario(file));
  await instruct(session);
  const { own, rerun } = await sessionAndExportReports(session);
  for (const [name, text] of own) expect(text, name).toBe(rerun.get(name));
  // The history, planned again, equals what the report's recorder sampled.
  const lines = own
    .get("power.csv")!
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const column = lines[0].indexOf("current_kw");
  const recorded = lines.slice(1).map((cells) => Number(cells[column]));
  const { site, parts } = await powerOf(session);
  expect(site.length).toBe(240);
  site.forEach((kw, k) => {
    expect([k, Math.abs(kw - recorded[k]) < 0.0501]).toEqual([k, true]);
    // Sums of rounded values.
    expect([k, Math.abs(parts[k].reduce((sum, part) => sum + part, 0) - kw) < 0.251]).toEqual([k, true]);
    // The limit of the connection point holds whatever the requests to single components.
    expect([k, -60.01 < kw && kw < 320.01]).toEqual([k, true]);
  });
  // Half a minute after its start, the first order has the battery at −40 kW, plus its auxiliaries.
  expect(parts[11][0]).toBe(-38.5);
  expect(parts[25][2]).toBeGreaterThanOrEqual(-50);
  await session.close();
});
