import { parquetMetadata, parquetReadObjects } from "hyparquet";
import type { ErrorCollector } from "../../base/inputError.ts";
import { KNOWN_COLUMNS, RawTable, reportFile } from "./rawTable.ts";

export const isParquet = (content: Uint8Array): boolean =>
  content[0] === 0x50 && content[1] === 0x41 && content[2] === 0x52;

/** Rows of a Parquet file. Times are timestamps, in UTC, or ISO 8601 texts. @returns `null` after reporting a damaged file */
export async function readMeasuredParquet(
  file: string,
  content: Uint8Array,
  errors: ErrorCollector,
): Promise<RawTable | null> {
  const read = await readRows(Uint8Array.from(content).buffer).catch((error: Error) => error);
  if (read instanceof Error) {
    reportFile(errors, file, read.message, "a Parquet file, plain or snappy");
    return null;
  }
  const table = new RawTable(file, read.header, errors);
  for (const [k, row] of read.rows.entries()) {
    const cells = read.header.map((name) => row[name]);
    table.add(k + 1, cells);
  }
  return table;
}

async function readRows(file: ArrayBuffer) {
  const metadata = parquetMetadata(file);
  const header = metadata.schema.slice(1).map(({ name }) => name);
  const columns = KNOWN_COLUMNS.filter((name) => header.includes(name));
  return { header, rows: columns.length === 0 ? [] : await parquetReadObjects({ file, metadata, columns }) };
}
