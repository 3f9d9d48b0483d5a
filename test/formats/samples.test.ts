// Samples in the form of the originals, which are no part of this repository: bytes, encodings and line ends as published.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { isoUtc } from "../../src/base/time.ts";
import { readNumericCsv } from "../../src/engine/series/csv/readNumericCsv.ts";
import { Series } from "../../src/engine/series/model/series.ts";
import type { FormatOptions, SeriesTable } from "../../src/inputs/formats/fileFormat.ts";
import { previewText } from "../../src/inputs/formats/output/previewText.ts";
import { seriesCsv, seriesYaml, yamlFlow } from "../../src/inputs/formats/output/seriesOutput.ts";
import { readFormatFile } from "../../src/inputs/formats/readFormatFile.ts";
import { detectFormats, formatById } from "../../src/inputs/formats/registry.ts";
import { scenarioColumn } from "../../src/inputs/formats/scenarioColumn.ts";
import { needingShared } from "../needing.ts";
import { BATTERY_YAML, readScenarioYaml } from "../scenario/scenarioFixtures.ts";
import { PROJECT_ROOT } from "../tidySource.ts";
import { columnOf } from "./readText.ts";

const FOLDER = resolve(PROJECT_ROOT, "../shared/formats/samples");

interface Sample {
  readonly file: string;
  readonly format: string;
  readonly options?: FormatOptions;
  /** Intervals or readings. */
  readonly rows: number;
  readonly stepMin: number;
  readonly firstUtc: string;
  /** Role, UTC time, value. */
  readonly values?: readonly (readonly [string, string, number | null])[];
}

const APRIL = "2026-03-31T15:00:00Z";
const TOKYO = { area: "tokyo" };
const NOON = "2026-04-01T03:00:00Z";
const NOON_VALUES: Sample["values"] = [
  ["demand_mw", NOON, 23604],
  ["tie_lines_mw", NOON, 1500],
];
const METER = { timezone: "Asia/Tokyo" };

const SAMPLES: readonly Sample[] = [
  {
    file: "spot_summary_2026.csv",
    format: "jepx_spot",
    options: TOKYO,
    rows: 96,
    stepMin: 30,
    firstUtc: APRIL,
    values: [
      ["price_jpy_per_kwh", APRIL, 7.06],
      ["price_jpy_per_kwh", "2026-04-01T02:30:00Z", 0.01],
    ],
  },
  { file: "spot_summary_2026_excel_resaved.csv", format: "jepx_spot", rows: 48, stepMin: 30, firstUtc: APRIL },
  {
    file: "spot_summary_2015_blocks_empty.csv",
    format: "jepx_spot",
    options: TOKYO,
    rows: 48,
    stepMin: 30,
    firstUtc: "2015-03-31T15:00:00Z",
    values: [["price_jpy_per_kwh", "2015-03-31T18:00:00Z", null]],
  },
  { file: "spot_2019_old_layout.csv", format: "jepx_spot", rows: 48, stepMin: 30, firstUtc: "2019-03-31T15:00:00Z" },
  {
    file: "intraday_2026.csv",
    format: "jepx_intraday",
    rows: 70,
    stepMin: 30,
    firstUtc: APRIL,
    values: [
      ["price_jpy_per_kwh", "2026-03-31T15:30:00Z", null],
      ["trades", "2026-03-31T15:30:00Z", 0],
    ],
  },
  { file: "fit_fip_2026.csv", format: "jepx_fit_fip", rows: 48, stepMin: 30, firstUtc: APRIL },
  {
    file: "202606_1-0_prompt.csv",
    format: "eprx_results",
    options: TOKYO,
    rows: 48,
    stepMin: 30,
    firstUtc: "2026-05-31T15:00:00Z",
    values: [
      ["awarded_mw", "2026-05-31T15:00:00Z", 12],
      ["price_mean_jpy_per_kw_30min", "2026-05-31T15:00:00Z", 3.25],
    ],
  },
  {
    file: "202404_3-1_result.csv",
    format: "eprx_results",
    rows: 8,
    stepMin: 180,
    firstUtc: "2024-03-31T15:00:00Z",
  },
  {
    file: "202503_3-2_0314-0331_result.csv",
    format: "eprx_results",
    options: { section: "system", area: "hokkaido" },
    rows: 4,
    stepMin: 30,
    firstUtc: "2025-03-13T15:00:00Z",
    // Nothing was awarded there in the first block: the printed 0 is no price.
    values: [["price_mean_jpy_per_kw_30min", "2025-03-13T15:00:00Z", null]],
  },
  {
    file: "20210401_3-2_result.csv",
    format: "eprx_results",
    options: TOKYO,
    rows: 8,
    stepMin: 180,
    firstUtc: "2021-03-31T15:00:00Z",
    values: [["price_mean_jpy_per_kw", "2021-03-31T15:00:00Z", 3.25]],
  },
  {
    file: "202606_1-0_rt_prompt.csv",
    format: "eprx_resources",
    rows: 48,
    stepMin: 30,
    firstUtc: "2026-05-31T15:00:00Z",
    values: [
      ["awarded_vpp_mw", "2026-05-31T19:00:00Z", 2.345],
      ["price_mean_vpp_jpy_per_kw_30min", "2026-05-31T18:30:00Z", null],
    ],
  },
  {
    file: "202606_tieline_DCM_prompt.csv",
    format: "eprx_tie_lines",
    rows: 4,
    stepMin: 30,
    firstUtc: "2026-05-31T15:00:00Z",
    values: [["tohoku_tokyo_reverse_limit_mw", "2026-05-31T15:30:00Z", 2001.5]],
  },
  {
    file: "202603_imbalance-price_01_okinawa.csv",
    format: "imbalance_price",
    rows: 48,
    stepMin: 30,
    firstUtc: "2026-02-28T15:00:00Z",
  },
  {
    file: "202604_imbalance-price_01.csv",
    format: "imbalance_price",
    options: TOKYO,
    rows: 48,
    stepMin: 30,
    firstUtc: APRIL,
    values: [
      ["shortage_price_jpy_per_kwh", APRIL, 7.06],
      ["surplus_price_jpy_per_kwh", "2026-04-01T02:30:00Z", 0],
    ],
  },
  ...["03_tokyo", "03_tokyo_sjis", "04_chubu", "06_kansai", "08_shikoku", "09_kyushu"].map(
    (area): Sample => ({
      file: `eria_jukyu_202604_${area}.csv`,
      format: "area_supply",
      rows: 48,
      stepMin: 30,
      firstUtc: APRIL,
      values: NOON_VALUES,
    }),
  ),
  { file: "eria_jukyu_202604_01_hokkaido.csv", format: "area_supply", rows: 40, stepMin: 30, firstUtc: APRIL },
  { file: "20260401_power_usage_tokyo.csv", format: "power_usage", rows: 24, stepMin: 60, firstUtc: APRIL },
  {
    file: "bp_today_low_voltage.xml",
    format: "bp_meter",
    options: { point: "0300000000000000000001" },
    rows: 1,
    stepMin: 30,
    firstUtc: "2026-04-01T00:30:00Z",
    values: [["power_kw", "2026-04-01T00:30:00Z", 24.6]],
  },
  {
    file: "bp_past_high_voltage.xml",
    format: "bp_meter",
    rows: 48,
    stepMin: 30,
    firstUtc: APRIL,
    values: [["power_0300000000000000000002_kw", APRIL, 602]],
  },
  { file: "bp_confirmed_month.xml", format: "bp_meter", rows: 96, stepMin: 30, firstUtc: APRIL },
  {
    file: "portal_wide_30min.csv",
    format: "meter_days",
    rows: 96,
    stepMin: 30,
    firstUtc: APRIL,
    values: [
      ["power_kw", APRIL, 2400],
      ["power_kw", "2026-04-01T20:00:00Z", null],
    ],
  },
  { file: "portal_long_30min_endlabel.csv", format: "table", options: METER, rows: 48, stepMin: 30, firstUtc: APRIL },
  {
    file: "portal_demand_kw.csv",
    format: "table",
    options: { columns: { load_kw: "デマンド値（kW）" } },
    rows: 48,
    stepMin: 30,
    firstUtc: APRIL,
    values: [["load_kw", APRIL, 2400]],
  },
  {
    file: "jma_obsdl_hourly.csv",
    format: "jma_hourly",
    rows: 48,
    stepMin: 60,
    firstUtc: APRIL,
    values: [
      ["ghi_w_m2", "2026-04-01T02:00:00Z", 694.4444444444445],
      ["ghi_w_m2", "2026-03-31T19:00:00Z", null],
      ["temp_air_c", "2026-03-31T16:00:00Z", 8.5],
    ],
  },
  {
    file: "jma_obsdl_single_element.csv",
    format: "jma_hourly",
    rows: 24,
    stepMin: 60,
    firstUtc: "2026-03-31T16:00:00Z",
  },
  {
    file: "hm43256year.csv",
    format: "metpv20",
    rows: 48,
    stepMin: 60,
    firstUtc: "2013-12-31T15:00:00Z",
    values: [["ghi_w_m2", "2014-01-01T02:00:00Z", 494.44444444444446]],
  },
  { file: "sample_tokyo.epw", format: "epw", rows: 48, stepMin: 60, firstUtc: "1994-12-31T15:00:00Z" },
  { file: "sample_tmy3.csv", format: "tmy3", rows: 48, stepMin: 60, firstUtc: "1997-01-01T06:00:00Z" },
  {
    file: "sample_nsrdb_psm4.csv",
    format: "nsrdb",
    rows: 48,
    stepMin: 30,
    firstUtc: "2022-12-31T15:00:00Z",
    values: [["temp_air_c", "2022-12-31T16:30:00Z", 8.200000000000001]],
  },
  { file: "sample_pvgis_hourly.csv", format: "pvgis", rows: 48, stepMin: 60, firstUtc: "2016-01-01T00:10:00Z" },
  {
    file: "sample_pvgis_tmy.csv",
    format: "pvgis",
    rows: 48,
    stepMin: 60,
    firstUtc: "2005-01-01T00:00:00Z",
    values: [["ghi_w_m2", "2005-01-01T00:10:33.960Z", 353.6]],
  },
  { file: "sample_pvgis_hourly.json", format: "pvgis", rows: 24, stepMin: 60, firstUtc: "2016-01-01T00:10:00Z" },
  {
    file: "entsoe_gui_energy_prices.csv",
    format: "entsoe_prices",
    rows: 23,
    stepMin: 60,
    firstUtc: "2026-03-28T23:00:00Z",
    values: [["price_eur_per_mwh", "2026-03-29T21:00:00Z", 72]],
  },
  {
    file: "entsoe_old_day_ahead.csv",
    format: "entsoe_prices",
    rows: 24,
    stepMin: 60,
    firstUtc: "2023-12-31T23:00:00Z",
    values: [["price_eur_per_mwh", "2024-01-01T22:00:00Z", null]],
  },
  {
    file: "smard_gro_handelspreise.csv",
    format: "smard",
    options: { area: "de-lu" },
    rows: 23,
    stepMin: 60,
    firstUtc: "2026-03-28T23:00:00Z",
    values: [
      ["price_eur_per_mwh", "2026-03-29T17:00:00Z", 1234.56],
      ["price_eur_per_mwh", "2026-03-29T11:00:00Z", -5.01],
    ],
  },
  {
    file: "elexon_system_prices.json",
    format: "elexon_prices",
    rows: 46,
    stepMin: 30,
    firstUtc: "2026-03-29T00:00:00Z",
  },
  {
    file: "excel_ja_cp932.csv",
    format: "table",
    options: { columns: { load_kw: "需要電力(kW)", pv_kw: "発電出力(kW)" } },
    rows: 48,
    stepMin: 30,
    firstUtc: APRIL,
    values: [
      ["load_kw", APRIL, 1234.5],
      ["pv_kw", "2026-03-31T16:00:00Z", 123.4],
      ["pv_kw", "2026-03-31T16:30:00Z", -12.5],
      ["pv_kw", "2026-03-31T17:00:00Z", null],
    ],
  },
  {
    file: "excel_ja_utf8_bom.csv",
    format: "table",
    options: { columns: { load_kw: "使用量(kWh)" } },
    rows: 48,
    stepMin: 30,
    firstUtc: APRIL,
    values: [["load_kw", "2026-04-01T14:30:00Z", 1294]],
  },
  {
    file: "excel_ja_timecode_reiwa.csv",
    format: "table",
    options: { columns: { load_kw: "電力量" }, units: { load_kw: "kWh" } },
    rows: 48,
    stepMin: 30,
    firstUtc: APRIL,
    values: [["load_kw", APRIL, 1000]],
  },
  { file: "excel_ja_24h_end.csv", format: "table", rows: 24, stepMin: 60, firstUtc: APRIL },
];

const bytesOf = (file: string): Buffer => readFileSync(resolve(FOLDER, file));

function read({ file, format: id, options = {} }: Sample) {
  const format = formatById(id);
  if (format === null) throw new Error(id);
  return readFormatFile(format, { name: file, content: bytesOf(file) }, options);
}

function tableOf(sample: Sample): SeriesTable {
  const { table, problems } = read(sample);
  expect(problems.groups.flatMap(({ first }) => first)).toEqual([]);
  if (table?.kind !== "series") throw new Error(`${sample.file} gives no series`);
  return table;
}

needingShared("formats/samples").describe("a sample in the form of the original", () => {
  test.each(SAMPLES.map((sample) => [sample.file, sample] as const))("%s", (_, sample) => {
    const { decoded } = read(sample);
    const [best] = detectFormats(sample.file, decoded?.text ?? "");
    expect(best?.format.id).toBe(sample.format);
    const table = tableOf(sample);
    const main = table.columns.find(({ label }) => label === "start") ?? table.columns[table.columns.length - 1];
    const first = Math.min(...table.columns.map((column) => column.timesMs[0]));
    expect({ rows: main.timesMs.length, stepMin: table.resolutionMs / 60_000 }).toEqual({
      rows: sample.rows,
      stepMin: sample.rows === 1 ? 30 : sample.stepMin,
    });
    expect(new Date(main.label === "start" ? main.timesMs[0] : first).getTime()).toBe(Date.parse(sample.firstUtc));
    for (const [role, utc, value] of sample.values ?? []) {
      const column = columnOf(table, role);
      const found = column.values[column.timesMs.indexOf(Date.parse(utc))];
      expect([role, utc, Number.isNaN(found) ? null : found]).toEqual([role, utc, value]);
    }
  });

  test.each(SAMPLES.map((sample) => [sample.file, sample] as const))("%s has a preview", (_, sample) => {
    const reading = read(sample);
    const text = previewText([reading], tableOf(sample));
    expect(text.startsWith(`${sample.file}: `)).toBe(true);
    expect(text).toMatch(/^\d+ intervals of \d+ min from \S+Z to \S+Z, (no gaps|\d+ gaps)$/m);
    expect(text).toMatch(/^timestamp {2}.*\n\d{4}-\S+Z/m);
    expect(text).toMatch(/\|[▁▂▃▄▅▆▇█ ]+\n/);
  });

  test.each(SAMPLES.map((sample) => [sample.file, sample] as const))(
    "%s is the same after writing and reading",
    (_, sample) => {
      const table = tableOf(sample);
      const roles = table.columns.map(({ role }) => role);
      const again = readNumericCsv(Buffer.from(seriesCsv(table)), { time: "timestamp", columns: roles });
      if (!again.ok) throw new Error(JSON.stringify(again.problems));
      const { timesMs } = again.table;
      table.columns.forEach((column, k) => {
        const expected = scenarioColumn(column, table);
        const isKnown = (_: number, row: number) => !Number.isNaN(again.table.columns[k][row]);
        const isGiven = (_: number, row: number) => !Number.isNaN(expected.values[row]);
        expect(again.table.columns[k].filter(isKnown)).toEqual(expected.values.filter(isGiven));
        expect(timesMs.filter(isKnown)).toEqual(expected.timesMs.filter(isGiven));
      });
    },
  );

  test.each(
    SAMPLES.filter(({ format }) => ["jma_hourly", "metpv20", "epw", "tmy3"].includes(format)).map(
      (sample) => [sample.file, sample] as const,
    ),
  )("%s: the written file and its lines give the series that the original gives", (_, sample) => {
    const table = tableOf(sample);
    const roles = table.columns.map(({ role }) => role);
    const format = formatById(sample.format);
    if (format === null) throw new Error(sample.format);
    const source = { format, options: {}, name: "s", file: "s.csv", originals: [sample.file] };
    const [, line] = seriesYaml(table, source);
    const direct = `  s: ${yamlFlow({ format: sample.format, file: "original", ...sample.options })}`;
    const seriesOf = (declared: string, role: string): Series | number | null => {
      const untilMs = Math.min(...table.columns.map(({ timesMs }) => timesMs[timesMs.length - 1]));
      const fromMs = Math.min(...table.columns.map(({ timesMs }) => timesMs[0]));
      const yaml = `version: 1\nname: s\nstart: ${isoUtc(fromMs)}\nend: ${isoUtc(Math.min(untilMs, fromMs + 6 * 3_600_000))}\nseries:\n${declared}\nmarket: {energy_price: s.${role}}\nsites:\n  - {name: b, components: [${BATTERY_YAML}]}\n`;
      return readScenarioYaml(yaml, { original: bytesOf(sample.file), "s.csv": seriesCsv(table) }).world
        .energyPriceJpyPerKwh;
    };
    for (const role of roles.filter((name) =>
      table.columns.some((column) => column.role === name && column.values.every(Number.isFinite)),
    )) {
      const written = seriesOf(line, role);
      const original = seriesOf(direct, role);
      if (!(written instanceof Series) || !(original instanceof Series)) throw new Error(role);
      expect([role, written.timesMs, written.values]).toEqual([role, original.timesMs, original.values]);
    }
  });

  test("the encodings and line counts are those that the samples are known to have", () => {
    const { files } = JSON.parse(bytesOf("expected.json").toString()) as {
      files: { file: string; encoding: string }[];
    };
    const known = new Set(SAMPLES.map(({ file }) => file));
    expect(files.map(({ file }) => file).filter((file) => !known.has(file))).toEqual([]);
    for (const { file, encoding } of files) {
      const sample = SAMPLES.find((other) => other.file === file);
      const decoded = sample === undefined ? null : read(sample).decoded;
      const isPlain = /^[\t-~]*$/.test(bytesOf(file).toString("latin1"));
      const found = decoded?.hasByteOrderMark === true ? "utf-8-bom" : decoded?.encoding;
      expect([file, isPlain ? encoding : found]).toEqual([file, encoding]);
    }
  });
});
