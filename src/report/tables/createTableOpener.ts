import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import type { StagingFiles } from "../../platform/files.ts";
import type { FileDigests } from "../runJson.ts";
import { TableFile, type TableWriter } from "./tableFile.ts";
import { PLAIN_LAYOUT, type TableLayout } from "./tableLayout.ts";
import { CsvTableWriter, JsonLinesTableWriter, TextTableWriter } from "./textTableWriter.ts";

type TableWriterConstructor = new (file: TableFile, layout: TableLayout) => TableWriter;

/** File extension and writer of each format. The Parquet writer takes longer to load than a small run, so it is lazy. */
const FORMATS: readonly (readonly [
  ReportFormat,
  string,
  () => TableWriterConstructor | Promise<TableWriterConstructor>,
])[] = [
  ["csv", "csv", () => CsvTableWriter],
  ["json", "jsonl", () => JsonLinesTableWriter],
  ["parquet", "parquet", async () => (await import("./parquetTableWriter.ts")).ParquetTableWriter],
];

/**
 * Opens a table in each requested format: `<stem>.csv`, `<stem>.jsonl`, `<stem>.parquet`. */
export type OpenTableWriter = (staging: StagingFiles, stem: string) => TableWriterSet;

/** Loads the table writers of the formats; `html` has none, and those of `xlsx` share a file (`XlsxBook`). */
export async function createTableOpener(
  formats: readonly ReportFormat[],
  layout = PLAIN_LAYOUT,
): Promise<OpenTableWriter> {
  const writers: [string, TableWriterConstructor][] = [];
  for (const [format, ending, load] of FORMATS) if (formats.includes(format)) writers.push([ending, await load()]);
  return (staging, stem) =>
    openAll(
      writers.map(([ending]) => `${stem}.${ending}`),
      writers.map(
        ([, Writer]) =>
          (file) =>
            new Writer(new TableFile(staging, file), layout),
      ),
    );
}

function openAll(files: readonly string[], open: readonly ((file: string) => TableWriter)[]): TableWriterSet {
  const tables: TableWriter[] = [];
  try {
    files.forEach((file, k) => tables.push(open[k](file)));
  } catch (error) {
    for (const table of tables) table.abort();
    throw error;
  }
  return new TableWriterSet(tables, files);
}

/** One table in several formats. */
export class TableWriterSet implements TableWriter {
  /** File names without folder. */
  readonly files: readonly string[];
  private readonly tables: readonly TableWriter[];

  constructor(tables: readonly TableWriter[], files: readonly string[]) {
    this.tables = tables;
    this.files = files;
  }

  get digests(): FileDigests {
    return this.tables.flatMap((table) => table.digests);
  }

  /** Those of text formats. */
  get texts(): readonly TextTableWriter[] {
    return this.tables.filter((table) => table instanceof TextTableWriter);
  }

  /** Those of other formats. */
  get others(): readonly TableWriter[] {
    return this.tables.filter((table) => !(table instanceof TextTableWriter));
  }

  write(block: TableBlock): void {
    for (const table of this.tables) table.write(block);
  }

  close(): void {
    for (const table of this.tables) table.close();
  }

  abort(): void {
    for (const table of this.tables) table.abort();
  }
}
