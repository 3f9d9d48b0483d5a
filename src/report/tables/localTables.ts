import type { BlockSink } from "../../accounting/recorders/tableBlock.ts";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import type { FileDigests } from "../runJson.ts";
import { createTableOpener, type OpenTableWriter, type TableWriterSet } from "./createTableOpener.ts";

/** The tables of one report while a run writes them. */
export interface TableStore {
  /** Opens a table in each format. An error of the file is thrown here or by the next call that waits. */
  open(stem: string): BlockSink;
  /** Waits until few blocks remain to be written. @throws TableWriteError */
  settle(): Promise<void>;
  /**
   * Writes the rest and closes all tables.
   *
   * @returns file name and SHA-256 in hex of each file, in the order in which the tables were opened
   * @throws TableWriteError
   */
  close(): Promise<FileDigests>;
  /** Removes all files, also after `close`. */
  abort(): Promise<void>;
}

export const openLocalTables = async (folder: string, formats: readonly ReportFormat[]): Promise<LocalTables> =>
  new LocalTables(folder, await createTableOpener(formats));

/** Tables that this thread writes. */
export class LocalTables implements TableStore {
  private readonly folder: string;
  private readonly openTable: OpenTableWriter;
  private readonly tables: TableWriterSet[] = [];

  constructor(folder: string, openTable: OpenTableWriter) {
    this.folder = folder;
    this.openTable = openTable;
  }

  open(stem: string): BlockSink {
    const table = this.openTable(this.folder, stem);
    this.tables.push(table);
    return table;
  }

  async settle(): Promise<void> {}

  async close(): Promise<FileDigests> {
    for (const table of this.tables) table.close();
    return this.tables.flatMap((table) => table.digests);
  }

  async abort(): Promise<void> {
    for (const table of this.tables) table.abort();
  }
}
