import { type EpochMs, MS_PER_DAY } from "../../../../base/time.ts";
import type { CsvRecord } from "../../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent } from "../../fileFormat.ts";
import { normaliseName } from "../../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../../text/textTable.ts";
import { JST } from "../../time/localTime.ts";
import { parseDate } from "../../time/parseDate.ts";

export const EPRX_TERMS =
  "Electric Power Reserve Exchange (eprx.or.jp). Terms of reuse not verified: bring your own file and do not redistribute it.";

/** A result file of EPRX: record types H (names), P (values), TT or T (columns), one row for each block and quantity, E (end). */
export interface EprxFile {
  readonly table: TextTable;
  /** Values of the P record by the names of the H record, normalised. */
  readonly properties: ReadonlyMap<string, string>;
  /** 速報値 (preliminary) or 確報値 (final). */
  readonly status: string;
  readonly header: CsvRecord;
  /** Column names, normalised. */
  readonly names: readonly string[];
  readonly rows: readonly EprxRow[];
  /** Length of a block. */
  readonly blockMs: number;
}

export interface EprxRow {
  readonly record: CsvRecord;
  /** "20260601B01". */
  readonly key: string;
  readonly atMs: EpochMs;
}

const BLOCK_KEY = /^(\d{8})?B(\d{2})$/;

/** `null` after reporting problems. */
export function parseEprxFile(file: FileContent): EprxFile | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const records = table.rows.filter((row) => !isBlankRow(row));
  const byType = (...types: string[]) => records.find(({ cells }) => types.includes(cells[0].trim()));
  const [head, values, header] = [byType("H"), byType("P"), byType("TT", "T")];
  if (head === undefined || values === undefined || header === undefined) {
    file.problems.refuse("no H, P and TT records", "a result file of EPRX, whose first lines have these records");
    return null;
  }
  if (byType("E") === undefined)
    file.problems.refuse("no E record: the file is cut off", "a complete file, which ends with a line E");
  // The H record names the values from the third cell on; its second cell is the title of the file.
  const properties = new Map(
    head.cells.slice(2).map((name, k) => [normaliseName(name), (values.cells[k + 2] ?? "").trim()]),
  );
  const blocks = Number(properties.get("ブロック数"));
  if (!Number.isInteger(blocks) || blocks < 1 || 48 % blocks !== 0) {
    table.reportRow(
      values,
      `ブロック数 ${properties.get("ブロック数") ?? "(none)"}`,
      "a number of blocks that divides 48",
    );
    return null;
  }
  const blockMs = MS_PER_DAY / blocks;
  const after = records.indexOf(header) + 1;
  const rows = records
    .slice(after)
    .filter(({ cells }) => cells[0].trim() !== "E")
    .flatMap((record) => blockOf(table, record, { properties, blocks, blockMs }));
  const names = header.cells.map(normaliseName);
  return { table, properties, status: values.cells[1].trim(), header, names, rows, blockMs };
}

/** Whether the file has these columns; others are reported. */
export function requireColumns({ table, header, names }: EprxFile, wanted: readonly string[]): boolean {
  const absent = wanted.filter((name) => !names.includes(name));
  for (const name of absent)
    table.problems.add(name, () => ({
      line: header.line,
      column: 1,
      found: "no such column",
      allowed: `a column ${name}; the file has ${names.join(", ")}`,
    }));
  return absent.length === 0;
}

interface BlockContext {
  readonly properties: ReadonlyMap<string, string>;
  readonly blocks: number;
  readonly blockMs: number;
}

/** Daily files of 2021 have the date in the P record, not in the key. */
function blockOf(table: TextTable, record: CsvRecord, { properties, blocks, blockMs }: BlockContext): EprxRow[] {
  const day = properties.get("対象年月日");
  const month = properties.get("対象年月") ?? day?.slice(0, 6) ?? "";
  const match = BLOCK_KEY.exec(record.cells[0].trim());
  const date = match?.[1] ?? day ?? "";
  const dayMs = parseDate(date);
  const block = Number(match?.[2]);
  if (dayMs === null || !date.startsWith(month) || !(1 <= block && block <= blocks)) {
    table.reportCell(record, 0, "block", `a block of the month ${month} from B01 to B${blocks}, as in ${month}01B01`);
    return [];
  }
  const [atMs] = JST.instantsOf(dayMs + (block - 1) * blockMs);
  return [{ record, key: `${date}B${match?.[2]}`, atMs }];
}
