import { isGzip, unpackGzip } from "../../base/gzip.ts";
import { readCsvHeader, readNumericCsv } from "../../series/csv/readNumericCsv.ts";
import type { RawSamples, StampLabel } from "../../series/model/seriesOptions.ts";
import type { SeriesConfig } from "../schema/scenarioSchema.ts";
import { isText } from "./decodeText.ts";
import { formatValue, inputError, NO_SUCH_FILE } from "./inputError.ts";
import type { LoadContext } from "./loadContext.ts";
import { displayPathBeside, resolveBeside } from "./scenarioFiles.ts";

/** One file of numbers by time, shared by all series that name it. */
export interface SeriesFile {
  /** Path in error messages. */
  readonly file: string;
  /** Columns other than the times. */
  readonly header: readonly string[];
  /** Samples of the columns in use; empty for an unreadable file, which is reported. */
  readonly samples: ReadonlyMap<string, FileSamples>;
}

/** Samples of one column. */
export interface FileSamples extends RawSamples {
  /** What a published format says of its stamps; `null`: the scenario says it. */
  readonly label: StampLabel | null;
}

/**
 * Reads a file once for all series that name it.
 *
 * @param wantedOf selects the columns to read from the header
 */
export function readSeriesFile(
  context: LoadContext,
  series: SeriesConfig,
  wantedOf: (header: readonly string[]) => readonly string[],
): SeriesFile {
  const { checker } = context;
  const file = displayPathBeside(context.displayPath, series.file);
  const empty: SeriesFile = { file, header: [], samples: new Map() };
  const content = readSeriesBytes(context, series);
  if (content === null) return empty;
  const unpacked = isGzip(content) ? unpackGzip(content) : { bytes: content };
  if ("wrong" in unpacked) {
    checker.reportError(
      series,
      "file",
      `${formatValue(series.file)}, ${unpacked.wrong}`,
      "a complete gzip file of at most 1024 MiB unpacked, or plain CSV of any size",
    );
    return empty;
  }
  const { bytes } = unpacked;
  if (!isText(file, bytes, checker.errors)) return empty;
  const header = readCsvHeader(bytes);
  const columns = wantedOf(header);
  const answer = readNumericCsv(bytes, { time: series.time, columns });
  const others = header.filter((name) => name !== series.time);
  if (answer.ok) {
    const { timesMs, lines, columns: values } = answer.table;
    const samples = columns.map((name, k): [string, FileSamples] => [
      name,
      { timesMs, lines, values: values[k], label: null },
    ]);
    return { file, header: others, samples: new Map(samples) };
  }
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
  return { ...empty, header: others };
}

/** `null` after reporting a file that cannot be read. */
export function readSeriesBytes({ checker, files, file }: LoadContext, series: SeriesConfig): Buffer | null {
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
