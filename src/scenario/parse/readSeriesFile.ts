import { gunzipSync } from "node:zlib";
import { type NumericTable, readCsvHeader, readNumericCsv } from "../../series/csv/readNumericCsv.ts";
import type { SeriesConfig } from "../schema/scenarioSchema.ts";
import { isText } from "./decodeText.ts";
import { formatValue, inputError, NO_SUCH_FILE } from "./inputError.ts";
import type { LoadContext } from "./loadContext.ts";
import { displayPathBeside, resolveBeside } from "./scenarioFiles.ts";

/** One CSV file of numbers by time, shared by all series that name it. */
export interface SeriesFile {
  /** Path in error messages. */
  readonly file: string;
  /** Columns other than the times. */
  readonly header: readonly string[];
  /** `null` for an unreadable file, which is reported. */
  readonly table: NumericTable | null;
  /** Columns of the table, same order. */
  readonly tableColumns: readonly string[];
}

/**
 * Reads a file once for all series that name it.
 *
 * @param wantedOf selects the columns to read from the header
 */
export function readSeriesFile(
  { checker, files, file: scenarioFile, displayPath }: LoadContext,
  series: SeriesConfig,
  wantedOf: (header: readonly string[]) => readonly string[],
): SeriesFile {
  const path = resolveBeside(scenarioFile, series.file);
  const file = displayPathBeside(displayPath, series.file);
  const empty: SeriesFile = { file, header: [], table: null, tableColumns: [] };
  const content = files.read(path);
  if (content === null) {
    checker.reportError(
      series,
      "file",
      `${NO_SUCH_FILE}: ${formatValue(series.file)}`,
      "a readable CSV file, plain or gzip, relative to the scenario file",
    );
    return empty;
  }
  const unpacked = decompress(content);
  if (unpacked === null) {
    checker.reportError(
      series,
      "file",
      `${formatValue(series.file)}, a damaged gzip file`,
      "a complete gzip file or plain CSV",
    );
    return empty;
  }
  if (!isText(file, unpacked, checker.errors)) return empty;
  const header = readCsvHeader(unpacked);
  const tableColumns = wantedOf(header);
  const answer = readNumericCsv(unpacked, { time: series.time, columns: tableColumns });
  const others = header.filter((name) => name !== series.time);
  if (answer.ok) return { file, header: others, table: answer.table, tableColumns };
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

function decompress(content: Buffer): Buffer | null {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content;
  try {
    return gunzipSync(content);
  } catch {
    return null;
  }
}
