import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CHECKS, type CheckName } from "../../src/inputs/scenario/checks/checkRegistry.ts";
import { remarkText } from "../../src/inputs/scenario/checks/remark.ts";
import { loadScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { BATTERY_YAML, hourlyCsv, readScenarioYaml, SCENARIO_HEAD } from "./scenarioFixtures.ts";

type Files = Record<string, string | Buffer>;

/** Remarks without the folder. */
const remarksOf = (yaml: string, files: Files = {}): string[] =>
  readScenarioYaml(yaml, files).remarks.map((remark) => remarkText(remark).replaceAll("/s/", ""));

const LOAD =
  "{component_id: line, component_type: consumer, contract_kw: 500, max_demand_kw: 400, model: {load: s.kw}}";
/** Two lines of series; then the site in lines 7 and 8, with more keys from line 9. */
const consumer = (more = "", component = LOAD) =>
  `${SCENARIO_HEAD}series: {s: {file: s.csv, max_gap: PT1H}}\nsites:\n  - name: c\n    components: [${component}]\n    baseline: {method: perfect}\n${more}`;
const battery = (component = BATTERY_YAML, more = "") =>
  `${SCENARIO_HEAD}sites:\n  - name: b\n    components: [${component}]\n${more}vpps: [{name: v, members: [{site: b, resource_type: battery}]}]\n`;
/** `battery` whose connection has a limit by time. */
const limited = (more: string) =>
  battery(BATTERY_YAML, more).replace("sites:\n", "series: {limit: {file: l.csv}}\nsites:\n");
/** That limit before and from noon. */
const limit = (first: number, second: number): Files => ({
  "l.csv": hourlyCsv(24, { kw: (clock) => (clock < 12 ? first : second) }),
});
const awards = (...rows: string[]) =>
  `${battery()}awards:\n${rows.map((row) => `  - {vpp: v, sku: frr, ${row}}\n`).join("")}`;
const hour = (from: number, to: number) => `start: 2026-04-01T0${from}:00:00Z, end: 2026-04-01T0${to}:00:00Z`;
const load = (kw: number): Files => ({ "s.csv": hourlyCsv(24, { kw: () => kw }) });

/** Row of a table of awards: an hour of a product. */
const row = (from: number, sku: string, kw: number) =>
  `2026-04-01T0${from}:00:00Z,2026-04-01T0${from + 1}:00:00Z,${sku},${kw}\n`;
/** Three days with 20 h of reserve each. */
const reserveDays = (more: string, kw: number) =>
  awards(
    ...[1, 2, 3].map(
      (day) => `start: 2026-04-0${day}T00:00:00Z, end: 2026-04-0${day}T20:00:00Z, delta_kw: ${kw}${more}`,
    ),
  ).replace("end: 2026-04-02", "end: 2026-04-05");
/** A battery of 2000 kWh and others of some kWh, in a VPP with an award of 600 kW. */
const beside = (capacityKwh: number, count = 1) =>
  `${battery(
    BATTERY_YAML,
    `  - name: s-{n}\n    count: ${count}\n    components: [${BATTERY_YAML.replace("2000", `${capacityKwh}`).replace(/_pwr_max: \d+/g, "_pwr_max: 2")}]\n`,
  ).replace("{site: b,", '{site: "*",')}awards:\n  - {vpp: v, sku: frr, ${hour(2, 3)}, delta_kw: -600}\n`;
const plane = (keys: string) =>
  `${SCENARIO_HEAD}series: {s: {file: s.csv}}\nsites:\n  - name: c\n    components: [{component_id: pv, component_type: generator, generator_kind: pv, rated_output_kw: 50, pv_capacity_kw: 60, model: {weather: s, longitude: 139, ${keys}}}]\n`;
const weather: Files = { "s.csv": hourlyCsv(24, { ghi_w_m2: () => 0, temp_air_c: () => 9, wind_m_s: () => 1 }) };

type Case = readonly [
  check: CheckName,
  wrong: string,
  expected: RegExp,
  right: string,
  files?: Files,
  rightFiles?: Files,
];

/** Each check fires once, at its place, and not for the corrected scenario. */
const CASES: readonly Case[] = [
  [
    "award-outside-run",
    awards("start: 2026-05-01T02:00:00Z, end: 2026-05-01T03:00:00Z, delta_kw: -100"),
    /^warning: scenario\.yaml:10:31: awards\.0\.start: award A-1 begins at 2026-05-01T02:00:00Z, after the run/,
    awards(`${hour(2, 3)}, delta_kw: -100`),
  ],
  [
    "award-power",
    awards(`${hour(2, 3)}, delta_kw: -100001`),
    /^warning: scenario\.yaml:10:90: awards\.0\.delta_kw: .*, 100\.001 times its rating of 1000 kW; is the award in W, or are the ratings in MW\?$/,
    awards(`${hour(2, 3)}, delta_kw: -1000`),
  ],
  [
    "award-power",
    awards(`${hour(2, 3)}, delta_kw: -200`, `${hour(4, 5)}, delta_kw: -10000`),
    /awards\.1\.delta_kw: award A-2 requests -10000 kW of VPP v, 10 times its rating of 1000 kW; check both$/,
    awards(`${hour(2, 3)}, delta_kw: -200`, `${hour(4, 5)}, delta_kw: -9900`).replace(
      "rated_cap: 2000",
      "rated_cap: 6000",
    ),
  ],
  [
    "award-power",
    awards(`${hour(2, 3)}, delta_kw: -0.4`, `${hour(4, 5)}, delta_kw: -0.9`),
    /awards\.1\.delta_kw: .*rated at 1000 kW, and nothing requests more; MW instead of kW\? Write -900$/,
    awards(`${hour(2, 3)}, delta_kw: -0.4`, `${hour(4, 5)}, delta_kw: -1`),
  ],
  [
    "award-power",
    awards(`${hour(2, 3)}, delta_kw: -0.99`)
      .replace(/_pwr_max: \d+/g, "_pwr_max: 3")
      .replace("2000", "12"),
    /awards\.0\.delta_kw: .*rated at 3 kW, and nothing requests more; MW instead of kW\? Write -990$/,
    awards(`${hour(2, 3)}, delta_kw: -1000`),
  ],
  [
    "award-sign",
    awards(`${hour(2, 3)}, delta_kw: 100`, `${hour(4, 5)}, delta_kw: 250`),
    /^warning: scenario\.yaml:10:90: awards\.0\.delta_kw: the awards of frr of VPP v have a delta_kw above 0 throughout \(2\), .* \(vppsim import awards --negate delta_kw\), unless/,
    awards(`${hour(2, 3)}, delta_kw: 100`, `${hour(4, 5)}, delta_kw: -250`),
  ],
  [
    "award-sign",
    `${battery()}awards: [{file: a.csv, vpp: v}]\n`,
    /^warning: a\.csv:2:46: delta_kw: the awards of rr, rr-fit of VPP v have .*\(2\)/,
    `${battery()}awards: [{file: a.csv, vpp: v}]\n`,
    { "a.csv": `start,end,sku,delta_kw\n${row(2, "rr", 300)}${row(5, "rr-fit", 7)}${row(7, "exchange-da", -40)}` },
    { "a.csv": `start,end,sku,delta_kw\n${row(2, "exchange-da", 300)}${row(5, "exchange-ttv", 7)}` },
  ],
  [
    "award-activation",
    reserveDays("", -15),
    /^warning: scenario\.yaml:10:\d+: awards\.0\.start: 3 awards of reserve of VPP v, 60 h in all, have no activation and are called in full/,
    reserveDays(", activation: 1", -15),
  ],
  [
    "award-activation",
    reserveDays("", -15).replace("sku: frr", "sku: rr-fit"),
    /awards\.0\.start: 3 awards of reserve/,
    reserveDays("", 15).replace("delta_kw: 15", "delta_kw: -15"),
  ],
  [
    "never-recharged",
    // 20 h of 205 kW are 4100 kWh, of 800 kWh above soc_op_min.
    awards("start: 2026-04-01T02:00:00Z, end: 2026-04-01T22:00:00Z, delta_kw: -205"),
    /^warning: scenario\.yaml:8:\d+: vpps\.0\.members: awards call 4100 kWh from the storage of VPP v, which holds 800 kWh at the start, and nothing charges it again/,
    awards("start: 2026-04-01T02:00:00Z, end: 2026-04-01T22:00:00Z, delta_kw: -195"),
  ],
  [
    "never-recharged",
    awards("start: 2026-04-01T02:00:00Z, end: 2026-04-01T22:00:00Z, delta_kw: -600"),
    /vpps\.0\.members: awards call 12000 kWh/,
    awards("start: 2026-04-01T02:00:00Z, end: 2026-04-01T22:00:00Z, delta_kw: -600", `${hour(0, 1)}, delta_kw: 50`),
  ],
  [
    "never-recharged",
    battery(BATTERY_YAML.replace("import_pwr_max: 1000", "import_pwr_max: 0")),
    /sites\.0\.components\.0\.import_pwr_max: site b, component bat: import_pwr_max is 0, so that it never charges again$/,
    battery(),
  ],
  [
    "small-storage",
    beside(3),
    /sites\.1\.components\.0\.rated_cap: site s-1, component bat: rated_cap 3 kWh beside awards of VPP v of up to 600 kW; MWh instead of kWh\? Write 3000$/,
    beside(3, 2),
  ],
  [
    "initial-soc",
    battery(BATTERY_YAML.replace("}", ", model: {initial_soc: 8}}")),
    /^warning: scenario\.yaml:7:176: sites\.0\.components\.0\.model\.initial_soc: site b, component bat: initial_soc 8 % is outside the window of 10 to 90 %; it cannot discharge before it is charged$/,
    battery(BATTERY_YAML.replace("}", ", model: {initial_soc: 10}}")),
  ],
  [
    "initial-soc",
    battery(BATTERY_YAML.replace("}", ", model: {initial_soc: 95}}")),
    /initial_soc 95 % is outside the window .*; it cannot charge before it is discharged$/,
    battery(BATTERY_YAML.replace("}", ", model: {initial_soc: 90}}")),
  ],
  [
    "pv-direction",
    plane("latitude: 36, tilt_deg: 20, azimuth_deg: 5"),
    /model\.azimuth_deg: site c, component pv: azimuth_deg 5 faces north, away from the sun at latitude 36; south is 180$/,
    plane("latitude: 36, tilt_deg: 20, azimuth_deg: 90"),
    weather,
    weather,
  ],
  [
    "pv-direction",
    plane("latitude: -33, tilt_deg: 20"),
    /azimuth_deg 180 faces south, away from the sun at latitude -33; north is 0$/,
    plane("latitude: -33, tilt_deg: 20, azimuth_deg: 350"),
    weather,
    weather,
  ],
  [
    "empty-table",
    `${battery()}awards: [{file: a.csv, vpp: v}]\n`,
    /^warning: scenario\.yaml:9:\d+: awards\.0\.file: a table with a header alone: nothing is read from it$/,
    `${battery()}awards: [{file: a.csv, vpp: v}]\n`,
    { "a.csv": "start,end,sku,delta_kw\n\n" },
    { "a.csv": `start,end,sku,delta_kw\n${row(3, "frr", -50)}` },
  ],
  [
    "rating-unit",
    battery(BATTERY_YAML.replace(/_pwr_max: \d+/g, "_pwr_max: 0.49")),
    /^warning: .*component bat: import_pwr_max is 0\.49 kW, .* at least 0\.5 kW; MW instead of kW\? Write 490$/,
    battery(),
  ],
  [
    "rating-unit",
    consumer("", LOAD.replace("max_demand_kw: 400", "consumer_kind: factory, max_demand_kw: 4.9")),
    /max_demand_kw is 4\.9 kW, .* at least 5 kW; MW instead of kW\? Write 4900$/,
    consumer("", LOAD.replace("max_demand_kw: 400", "consumer_kind: factory, max_demand_kw: 5")),
    load(4),
    load(4),
  ],
  [
    "rating-unit",
    consumer("    constraints: {voltage_class: extra_high}\n", LOAD.replace("400", "199")),
    /constraints\.voltage_class: site c: components rated at 199 kW together .* Write 199000 kW$/,
    consumer("    constraints: {voltage_class: extra_high}\n", LOAD.replace("400", "200")),
    load(150),
    load(150),
  ],
  [
    "fleet-rating",
    battery(BATTERY_YAML.replace(/_pwr_max: \d+/g, "_pwr_max: 9.9").replace("2000", "20")),
    /^note: .*vpps\.0\.members: VPP v is rated at 9\.9 kW, .*write them in kW and kWh$/,
    battery(BATTERY_YAML.replace(/_pwr_max: \d+/g, "_pwr_max: 10").replace("2000", "20")),
  ],
  [
    "award-direction",
    awards(`${hour(2, 3)}, delta_kw: -100`)
      .replace("sku: frr", "sku: fcr")
      .replace("delta_kw: -", "fcr_response_kw: "),
    /awards\.0\.fcr_response_kw: .* no member of VPP v has fcr_capable: true$/,
    awards(`${hour(2, 3)}, delta_kw: -100`)
      .replace("sku: frr", "sku: fcr")
      .replace("delta_kw: -", "fcr_response_kw: ")
      .replace("component_type: battery", "component_type: battery, fcr_capable: true"),
  ],
  [
    "award-replaced",
    awards(`${hour(2, 4)}, delta_kw: -300`, `${hour(3, 5)}, delta_kw: -100`),
    /^warning: scenario\.yaml:11:31: awards\.1\.start: award A-2 replaces award A-1 from 2026-04-01T03:00:00Z to 2026-04-01T04:00:00Z, and lowers the requested power from -300 kW to -100 kW/,
    awards(`${hour(2, 4)}, delta_kw: -300`, `${hour(3, 5)}, delta_kw: -100, registered_at: 2026-04-01T01:30:00Z`),
  ],
  [
    "duplicate-row",
    awards(`${hour(2, 4)}, delta_kw: -300`, `award_id: x, ${hour(2, 4)}, delta_kw: -300`),
    /awards\.1\.start: award x repeats award A-1: /,
    awards(`${hour(2, 4)}, delta_kw: -300`, `${hour(4, 6)}, delta_kw: -300`),
  ],
  [
    "percentage-as-fraction",
    battery(BATTERY_YAML.replace("}", ", model: {initial_soc: 0.5}}")),
    /^warning: scenario\.yaml:7:176: sites\.0\.components\.0\.model\.initial_soc: site b, component bat: initial_soc 0\.5 is read as 0\.5 %; write 50 for 50 %$/,
    battery(BATTERY_YAML.replace("}", ", model: {initial_soc: 50}}")),
  ],
  [
    "storage-duration",
    battery(BATTERY_YAML.replace("2000", "2")),
    /sites\.0\.components\.0\.rated_cap: .*lasts 0\.002 h at 1000 kW; MWh instead of kWh\? Write 2000$/,
    battery(BATTERY_YAML.replace("2000", "50")),
  ],
  [
    "connection-limit",
    battery(BATTERY_YAML, "    constraints: {site_export_max_kw: 0.9}\n"),
    /constraints\.site_export_max_kw: .*0\.9 kW for components rated at 900 kW; MW instead of kW\? Write 900$/,
    battery(BATTERY_YAML, "    constraints: {site_export_max_kw: 0}\n"),
  ],
  [
    "series-power",
    consumer(),
    /sites\.0\.components\.0\.model\.load: .*reaches 0\.3 kW, against max_demand_kw 400; MW instead of kW\?$/,
    consumer(),
    load(0.3),
    load(300),
  ],
  [
    "load-cut",
    consumer(),
    /sites\.0\.components\.0\.model\.load: .*reaches 401 kW and is cut at max_demand_kw 400; /,
    consumer(),
    load(401),
    load(400),
  ],
  [
    "load-above-limit",
    consumer("    constraints: {site_import_max_kw: 250}\n"),
    /constraints\.site_import_max_kw: the load of site c reaches 300 kW at 2026-04-01T00:00:00Z, above its site_import_max_kw of 250 kW/,
    consumer("    constraints: {site_import_max_kw: 300}\n"),
    load(300),
    load(300),
  ],
  [
    "load-above-limit",
    consumer("    constraints: {site_import_max_kw: s.limit}\n"),
    /constraints\.site_import_max_kw: the load of site c reaches 300 kW at 2026-04-01T05:00:00Z, above its site_import_max_kw of 200 kW/,
    consumer("    constraints: {site_import_max_kw: s.limit}\n"),
    { "s.csv": hourlyCsv(24, { kw: () => 300, limit: (clock) => (clock === 5 ? 200 : 300) }) },
    {
      "s.csv": hourlyCsv(24, { kw: (clock) => (clock === 5 ? 200 : 300), limit: (clock) => (clock === 5 ? 200 : 300) }),
    },
  ],
  [
    "plan-exports",
    consumer().replace("method: perfect", "method: constant, kw: -20"),
    /^warning: scenario\.yaml:9:38: sites\.0\.baseline\.kw: the baseline of site c is -20 kW at 2026-04-01T00:00:00Z, which is export, but reverse flow is not allowed/,
    consumer().replace("method: perfect", "method: constant, kw: 20"),
    load(300),
    load(300),
  ],
  [
    "plan-above-limit",
    battery(BATTERY_YAML, "    baseline: {method: constant, kw: 700}\n    constraints: {site_import_max_kw: 600}\n"),
    /baseline\.kw: the baseline of site b is 700 kW .* beyond its site_import_max_kw of 600 kW$/,
    battery(BATTERY_YAML, "    baseline: {method: constant, kw: 600}\n    constraints: {site_import_max_kw: 600}\n"),
  ],
  [
    "connection-limit",
    limited("    constraints: {site_export_max_kw: limit.kw}\n"),
    /constraints\.site_export_max_kw: .* is at most 0\.9 kW for components rated at 900 kW; MW instead of kW\? Write the series in kW$/,
    limited("    constraints: {site_export_max_kw: limit.kw}\n"),
    limit(0.9, 0.4),
    limit(900, 400),
  ],
  [
    "plan-above-limit",
    limited("    baseline: {method: constant, kw: 500}\n    constraints: {site_import_max_kw: limit.kw}\n"),
    /baseline\.kw: the baseline of site b is 500 kW at 2026-04-01T12:00:00Z, beyond its site_import_max_kw of 300 kW$/,
    limited("    baseline: {method: constant, kw: 300}\n    constraints: {site_import_max_kw: limit.kw}\n"),
    limit(600, 300),
    limit(600, 300),
  ],
  [
    "site-without-vpp",
    battery(BATTERY_YAML, `  - name: other\n    components: [${BATTERY_YAML}]\n`),
    /^warning: scenario\.yaml:8:11: sites\.1\.name: site other is a member of no VPP \(v\)/,
    battery(),
  ],
  [
    "weights-zero",
    battery().replace("resource_type: battery", "resource_type: battery, allocation_weight: 0"),
    /vpps\.0\.members: all members of VPP v have allocation_weight 0/,
    battery(),
  ],
  [
    "similar-names",
    battery(BATTERY_YAML, `  - name: B\n    components: [${BATTERY_YAML}]\n`).replace("{site: b,", '{site: "*",'),
    /^warning: scenario\.yaml:8:11: sites\.1\.name: site B and site b differ only in case/,
    battery(BATTERY_YAML, `  - name: b2\n    components: [${BATTERY_YAML}]\n`).replace("{site: b,", '{site: "*",'),
  ],
  [
    "formula-text",
    awards(`${hour(2, 3)}, delta_kw: -100, award_id: "=1+1"`),
    /^warning: scenario\.yaml:\d+:\d+: awards\.0\.award_id: award_id "=1\+1" begins with =; CSV files contain it unchanged/,
    awards(`${hour(2, 3)}, delta_kw: -100, award_id: A=1`),
  ],
  [
    "formula-text",
    battery(BATTERY_YAML.replace("component_id: bat", 'component_id: "＠bat"')),
    /^warning: scenario\.yaml:\d+:\d+: sites\.0\.components\.0\.component_id: component_id "＠bat" begins with ＠; /,
    battery(BATTERY_YAML.replace("component_id: bat", "component_id: bat@1")),
  ],
  [
    "price-unit",
    awards(`${hour(2, 3)}, delta_kw: -100, price_jpy_per_kwh: 12000`),
    /awards\.0\.price_jpy_per_kwh: price_jpy_per_kwh of award A-1 is 12000; JPY\/MWh instead of JPY\/kWh\? /,
    awards(`${hour(2, 3)}, delta_kw: -100, price_jpy_per_kwh: 250`),
  ],
  [
    "price-currency",
    `${awards(`${hour(2, 3)}, delta_kw: -100, penalty_jpy_per_kwh: 3`)}market: {currency: EUR}\n`,
    /awards\.0\.penalty_jpy_per_kwh: penalty_jpy_per_kwh of award A-1 is in EUR, in which this scenario counts; write penalty_per_kwh/,
    `${awards(`${hour(2, 3)}, delta_kw: -100, penalty_per_kwh: 3`)}market: {currency: EUR}\n`,
  ],
  [
    "price-unit",
    `${battery()}series: {p: {file: p.csv}}\nmarket: {energy_price: p.jpy}\n`,
    /market\.energy_price: market\.energy_price reaches 9500; /,
    battery(),
    { "p.csv": hourlyCsv(24, { jpy: () => 9500 }) },
  ],
  [
    "repair-time",
    battery(BATTERY_YAML, "    outages: {mtbf: PT6H, mttr: P60D}\n"),
    /sites\.0\.outages\.mttr: site b: the mean repair time mttr is longer/,
    battery(BATTERY_YAML, "    outages: {mtbf: P60D, mttr: PT6H}\n"),
  ],
  [
    "report-interval",
    `${battery()}report: {interval: PT0.001S}\n`,
    /report\.interval: an interval of 1 ms makes \d+000 rows of energy; write PT1S or longer$/,
    `${battery()}report: {interval: PT1S}\n`,
  ],
  [
    "report-interval",
    `${battery()}report: {power_interval: PT0.5S}\n`,
    /report\.power_interval: an interval of 500 ms makes \d+ rows of power; /,
    `${battery()}report: {power_interval: PT1S}\n`,
  ],
  [
    "frequency-reference",
    `${battery(BATTERY_YAML.replace("component_type", "fcr_capable: true, component_type"))}frequency: {constant_hz: 60}\n`,
    /freq_ref: site b regulates to 50 Hz in a grid of 60 Hz; write freq_ref: 60$/,
    `${battery(BATTERY_YAML.replace("component_type", "fcr_capable: true, component_type"))}frequency: {constant_hz: 50.2}\n`,
  ],
  [
    "bridged-rows",
    consumer().replace(", max_gap: PT1H", ""),
    /^warning: s\.csv:4:1: kw: series s\.kw: 2 rows are missing and bridged .* although on_gap is error, the first from 2026-04-01T03:00:00Z to 2026-04-01T04:00:00Z; write a shorter max_gap/,
    consumer().replace("max_gap: PT1H", "on_gap: hold"),
    {
      "s.csv": hourlyCsv(24, { kw: () => 300 })
        .replace(/.*T03.*\n/, "")
        .replace(/(T07:00:00Z,)300/, "$1"),
    },
    {
      "s.csv": hourlyCsv(24, { kw: () => 300 })
        .replace(/.*T03.*\n/, "")
        .replace(/(T07:00:00Z,)300/, "$1"),
    },
  ],
  [
    "no-baseline",
    consumer().replace("method: perfect", "method: zero"),
    /^warning: No baseline for c: /,
    consumer(),
    load(300),
    load(300),
  ],
  [
    "ignored-column",
    `${battery()}awards: [{file: a.csv}]\n`,
    /^note: a\.csv:1:28: remarks: column "remarks" is no key of the format and is not read$/,
    `${battery()}awards: [{file: a.csv}]\n`,
    { "a.csv": "vpp,start,end,delta_kw,sku,remarks\nv,2026-04-01T02:00:00Z,2026-04-01T03:00:00Z,-100,frr,by phone\n" },
    { "a.csv": "vpp,start,end,delta_kw,sku\nv,2026-04-01T02:00:00Z,2026-04-01T03:00:00Z,-100,frr,,\n" },
  ],
  [
    "blank-row",
    `${battery()}awards: [{file: a.csv}]\n`,
    /^note: a\.csv:3:1: the row on line 3 has only empty cells and is not read$/,
    `${battery()}awards: [{file: a.csv}]\n`,
    { "a.csv": "vpp,start,end,delta_kw,sku\nv,2026-04-01T02:00:00Z,2026-04-01T03:00:00Z,-100,frr\n,,, ,\n" },
    { "a.csv": "vpp,start,end,delta_kw,sku\nv,2026-04-01T02:00:00Z,2026-04-01T03:00:00Z,-100,frr\n\n" },
  ],
  [
    "published-file",
    `${battery()}series: {p: {format: table, file: p.csv, label: start}}\nmarket: {energy_price: p.jpy}\n`,
    /^note: p\.csv: read as table; UTF-8; times are starts of intervals of 60 min; no unit is known for jpy; numbers as printed\. Source: As the source/,
    `${battery()}series: {p: {file: p.csv}}\nmarket: {energy_price: p.jpy}\n`,
    { "p.csv": hourlyCsv(24, { jpy: () => 9 }) },
    { "p.csv": hourlyCsv(24, { jpy: () => 9 }) },
  ],
  [
    "converted-unit",
    `${battery()}series: {p: {file: p.csv}}\nmarket: {energy_price: p.eur_per_mwh}\n`,
    /^note: p\.csv: eur_per_mwh: series p\.eur_per_mwh: EUR\/MWh × 0\.001 = money per kWh$/,
    `${battery()}series: {p: {file: p.csv, scale: {eur_per_mwh: 0.001}}}\nmarket: {energy_price: p.eur_per_mwh}\n`,
    { "p.csv": hourlyCsv(24, { eur_per_mwh: () => 90 }) },
    { "p.csv": hourlyCsv(24, { eur_per_mwh: () => 90 }) },
  ],
];

describe("an implausible value is reported with its place", () => {
  for (const [k, [check, wrong, expected, right, files, rightFiles]] of CASES.entries())
    test(`${check}, case ${k + 1}`, () => {
      const remarks = readScenarioYaml(wrong, files).remarks.filter((remark) => remark.check === check);
      expect(remarks).toHaveLength(1);
      expect(remarkText(remarks[0]).replaceAll("/s/", "")).toMatch(expected);
      expect(remarksOf(right, rightFiles)).toEqual([]);
    });

  test("every check has a case, or a test of its own", () => {
    const elsewhere = ["left-out", "no-pv-location"];
    expect(new Set([...CASES.map(([check]) => check), ...elsewhere])).toEqual(new Set(Object.keys(CHECKS)));
  });

  test("of a thousand rows with the same error, five are shown and the others counted", () => {
    const row = (k: number) => `v,2027-04-01T00:00:00Z,2027-04-01T01:00:00Z,-${100 + k}\n`;
    const csv = `vpp,start,end,delta_kw\n${Array.from({ length: 1000 }, (_, k) => row(k)).join("")}`;
    const messages = remarksOf(`${battery()}awards: [{file: a.csv}]\n`, { "a.csv": csv }).filter(
      (text) => !text.includes("replaces") && !text.includes("award-replaced"),
    );
    expect(messages).toHaveLength(6);
    expect(messages[5]).toBe("warning: … and 995 more of this kind (award-outside-run)");
  });

  test("a fleet typed in MW and MWh throughout", () => {
    const inKw = readFileSync("scenarios/quickstart/scenario.yaml", "utf8");
    const inMw = inKw.replace(
      /\b(rated_cap|\w+_pwr_max|\w+_kw|ramp_kw_per_s): (-?[\d.]+)/g,
      (_, key: string, kw: string) => `${key}: ${Number(kw) / 1000}`,
    );
    const series = /^ {2}(pv|load|prices): \{file: (\w+)\.csv\}.*$/gm;
    const files = Object.fromEntries(
      ["pv", "load", "prices"].map((name) => [
        `${name}.csv`,
        readFileSync(`scenarios/quickstart/${name}.csv`, "utf8").replace(/(?<=,)[\d.]+/g, (kw) =>
          name === "prices" ? kw : `${Number(kw) / 1000}`,
        ),
      ]),
    );
    expect(inKw).toMatch(series);
    const { remarks } = readScenarioYaml(inMw, files);
    const sites = remarks.flatMap(({ check, message }) =>
      check === "rating-unit" ? [/^site ([\w-]+)/.exec(message)?.[1]] : [],
    );
    expect(sites).toEqual(["battery-large", "battery-small", "pv-hill", "factory", "cold-store"]);
    expect(remarks.map(({ check }) => check)).toContain("fleet-rating");
  });

  test("a fleet of household batteries has no warning", () => {
    const home =
      "{component_id: bat, component_type: battery, rated_cap: 5, import_pwr_max: 2.5, export_pwr_max: 2.5, soc_op_min: 5, soc_op_max: 95}";
    const { warnings, remarks } = readScenarioYaml(
      `${battery(home)}awards:\n  - {vpp: v, sku: frr, ${hour(2, 3)}, delta_kw: -2}\n`,
      {},
    );
    expect([warnings, remarks.map(({ check }) => check)]).toEqual([[], ["fleet-rating"]]);
  });

  test("one small site of three is a small site", () => {
    const small = BATTERY_YAML.replace("2000", "0.6").replace(/_pwr_max: \d+/g, "_pwr_max: 0.3");
    const site = (name: string, component: string) => `  - name: ${name}\n    components: [${component}]\n`;
    const sites = (count: number) =>
      battery(BATTERY_YAML, `${site("c", count < 2 ? BATTERY_YAML : small)}${site("d", small)}`).replace(
        "{site: b,",
        '{site: "*",',
      );
    const checks = (yaml: string) => readScenarioYaml(yaml).remarks.map(({ check }) => check);
    expect([checks(sites(1)), checks(sites(2))]).toEqual([[], ["rating-unit", "rating-unit"]]);
  });

  test("notes are no warnings of the report", () => {
    const csv = "vpp,start,end,delta_kw,remarks\nv,2026-04-01T02:00:00Z,2026-04-01T03:00:00Z,-100,x\n";
    const { warnings, remarks } = readScenarioYaml(`${battery()}awards: [{file: a.csv}]\n`, { "a.csv": csv });
    expect([warnings.length, remarks.length]).toEqual([0, 1]);
  });
});

test("no scenario that ships has a remark", () => {
  const folder = "scenarios";
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      /(?<!\.study)\.yaml$/.test(file) && !file.startsWith("fleet-") && !/^drills\/([^/]+|scripts\/.*)$/.test(file),
  );
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) expect(loadScenario(join(folder, file)).remarks.map(remarkText), file).toEqual([]);
});

test("the table of docs/model/scenario-format.md lists every check with its severity", () => {
  const page = readFileSync("docs/model/scenario-format.md", "utf8");
  const rows = [...page.matchAll(/^\| <a id="check-[a-z-]+"><\/a>`([a-z-]+)` \| (warning|note) \|/gm)];
  expect(Object.fromEntries(rows.map(([, name, severity]) => [name, severity]))).toEqual(CHECKS);
});
