import type { BlockSink } from "../../accounting/recorders/tableBlock.ts";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import type { StagingFiles } from "../../platform/files.ts";
import { createTableOpener, type OpenTableWriter, type TableWriterSet } from "./createTableOpener.ts";
import type { ClosedTables } from "./tableFile.ts";
import { PLAIN_LAYOUT } from "./tableLayout.ts";
import type { TakeBytes } from "./textRows.ts";
import type { XlsxBook } from "./xlsxBook.ts";

/** A table whose rows are encoded elsewhere, by `textRows`. */
export interface EncodedTable {
  /** Takes the next rows in each text format, in the order of `textFormats`. */
  readonly texts: readonly TakeBytes[];
  /** Takes the same rows for the other formats; `null`: there are none. */
  readonly cells: BlockSink | null;
}

/** The tables of one report while a run writes them. */
export interface TableStore {
  /**
   * Opens a table in each format, or as a sheet of report.xlsx alone. An error of the file is thrown here or by the next call
   * that waits.
   */
  open(stem: string, place?: "sheet"): BlockSink;
  /** Waits until few blocks remain to be written. @throws TableWriteError */
  settle(): Promise<void>;
  /**
   * Writes the rest and closes all tables.
   *
   * @throws TableWriteError
   */
  close(): Promise<ClosedTables>;
  /** Removes all files, also after `close`. */
  abort(): Promise<void>;
}

const sinkOf = (sinks: readonly BlockSink[]): BlockSink =>
  sinks.length === 1 ? sinks[0] : { write: (block) => sinks.forEach((sink) => sink.write(block)) };

export async function openLocalTables(
  staging: StagingFiles,
  formats: readonly ReportFormat[],
  layout = PLAIN_LAYOUT,
): Promise<LocalTables> {
  // Its library takes longer to load than a small run.
  const book = formats.includes("xlsx") ? new (await import("./xlsxBook.ts")).XlsxBook(staging, layout) : null;
  return new LocalTables(staging, await createTableOpener(formats, layout), book);
}

/** Tables that this thread writes. */
export class LocalTables implements TableStore {
  private readonly staging: StagingFiles;
  private readonly openTable: OpenTableWriter;
  /** `null`: no format is `xlsx`. */
  private readonly book: XlsxBook | null;
  private readonly tables: TableWriterSet[] = [];

  constructor(staging: StagingFiles, openTable: OpenTableWriter, book: XlsxBook | null = null) {
    this.staging = staging;
    this.openTable = openTable;
    this.book = book;
  }

  open(stem: string, place?: "sheet"): BlockSink {
    const sinks: BlockSink[] = this.book === null ? [] : [this.book.open(stem)];
    if (place !== "sheet") {
      const table = this.openTable(this.staging, stem);
      this.tables.push(table);
      sinks.push(table);
    }
    return sinkOf(sinks);
  }

  /** Opens a table in each format. */
  openEncoded(stem: string): EncodedTable {
    const table = this.openTable(this.staging, stem);
    this.tables.push(table);
    const others = [...(this.book === null ? [] : [this.book.open(stem)]), ...table.others];
    return {
      texts: table.texts.map((text) => (bytes) => text.writeEncoded(bytes)),
      cells: others.length === 0 ? null : sinkOf(others),
    };
  }

  async settle(): Promise<void> {}

  async close(): Promise<ClosedTables> {
    for (const table of this.tables) table.close();
    const { digests, notes } = (await this.book?.close()) ?? { digests: [], notes: [] };
    return { digests: [...this.tables.flatMap((table) => table.digests), ...digests], notes };
  }

  async abort(): Promise<void> {
    for (const table of this.tables) table.abort();
    this.book?.abort();
  }
}
