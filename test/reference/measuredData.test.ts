// Measured series through the scenario format, against sums taken from the files directly. The files stand beside this
// project; where they do not, nothing is tested.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import type { RunRecord } from "../../src/accounting/runRecord.ts";
import { roundKw } from "../../src/base/rounding.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { needingShared } from "../needing.ts";
import { runWorld } from "../runWorld.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { PROJECT_ROOT } from "../tidySource.ts";

const PLANT = "data/open/plant/us_golden_serf_east_2016a_15min.csv";
const STEEL = "data/open/load/kr_steelworks_2018-01_08_15min.csv.gz";
const RESERVE = "data/terms-unclear/balancing/jp_eprx_awards_2024-04_2025-03_part.csv.gz";

const shared = (path: string): string => join(PROJECT_ROOT, "..", "shared", path);

/** Rows as objects of text; the files have no quotes. */
function rowsOf(path: string): Record<string, string>[] {
  const bytes = readFileSync(shared(path));
  const [head, ...lines] = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").trim().split(/\r?\n/);
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return Object.fromEntries(names.map((name, k) => [name, cells[k]]));
  });
}

/** Rows with startIso <= timestamp < endIso; both are whole days in the same form, so that text order is time order. */
const within = (path: string, startIso: string, endIso: string) =>
  rowsOf(path).filter(({ timestamp_utc }) => startIso <= timestamp_utc && timestamp_utc < endIso);

let folder = "";
beforeAll(() => {
  folder = createTemporaryFolder("measured");
});

function runYaml(name: string, yaml: string): RunRecord {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, yaml);
  return runWorld(loadScenario(file).world, { intervalMs: 1_800_000, timelines: false });
}

const siteOf = ({ sites }: RunRecord, name: string) => sites.find(({ site }) => site === name);

needingShared(PLANT).describe("a measured PV plant in Colorado", () => {
  const [start, end] = ["2016-07-02T00:00:00Z", "2016-07-09T00:00:00Z"];

  test("a week of its quarter hours is a week of its energy", () => {
    // The file has night-time standby consumption; a PV plant of this simulator does not consume.
    const day = within(PLANT, start, end);
    const copy = join(folder, "plant.csv");
    const lines = day.map(
      ({ timestamp_utc, pv_power_w }) => `${timestamp_utc},${Math.max(0, Number(pv_power_w)) / 1000}`,
    );
    writeFileSync(copy, `timestamp_utc,kw\n${lines.join("\n")}\n`);
    const directKwh = day.reduce((sum, { pv_power_w }) => sum + Math.max(0, Number(pv_power_w)) / 4000, 0);
    const limitedKwh = day.reduce(
      (sum, { pv_power_w }) => sum + Math.min(3, Math.max(0, Number(pv_power_w)) / 1000) / 4,
      0,
    );
    const array = (name: string, ratedKw: number) => `
  - name: ${name}
    components: [{component_id: pv, component_type: generator, generator_kind: pv, pv_capacity_kw: 6, rated_output_kw: ${ratedKw}, model: {generation: sun.kw}}]`;
    const record = runYaml(
      "plant",
      `version: 1
name: measured-plant
start: ${start}
end: ${end}
series:
  sun: {file: ${copy}, time: timestamp_utc}
sites:${array("whole", 10)}${array("limited", 3)}
`,
    );
    expect(day).toHaveLength(7 * 96);
    expect(directKwh).toBeGreaterThan(100);
    expect(siteOf(record, "whole")?.exportKwh).toBeCloseTo(directKwh, 2);
    expect(siteOf(record, "limited")?.exportKwh).toBeCloseTo(limitedKwh, 2);
    expect(siteOf(record, "limited")?.curtailedKwh).toBe(0);
  });
});

needingShared(STEEL).describe("a measured steelworks in Korea", () => {
  const [start, end] = ["2018-03-01T00:00:00Z", "2018-03-15T00:00:00Z"];

  test("draws its load, less the shed power where there is load to shed", () => {
    const rows = within(STEEL, start, end);
    const loads = rows.map(({ load_kw }) => Number(load_kw));
    const directKwh = loads.reduce((sum, kw) => sum + kw / 4, 0);
    // 50 kW every day from 04:00 to 06:00 UTC.
    const called = rows.map(({ timestamp_utc }) => /T0[45]:/.test(timestamp_utc));
    const shedKwh = loads.reduce((sum, kw, k) => sum + (called[k] ? Math.min(kw, 50) / 4 : 0), 0);
    const days = Array.from({ length: 14 }, (_, k) => `2018-03-${String(k + 1).padStart(2, "0")}`);
    const record = runYaml(
      "steel",
      `version: 1
name: measured-steelworks
start: ${start}
end: ${end}
series:
  works: {file: ${shared(STEEL)}, time: timestamp_utc}
sites:
  - name: steel
    components: [{component_id: works, component_type: consumer, consumer_kind: factory, contract_kw: 600, max_demand_kw: 600, dr_capable: true, min_dr_reduction_kw: 1, max_dr_reduction_kw: 60, model: {load: works.load_kw}}]
    baseline: {method: perfect}
vpps:
  - {name: south, members: [{site: steel, resource_type: consumer}]}
awards:
${days.map((day) => `  - {vpp: south, sku: rr, start: ${day}T04:00:00Z, end: ${day}T06:00:00Z, delta_kw: -50}`).join("\n")}
`,
    );
    expect(rows).toHaveLength(14 * 96);
    expect(Math.max(...loads)).toBeLessThanOrEqual(600);
    expect(siteOf(record, "steel")?.importKwh).toBeCloseTo(directKwh - shedKwh, 2);
    expect(record.kpis.get("requested_kwh")).toBeCloseTo(14 * 100, 6);
    // Slots of 30 minutes against quarter hours: within a slot the deviations of the load cancel.
    expect(record.kpis.get("delivered_kwh")).toBeCloseTo(shedKwh, 6);
    const { kpis } = record;
    expect(kpis.get("delivered_kwh")).toBeCloseTo(
      1400 - (kpis.get("shortfall_kwh") ?? 0) + (kpis.get("excess_kwh") ?? 0),
      6,
    );
  });
});

needingShared(RESERVE).describe("awards of the Japanese reserve market", () => {
  const [start, end] = ["2024-04-30T15:00:00Z", "2024-05-07T15:00:00Z"];

  test("three-hour blocks of one area: a share of each is requested, the part beyond the battery is uncovered", () => {
    const blocks = within(RESERVE, start, end).filter(
      ({ product, area, awarded_by_site_area_mw }) =>
        product === "tertiary1" && area === "tokyo" && Number(awarded_by_site_area_mw) > 0,
    );
    // Requests carry one decimal (docs/model/time.md#rounding).
    const kwOf = (block: Record<string, string>) => roundKw(Number(block.awarded_by_site_area_mw));
    const endOf = ({ timestamp_utc, block_minutes }: Record<string, string>) =>
      new Date(Date.parse(timestamp_utc) + Number(block_minutes) * 60_000).toISOString().replace(".000Z", "Z");
    const file = join(folder, "awards.csv");
    // A thousandth of the area's award, requested from a battery of 300 kW.
    const lines = blocks.map(
      (block) =>
        `${block.timestamp_utc},${endOf(block)},rr,${-Number(block.awarded_by_site_area_mw)},${block.price_avg_jpy_per_kw_30min}`,
    );
    writeFileSync(file, `start,end,sku,delta_kw,price_jpy_per_kw_30min\n${lines.join("\n")}\n`);
    const { awards, kpis } = runYaml(
      "reserve",
      `version: 1
name: measured-reserve
timezone: Asia/Tokyo
start: ${start}
end: ${end}
sites:
  - name: store
    components: [{component_id: bat, component_type: battery, rated_cap: 1000000, import_pwr_max: 300, export_pwr_max: 300, soc_op_min: 0, soc_op_max: 100, model: {initial_soc: 100, discharge_efficiency: 1}}]
vpps:
  - {name: kanto, members: [{site: store, resource_type: battery}]}
awards:
  - {file: ${file}, vpp: kanto}
`,
    );
    expect(blocks.length).toBeGreaterThan(10);
    expect(awards).toHaveLength(blocks.length);
    const sum = (of: (block: Record<string, string>) => number) =>
      blocks.reduce((total, block) => total + of(block), 0);
    awards.forEach((row, k) => {
      expect(row.executedMinutes).toBe(180);
      expect(row.uncoveredKw).toBeCloseTo(-Math.max(0, kwOf(blocks[k]) - 300), 6);
    });
    expect(kpis.get("requested_kwh")).toBeCloseTo(
      sum((block) => kwOf(block) * 3),
      3,
    );
    expect(kpis.get("delivered_kwh")).toBeCloseTo(
      sum((block) => Math.min(300, kwOf(block)) * 3),
      3,
    );
    expect(kpis.get("revenue_jpy")).toBeCloseTo(
      sum((block) => Math.min(300, kwOf(block)) * 3 * Number(block.price_avg_jpy_per_kw_30min) * 2),
      3,
    );
  });
});
