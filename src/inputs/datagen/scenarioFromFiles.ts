import { ErrorCollector, type InputErrors, inputRefusal } from "../../base/inputError.ts";
import { largestOf, smallestOf } from "../../base/lists.ts";
import { type EpochMs, isoUtc, MS_PER_DAY } from "../../base/time.ts";
import type { FileFormat, FormatOptions, SeriesColumn } from "../formats/fileFormat.ts";
import { FormatProblems } from "../formats/formatProblem.ts";
import { recordsCsv } from "../formats/output/seriesOutput.ts";
import { baseName, type FormatReading, type RawFile, readFormatFile } from "../formats/readFormatFile.ts";
import { detectFormats, formatById } from "../formats/registry.ts";
import { decodeBytes } from "../formats/text/decodeBytes.ts";
import { inputErrorOf } from "../scenario/parse/readSeriesFile.ts";
import type { GeneratedFiles } from "./disk/writeFiles.ts";
import { fromFilesYaml, type Part, type SeriesPart } from "./fromFilesYaml.ts";
import { JST_OFFSET_MS } from "./timeGrid.ts";

/** What a scenario needs beside the files. */
export interface FromFilesOptions {
  /** Of prices and market results. */
  readonly area?: string;
  /** Power of the battery, and capacity of its awards. */
  readonly capacityKw?: number;
}

/** What the file of a format is to a scenario. */
const PARTS: Readonly<Record<string, Part>> = {
  jepx_spot: "price",
  jepx_intraday: "price",
  eprx_results: "awards",
  jma_hourly: "weather",
  metpv20: "weather",
  epw: "weather",
  tmy3: "weather",
  nsrdb: "weather",
  pvgis: "weather",
  bp_meter: "load",
  meter_days: "load",
  table: "load",
};

const DEFAULT_CAPACITY_KW = 1000;
const AWARDS_FILE = "awards.csv";
const TIMEZONE = "Asia/Tokyo";

/**
 * A scenario that runs from published files, with copies of them: a battery, awards of market results, a PV plant where there is
 * weather, a factory where there is a load (docs/markets.md#init-from).
 *
 * @throws InputErrors for files that cannot be read or have no period in common
 */
export function scenarioFromFiles(files: readonly RawFile[], options: FromFilesOptions): GeneratedFiles {
  const parts = files.map((file) => ({ file, format: partFormat(file) }));
  refuseSecondParts(parts);
  const series = parts.flatMap(({ file, format }) =>
    PARTS[format.id] === "awards" ? [] : [seriesPart(file, format, options)],
  );
  const results = parts.find(({ format }) => PARTS[format.id] === "awards");
  const awards = results === undefined ? null : awardsOf(results.file, options);
  const bounded = series.filter(({ isTypicalYear }) => !isTypicalYear).map(({ column }) => spanOf(column));
  const period = commonPeriod([...bounded, ...(awards === null ? [] : [awards.span])], series);
  const rows =
    awards?.rows.filter(([, start, end]) => period.startMs <= Date.parse(start) && Date.parse(end) <= period.endMs) ??
    [];
  const capacityKw = options.capacityKw ?? DEFAULT_CAPACITY_KW;
  const yaml = fromFilesYaml({ series, period, capacityKw, awardsFile: rows.length === 0 ? null : AWARDS_FILE });
  const generated = new Map<string, string | Uint8Array>([["scenario.yaml", yaml]]);
  if (awards !== null && rows.length > 0) generated.set(AWARDS_FILE, recordsCsv({ ...awards.table, rows }));
  for (const { file, format } of parts)
    if (PARTS[format.id] !== "awards") generated.set(baseName(file.name), file.content);
  return generated;
}

function partFormat({ name, content }: RawFile): FileFormat {
  const problems = new FormatProblems();
  const decoded = decodeBytes(content, problems, null);
  if (decoded === null) throw problemErrors(name, problems);
  const found = detectFormats(baseName(name), decoded.text)[0]?.format;
  if (found !== undefined && Object.hasOwn(PARTS, found.id)) return found;
  const what = found === undefined ? "a file of no known format" : `a file of the format ${found.id}`;
  throw inputRefusal(name, what, `a file of prices, market results, weather or load: ${Object.keys(PARTS).join(", ")}`);
}

function refuseSecondParts(parts: readonly { readonly file: RawFile; readonly format: FileFormat }[]): void {
  const seen = new Map<Part, string>();
  for (const { file, format } of parts) {
    const part = PARTS[format.id];
    const first = seen.get(part);
    if (first !== undefined)
      throw inputRefusal(
        file.name,
        `a second file of ${part} beside ${first}`,
        "one file of each kind; join them with vppsim import first",
      );
    seen.set(part, file.name);
  }
}

function seriesPart(file: RawFile, format: FileFormat, { area }: FromFilesOptions): SeriesPart {
  const name = PARTS[format.id];
  const isByArea = name === "price" && format.options.includes("area");
  if (isByArea && area === undefined) throw inputRefusal("--area", "no area", `the area of ${file.name}, as in tokyo`);
  const options: FormatOptions = {
    ...(isByArea ? { area } : {}),
    ...(format.options.includes("timezone") ? { timezone: TIMEZONE } : {}),
  };
  const table = tableOf(readFormatFile(format, file, options));
  if (table.kind !== "series") throw inputRefusal(file.name, "rows", "a file of series");
  const column = table.columns.find(isUsable(name));
  if (column === undefined) throw inputRefusal(file.name, `no column for ${name}`, USABLE[name]);
  const isTypicalYear = format.options.includes("year");
  const declaration = {
    format: format.id,
    file: baseName(file.name),
    ...(isByArea ? { area } : {}),
    on_gap: "hold",
    ...(isTypicalYear ? { repeat: "year" } : {}),
  };
  return { name, declaration, table, column, isTypicalYear };
}

const USABLE: Readonly<Record<Part, string>> = {
  price: "a price in JPY/kWh",
  awards: "awarded volumes",
  weather: "global horizontal irradiance, ghi_w_m2",
  load: "a column in kW or kWh",
};

const isUsable =
  (part: Part) =>
  ({ role, unit, values }: SeriesColumn): boolean =>
    values.some((value) => !Number.isNaN(value)) &&
    (part === "weather" ? role === "ghi_w_m2" : part === "price" ? role === "price_jpy_per_kwh" : unit === "kW");

interface Span {
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
}

/** From the first value to the end of the last one. */
function spanOf({ timesMs, endsMs, values }: SeriesColumn): Span {
  const first = values.findIndex((value) => !Number.isNaN(value));
  const last = values.findLastIndex((value) => !Number.isNaN(value));
  return { startMs: timesMs[first], endMs: endsMs[last] };
}

function awardsOf(file: RawFile, { area, capacityKw = DEFAULT_CAPACITY_KW }: FromFilesOptions) {
  const format = formatById("eprx_awards") as FileFormat;
  if (area === undefined) throw inputRefusal("--area", "no area", `the area of ${file.name}, as in tokyo`);
  const table = tableOf(readFormatFile(format, file, { area, capacity_kw: capacityKw }));
  if (table.kind !== "records") throw inputRefusal(file.name, "series", "market results");
  const starts = table.rows.map(([, start]) => Date.parse(start));
  const ends = table.rows.map(([, , end]) => Date.parse(end));
  // Results are published by the day; blocks without an award are part of it.
  const span = {
    startMs: midnightBefore(smallestOf(starts)),
    endMs: midnightAfter(largestOf(ends) - 1),
  };
  return { table, rows: table.rows, span };
}

const midnightBefore = (atMs: EpochMs): EpochMs =>
  Math.floor((atMs + JST_OFFSET_MS) / MS_PER_DAY) * MS_PER_DAY - JST_OFFSET_MS;
const midnightAfter = (atMs: EpochMs): EpochMs => midnightBefore(atMs) + MS_PER_DAY;

/** The period that all files have; a week of a typical year where there is nothing else. */
function commonPeriod(spans: readonly Span[], series: readonly SeriesPart[]): Span {
  if (spans.length === 0) {
    const [{ column }] = series;
    const { startMs, endMs } = spanOf(column);
    const midnightMs = midnightAfter(startMs);
    // Before its first reading a record has no value between readings.
    const fromMs = midnightMs < endMs ? midnightMs : startMs;
    return { startMs: fromMs, endMs: Math.min(endMs, fromMs + 7 * MS_PER_DAY) };
  }
  const startMs = Math.max(...spans.map((span) => span.startMs));
  const endMs = Math.min(...spans.map((span) => span.endMs));
  if (startMs < endMs) return { startMs, endMs };
  const periods = spans.map((span) => `${isoUtc(span.startMs)} to ${isoUtc(span.endMs)}`).join("; ");
  throw inputRefusal("--from", `files without a period in common: ${periods}`, "files that overlap in time");
}

function tableOf({ name, table, problems }: FormatReading) {
  if (table === null) throw problemErrors(name, problems);
  return table;
}

function problemErrors(name: string, problems: FormatProblems): InputErrors {
  const errors = new ErrorCollector();
  errors.addAll(
    problems.groups.map(({ key, count, first }) => {
      return { key: `${name}\n${key}`, count, first: first.map((problem) => inputErrorOf(name, problem)) };
    }),
  );
  return errors.toInputErrors();
}
