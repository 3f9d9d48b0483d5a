import { join } from "node:path";
import type { Block } from "../../accounting/recorders/block.ts";
import type { ReportFormat } from "../../scenario/scenario.ts";
import { CsvTable } from "./csvTable.ts";
import { JsonLinesTable } from "./jsonLinesTable.ts";
import type { Table } from "./table.ts";

type Writer = new (path: string) => Table;

/** File ending and writer of each format. Parquet's takes longer to load than a small run, so only who wants it does. */
const FORMATS: readonly (readonly [ReportFormat, string, () => Writer | Promise<Writer>])[] = [
  ["csv", "csv", () => CsvTable],
  ["json", "jsonl", () => JsonLinesTable],
  ["parquet", "parquet", async () => (await import("./parquetTable.ts")).ParquetTable],
];

/**
 * Opens a table in every format wanted: `<stem>.csv`, `<stem>.jsonl`, `<stem>.parquet` in a folder that exists.
 *
 * Files are written in place: the caller gives a staging folder and moves it when all tables are closed.
 */
export type OpenTable = (folder: string, stem: string) => TableSet;

/** Gets the writers of some formats ready; those that are no table (`html`) are passed over. */
export async function tableOpener(formats: readonly ReportFormat[]): Promise<OpenTable> {
  const writers: [string, Writer][] = [];
  for (const [format, ending, load] of FORMATS) if (formats.includes(format)) writers.push([ending, await load()]);
  return (folder, stem) => openAll(folder, stem, writers);
}

function openAll(folder: string, stem: string, writers: readonly (readonly [string, Writer])[]): TableSet {
  const tables: Table[] = [];
  const files = writers.map(([ending]) => `${stem}.${ending}`);
  try {
    writers.forEach(([, Writer], k) => tables.push(new Writer(join(folder, files[k]))));
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
