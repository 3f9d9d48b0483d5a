import type { BlockSink } from "../../accounting/recorders/tableBlock.ts";
import type { FileDigests } from "../runJson.ts";

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
