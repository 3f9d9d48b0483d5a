import { createHash } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import type { BlockSink, TableBlock } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";
import type { FileDigests } from "../runJson.ts";

/** A report file could not be written, for example because of a full disk or missing permission. */
export class TableWriteError extends Error {
  override name = "TableWriteError";
}

/** A file written sequentially. Its errors contain the path. */
export class TableFile {
  readonly path: string;
  private readonly hash = createHash("sha256");
  private descriptor: number | null = null;
  private digestHex: string | null = null;

  constructor(path: string) {
    this.path = path;
    this.descriptor = this.withFileErrors(() => openSync(path, "w"));
  }

  write(bytes: Uint8Array): void {
    const descriptor = this.descriptor;
    if (descriptor === null) throw new TableWriteError(`cannot write ${this.path}: it is closed`);
    this.hash.update(bytes);
    // writeSync may write fewer bytes than given, as on a nearly full disk.
    for (let at = 0; at < bytes.length; ) {
      at += this.withFileErrors(() => writeSync(descriptor, bytes, at, bytes.length - at));
    }
  }

  /** SHA-256 in hex, computed while writing, so that a large file is not read again. */
  get digest(): string {
    this.digestHex ??= this.hash.digest("hex");
    return this.digestHex;
  }

  close(): void {
    const descriptor = this.descriptor;
    if (descriptor === null) return;
    this.descriptor = null;
    this.withFileErrors(() => closeSync(descriptor));
  }

  abort(): void {
    this.close();
    this.withFileErrors(() => rmSync(this.path, { force: true }));
  }

  private withFileErrors<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new TableWriteError(`cannot write ${this.path}: ${reason}`, { cause: error });
    }
  }
}

/**
 * One table being written. The first block defines the columns, so a table without rows needs one empty block.
 *
 * Call `abort` after an error of `write` or `close`.
 */
export interface TableWriter extends BlockSink {
  /** File name and SHA-256 in hex of each file; valid after `close`. */
  readonly digests: FileDigests;
  /** Writes the buffered rest and closes the file. */
  close(): void;
  /** Removes the file, also after `close`. A second call has no effect. */
  abort(): void;
}

export interface ClosedTables {
  /** File name and SHA-256 in hex of each file, in the order in which the tables were opened. */
  readonly digests: FileDigests;
  /** Why tables are left out. */
  readonly notes: readonly string[];
}

/** Checks that every block of a table has the columns of the first one. */
export class ColumnCheck {
  private first: readonly { readonly name: string; readonly kind: string }[] | null = null;

  /** @returns whether this is the first block */
  acceptBlock({ columns, rowCount }: TableBlock): boolean {
    for (const { name, values } of columns) {
      assert(rowCount <= values.length, () => `column ${name} has a value for each of ${rowCount} rows`);
    }
    if (this.first === null) {
      assert(columns.length > 0, "a table has at least one column");
      this.first = columns.map(({ name, kind }) => ({ name, kind }));
      return true;
    }
    const isSame =
      columns.length === this.first.length &&
      this.first.every(({ name, kind }, k) => name === columns[k].name && kind === columns[k].kind);
    assert(isSame, "all blocks of a table have the same columns");
    return false;
  }

  assertHasColumns(path: string): void {
    assert(this.first !== null, () => `table ${path} has had at least one block, which defines its columns`);
  }
}
