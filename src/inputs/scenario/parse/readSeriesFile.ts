import { isGzip, unpackGzip } from "../../../base/gzip.ts";
import { readCsvHeader, readNumericCsv } from "../../../engine/series/csv/readNumericCsv.ts";
import type { RawSamples, StampLabel } from "../../../engine/series/model/seriesOptions.ts";
import type { SeriesConfig } from "../schema/scenarioSchema.ts";
import { isText } from "./decodeText.ts";
import { formatValue, inputError, NO_SUCH_FILE } from "./inputError.ts";
import type { LoadContext } from "./loadContext.ts";
import { displayPathBeside, resolveBeside } from "./scenarioFiles.ts";

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
export interface FileSamples extends RawSamples {
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
  /** As on the disk; `null`: it cannot be read. */
  readonly bytes: Buffer | null;
  /** Absent before it is asked for. */
  private unpacked: Buffer | null | undefined;

  constructor(context: LoadContext, series: SeriesConfig) {
    this.context = context;
    this.series = series;
    this.bytes = readSeriesBytes(context, series);
  }

  /** The bytes of its text, unpacked; `null` after a fault was reported. */
  get text(): Buffer | null {
    if (this.unpacked === undefined) this.unpacked = this.unpack();
    return this.unpacked;
  }

  private unpack(): Buffer | null {
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
  { text }: SeriesContent,
  wantedOf: (header: readonly string[]) => readonly string[],
): SeriesFile {
  const file = displayPathBeside(displayPath, series.file);
  if (text === null) return { file, header: [], samples: new Map() };
  const header = readCsvHeader(text);
  const columns = wantedOf(header);
  const answer = readNumericCsv(text, { time: series.time, columns });
  const others = header.filter((name) => name !== series.time);
  if (answer.ok) {
    const { timesMs, lines, columns: values } = answer.table;
    const samples = columns.map((name, k): [string, FileSamples] => [
      name,
      { timesMs, lines, values: values[k], label: null, unit: null },
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
  return { file, header: others, samples: new Map() };
}

/** `null` after reporting a file that cannot be read. */
function readSeriesBytes({ checker, files, file }: LoadContext, series: SeriesConfig): Buffer | null {
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
