import type { BlockSink } from "../../accounting/recorders/tableBlock.ts";
import type { ReportFormat } from "../../scenario/scenario.ts";
import type { FileDigests } from "../runJson.ts";
import { createTableOpener, type OpenTableWriter, type TableWriterSet } from "./createTableOpener.ts";
import type { TableStore } from "./tableStore.ts";

export const openLocalTables = async (folder: string, formats: readonly ReportFormat[]): Promise<LocalTables> =>
  new LocalTables(folder, await createTableOpener(formats));

/** Tables that this thread writes. */
export class LocalTables implements TableStore {
  readonly #folder: string;
  readonly #openTable: OpenTableWriter;
  readonly #tables: TableWriterSet[] = [];

  constructor(folder: string, openTable: OpenTableWriter) {
    this.#folder = folder;
    this.#openTable = openTable;
  }

  open(stem: string): BlockSink {
    const table = this.#openTable(this.#folder, stem);
    this.#tables.push(table);
    return table;
  }

  async settle(): Promise<void> {}

  async close(): Promise<FileDigests> {
    for (const table of this.#tables) table.close();
    return this.#tables.flatMap((table) => table.digests);
  }

  async abort(): Promise<void> {
    for (const table of this.#tables) table.abort();
  }
}
