import { join } from "node:path";
import type { Block } from "../../record/block.ts";
import type { ReportFormat } from "../../scenario/scenario.ts";
import { CsvTable } from "./csvTable.ts";
import { JsonLinesTable } from "./jsonLinesTable.ts";
import { ParquetTable } from "./parquetTable.ts";
import { SmallCsvTable } from "./smallCsv.ts";
import type { Table } from "./table.ts";

type Opener = readonly [ReportFormat, string, new (path: string) => Table];

const BULK: readonly Opener[] = [
  ["csv", "csv", CsvTable],
  ["json", "jsonl", JsonLinesTable],
  ["parquet", "parquet", ParquetTable],
];
const SMALL: readonly Opener[] = [["csv", "csv", SmallCsvTable], ...BULK.slice(1)];

/**
 * Opens a table in every format wanted: `<stem>.csv`, `<stem>.jsonl`, `<stem>.parquet` in a folder that exists.
 *
 * Files are written in place: the caller gives a staging folder and moves it when all tables are closed. Formats that
 * are no table (`html`) are passed over.
 */
export const openTable = (folder: string, stem: string, formats: readonly ReportFormat[]): TableSet =>
  openAll(folder, stem, formats, BULK);

/** The same for a table of thousands of rows rather than millions; its CSV comes from csv-stringify. */
export const openSmallTable = (folder: string, stem: string, formats: readonly ReportFormat[]): TableSet =>
  openAll(folder, stem, formats, SMALL);

function openAll(folder: string, stem: string, formats: readonly ReportFormat[], openers: readonly Opener[]): TableSet {
  const tables: Table[] = [];
  const files: string[] = [];
  try {
    for (const [format, ending, Writer] of openers) {
      if (!formats.includes(format)) continue;
      const file = `${stem}.${ending}`;
      tables.push(new Writer(join(folder, file)));
      files.push(file);
    }
  } catch (error) {
    for (const table of tables) table.abort();
    throw error;
  }
  return new TableSet(tables, files);
}

/** One table in several formats. */
export class TableSet implements Table {
  /** File names without folder. */
  readonly files: readonly string[];
  readonly #tables: readonly Table[];

  constructor(tables: readonly Table[], files: readonly string[]) {
    this.#tables = tables;
    this.files = files;
  }

  get digests(): readonly (readonly [string, string])[] {
    return this.#tables.flatMap((table) => table.digests);
  }

  write(block: Block): void {
    for (const table of this.#tables) table.write(block);
  }

  close(): void {
    for (const table of this.#tables) table.close();
  }

  abort(): void {
    for (const table of this.#tables) table.abort();
  }
}
