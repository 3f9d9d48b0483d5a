import type { BlockSink, TableBlock } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";
import { utf8Bytes } from "../../base/bytes.ts";
import { createSha256, digestHex } from "../../base/ids.ts";
import type { SinkFile, StagingFiles } from "../../platform/files.ts";
import type { FileDigests } from "../runJson.ts";

/** A file of a report, with its digest. Its errors contain the path. @throws TableWriteError */
export class TableFile {
  readonly name: string;
  private readonly file: SinkFile;
  private readonly hash = createSha256();
  private hex: string | null = null;

  constructor(staging: StagingFiles, name: string) {
    this.name = name;
    this.file = staging.open(name);
  }

  write(bytes: Uint8Array): void {
    this.hash.update(bytes);
    this.file.write(bytes);
  }

  /** Name, and SHA-256 in hex, which is computed while writing, so that a large file is not read again. */
  get digest(): readonly [string, string] {
    this.hex ??= digestHex(this.hash);
    return [this.name, this.hex];
  }

  close(): void {
    this.file.close();
  }

  abort(): void {
    this.file.abort();
  }
}

/** Characters that are encoded at once. */
const TEXT_LENGTH = 1 << 16;

/** Writes a text part by part: a large one is longer than a string can be. @returns its name and digest @throws TableWriteError */
export function writeParts(staging: StagingFiles, name: string, parts: Iterable<string>): readonly [string, string] {
  const file = new TableFile(staging, name);
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length < TEXT_LENGTH) continue;
    file.write(utf8Bytes(text));
    text = "";
  }
  file.write(utf8Bytes(text));
  file.close();
  return file.digest;
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

  assertHasColumns(name: string): void {
    assert(this.first !== null, () => `table ${name} has had at least one block, which defines its columns`);
  }
}
