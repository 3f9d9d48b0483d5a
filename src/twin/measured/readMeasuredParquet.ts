import { parquetMetadata, parquetReadObjects } from "hyparquet";
import type { ErrorCollector } from "../../base/inputError.ts";
import { expectedInstantFormat, parseInstantText } from "../../engine/series/csv/parseInstant.ts";
import { MEASURED_COLUMNS } from "./measuredSeries.ts";
import { checkedNumber, type RawTable, reportCell, SITE_COLUMN, skuPosition, TIME_COLUMN } from "./rawTable.ts";

export const isParquet = (content: Uint8Array): boolean =>
  content[0] === 0x50 && content[1] === 0x41 && content[2] === 0x52;

/** Rows of a Parquet file. Times are timestamps, in UTC, or ISO 8601 texts. */
export async function readMeasuredParquet(
  file: string,
  content: Uint8Array,
  errors: ErrorCollector,
): Promise<RawTable | null> {
  const rows = await rowsOf(content);
  if (typeof rows === "string") {
    errors.report({ file, line: 0, column: 0, keyPath: "", found: rows, allowed: "a Parquet file, plain or snappy" });
    return null;
  }
  const { header, cells } = rows;
  const place = (row: number, name: string) => ({ file, line: row + 1, header, name });
  const timesMs = Float64Array.from(cells, (row, k) => {
    const value = row[TIME_COLUMN];
    const atMs = value instanceof Date ? value.getTime() : parseInstantText(String(value));
    if (Number.isNaN(atMs))
      reportCell(errors, place(k, TIME_COLUMN), JSON.stringify(String(value)), expectedInstantFormat(String(value)));
    return atMs;
  });
  const columns = MEASURED_COLUMNS.filter((name) => header.includes(name)).map((name) => {
    const values = Float64Array.from(cells, (row, k) => {
      const value = row[name] ?? null;
      if (name === "active_sku") return skuPosition(errors, place(k, name), value === null ? "" : String(value));
      const number = value === null ? Number.NaN : Number(value);
      if (value !== null && Number.isNaN(number) && typeof value === "string")
        reportCell(errors, place(k, name), JSON.stringify(value), "a number, or no value");
      return checkedNumber(errors, { ...place(k, name), name }, number);
    });
    return [name, values] as const;
  });
  const siteOf = cells.map((row) => String(row[SITE_COLUMN] ?? ""));
  const names = [...new Set(siteOf)];
  const indexOf = new Map(names.map((name, k) => [name, k]));
  const ofRow = Int32Array.from(siteOf, (name) => indexOf.get(name) ?? 0);
  return {
    file,
    header,
    timesMs,
    sites: header.includes(SITE_COLUMN) ? { names, ofRow } : null,
    columns: new Map(columns),
    lines: Int32Array.from(cells, (_, k) => k + 1),
  };
}

interface ParquetRows {
  readonly header: readonly string[];
  readonly cells: readonly Readonly<Record<string, unknown>>[];
}

/** @returns what is wrong, as a text, for a file that cannot be read */
async function rowsOf(content: Uint8Array): Promise<ParquetRows | string> {
  const file = Uint8Array.from(content).buffer;
  try {
    const metadata = parquetMetadata(file);
    const header = metadata.schema.slice(1).map(({ name }) => name);
    const columns = [TIME_COLUMN, SITE_COLUMN, ...MEASURED_COLUMNS].filter((name) => header.includes(name));
    return { header, cells: columns.length === 0 ? [] : await parquetReadObjects({ file, metadata, columns }) };
  } catch (error) {
    return error instanceof Error ? error.message : "a damaged Parquet file";
  }
}
