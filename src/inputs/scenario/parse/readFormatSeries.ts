import type { FormatOptions, OptionName, SeriesColumn } from "../../formats/fileFormat.ts";
import type { FormatProblem } from "../../formats/formatProblem.ts";
import { readFormatFile } from "../../formats/readFormatFile.ts";
import { formatById } from "../../formats/registry.ts";
import { scenarioColumn } from "../../formats/scenarioColumn.ts";
import { encodingText } from "../../formats/text/decodeBytes.ts";
import type { SeriesConfig } from "../schema/scenarioSchema.ts";
import { type InputError, inputError } from "./inputError.ts";
import type { LoadContext } from "./loadContext.ts";
import type { FileSamples, SeriesContent, SeriesFile } from "./readSeriesFile.ts";
import { displayPathBeside } from "./scenarioFiles.ts";

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
