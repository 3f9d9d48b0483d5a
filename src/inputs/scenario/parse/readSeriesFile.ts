import { isGzip, unpackGzip } from "../../../base/gzip.ts";
import { formatValue, type InputError, inputError, NO_SUCH_FILE } from "../../../base/inputError.ts";
import {
  type PiecedTable,
  readCsvHeader,
  readNumericCsv,
  readNumericPieces,
} from "../../../engine/series/csv/readNumericCsv.ts";
import type { RawSamples, StampLabel } from "../../../engine/series/model/seriesOptions.ts";
import type { FormatOptions, OptionName, SeriesColumn } from "../../formats/fileFormat.ts";
import type { FormatProblem } from "../../formats/formatProblem.ts";
import { readFormatFile } from "../../formats/readFormatFile.ts";
import { formatById } from "../../formats/registry.ts";
import { scenarioColumn } from "../../formats/scenarioColumn.ts";
import { encodingText } from "../../formats/text/decodeBytes.ts";
import type { SeriesConfig } from "../schema/scenarioSchema.ts";
import { isText } from "./decodeText.ts";
import { displayPathBeside, type LoadContext, resolveBeside } from "./loadContext.ts";

/** Columns of a file by one column of times, shared by all series that name both. */
export interface SeriesFile {
  /** Path in error messages. */
  readonly file: string;
  /** Columns other than the times. */
  readonly header: readonly string[];
  /** Samples of the columns in use; empty for an unreadable file, which is reported. */
  readonly samples: ReadonlyMap<string, FileSamples>;
}

/** Samples of one column. */
interface FileSamples extends RawSamples {
  /** What a published format says of its stamps; `null`: the scenario says it. */
  readonly label: StampLabel | null;
  /** What a published format says of the unit; `null`: nothing. */
  readonly unit: string | null;
}

/** The content of a series file, read and unpacked once for all series that name it. */
export class SeriesContent {
  private readonly context: LoadContext;
  /** The first series that names it, where faults are reported. */
  private readonly series: SeriesConfig;
  /** Absent until the first read. */
  private content: Uint8Array | null | undefined;
  /** Absent until the first read. */
  private unpacked: Uint8Array | null | undefined;

  constructor(context: LoadContext, series: SeriesConfig) {
    this.context = context;
    this.series = series;
  }

  /** As on the disk; `null`: it cannot be read. */
  get bytes(): Uint8Array | null {
    if (this.content === undefined) this.content = readSeriesBytes(this.context, this.series);
    return this.content;
  }

  /** The columns of a plain file, which is not held; `null`: the text has to be read. */
  readPlain(time: string, wantedOf: (header: readonly string[]) => readonly string[]): PiecedTable | null {
    const { files, file } = this.context;
    const pieces =
      this.content === undefined ? (files.openPieces?.(resolveBeside(file, this.series.file)) ?? null) : null;
    return pieces === null ? null : readNumericPieces(pieces, time, wantedOf);
  }

  /** The bytes of its text, unpacked; `null` after a fault was reported. */
  get text(): Uint8Array | null {
    if (this.unpacked === undefined) this.unpacked = this.unpack();
    return this.unpacked;
  }

  private unpack(): Uint8Array | null {
    if (this.bytes === null) return null;
    const { checker, displayPath } = this.context;
    const unpacked = isGzip(this.bytes) ? unpackGzip(this.bytes) : { bytes: this.bytes };
    if ("wrong" in unpacked) {
      checker.reportError(
        this.series,
        "file",
        `${formatValue(this.series.file)}, ${unpacked.wrong}`,
        "a complete gzip file of at most 1024 MiB unpacked, or plain CSV of any size",
      );
      return null;
    }
    const { bytes } = unpacked;
    return isText(displayPathBeside(displayPath, this.series.file), bytes, checker.errors) ? bytes : null;
  }
}

/**
 * Reads the columns of a file for all series with one column of times.
 *
 * @param wantedOf selects the columns to read from the header
 */
export function readSeriesFile(
  { checker, displayPath }: LoadContext,
  series: SeriesConfig,
  content: SeriesContent,
  wantedOf: (header: readonly string[]) => readonly string[],
): SeriesFile {
  const file = displayPathBeside(displayPath, series.file);
  const plain = content.readPlain(series.time, wantedOf);
  if (plain !== null) return seriesFileOf(file, series, plain);
  const { text } = content;
  if (text === null) return { file, header: [], samples: new Map() };
  const header = readCsvHeader(text);
  const columns = wantedOf(header);
  const answer = readNumericCsv(text, { time: series.time, columns });
  if (answer.ok) return seriesFileOf(file, series, { header, columns, table: answer.table });
  checker.errors.addAll(
    answer.problems.map(({ key, count, first }) => ({
      key: `${file}\n${key}`,
      count,
      first: first.map(({ line, column, found, allowed }) => {
        const place = { line, column: 1 + Math.max(0, column === undefined ? 0 : header.indexOf(column)) };
        return inputError({ file, ...place, keyPath: column ?? "", found, allowed });
      }),
    })),
  );
  return { file, header: header.filter((name) => name !== series.time), samples: new Map() };
}

function seriesFileOf(file: string, { time }: SeriesConfig, { header, columns, table }: PiecedTable): SeriesFile {
  const { timesMs, lines, columns: values } = table;
  const samples = columns.map((name, k): [string, FileSamples] => [
    name,
    { timesMs, lines, values: values[k], label: null, unit: null },
  ]);
  return { file, header: header.filter((name) => name !== time), samples: new Map(samples) };
}

/** `null` after reporting a file that cannot be read. */
function readSeriesBytes({ checker, files, file }: LoadContext, series: SeriesConfig): Uint8Array | null {
  const content = files.read(resolveBeside(file, series.file));
  if (content !== null) return content;
  checker.reportError(
    series,
    "file",
    `${NO_SUCH_FILE}: ${formatValue(series.file)}`,
    "a readable CSV file, plain or gzip, relative to the scenario file",
  );
  return null;
}

/** Keys of a series that are options of its format. */
const OPTION_KEYS = [
  "area",
  "section",
  "sequence",
  "point",
  "year",
  "encoding",
  "delimiter",
  "decimal",
  "date_order",
  "units",
  "negate",
  "missing",
  "registers",
  "where",
  "header_row",
  "time_columns",
  "slot_minutes",
] as const satisfies readonly (OptionName & keyof SeriesConfig)[];

/** Whether the file declares a format that does not exist; the series is then not read. */
export function hasUnknownFormat({ checker }: LoadContext, series: SeriesConfig): boolean {
  const node = checker.sourceOf(series)?.node;
  return series.format === undefined && node?.kind === "map" && node.entries.has("format");
}

/** Options of a series that names no format. */
export const optionsWithoutFormat = (series: SeriesConfig): readonly (keyof SeriesConfig)[] =>
  series.format === undefined ? [...OPTION_KEYS, "timezone" as const].filter((key) => series[key] !== undefined) : [];

/** Whether the format itself reads `columns`; its roles are then those of the mapping. */
export const mapsColumns = ({ format }: SeriesConfig): boolean =>
  format !== undefined && formatById(format)?.options.includes("columns") === true;

/**
 * The options of a series with a format.
 *
 * @param timezone of the scenario, for formats with local times and none of their own
 */
export function formatOptionsOf(series: SeriesConfig, timezone: string): FormatOptions {
  const format = formatById(series.format ?? "");
  const takes = (name: OptionName) => format?.options.includes(name) === true;
  const given = Object.fromEntries(
    OPTION_KEYS.map((key) => [key, series[key]]).filter(([, value]) => value !== undefined),
  );
  return {
    ...given,
    ...(series.timezone === undefined ? {} : { timezone: series.timezone }),
    ...(takes("timezone") ? { fallback_timezone: timezone } : {}),
    ...(takes("columns") && series.columns !== undefined ? { columns: series.columns } : {}),
    ...(series.label === "start" || series.label === "end" ? { label: series.label } : {}),
  };
}

/** Reads a published file unchanged, once for all series with equal options (docs/model/formats.md#in-a-scenario). */
export function readFormatSeries(
  context: LoadContext,
  series: SeriesConfig,
  { bytes: content }: SeriesContent,
  options: FormatOptions,
): SeriesFile {
  const file = displayPathBeside(context.displayPath, series.file);
  const empty: SeriesFile = { file, header: [], samples: new Map() };
  const format = formatById(series.format ?? "");
  if (format === null || content === null) return empty;
  const { table, problems, decoded } = readFormatFile(format, { name: file, content }, options);
  if (table === null || table.kind !== "series") {
    if (table !== null) problems.refuse(`rows of the format ${format.id}`, "a format of series", "format");
    for (const { key, count, first } of problems.groups) {
      const ofOption = first[0].line === 0 && Object.hasOwn(series, key) ? first[0] : null;
      if (ofOption !== null) context.checker.reportError(series, key, ofOption.found, ofOption.allowed);
      else
        context.checker.errors.addAll([
          { key: `${file}\n${key}`, count, first: first.map((problem) => inputErrorOf(file, problem)) },
        ]);
    }
    return empty;
  }
  context.remarks.add("published-file", () => {
    const how = [format.id, ...(decoded === null ? [] : [encodingText(decoded)]), ...table.notes].join("; ");
    return { file, message: `read as ${how}. Source: ${format.terms}` };
  });
  const samples = new Map(table.columns.map((column) => [column.role, samplesOf(scenarioColumn(column, table))]));
  return { file, header: [...samples.keys()], samples };
}

/** A problem of a published file as an input error. */
export const inputErrorOf = (file: string, { line, column, key, found, allowed }: FormatProblem): InputError =>
  inputError({ file, line, column, keyPath: key, found, allowed });

const samplesOf = ({ timesMs, values, lines, label, unit }: SeriesColumn): FileSamples => ({
  timesMs,
  values,
  lines,
  label,
  unit,
});
