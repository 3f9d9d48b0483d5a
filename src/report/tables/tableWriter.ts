import type { BlockSink, TableBlock } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";

/**
 * One table on its way to a file. The first block names the columns, so a table without rows gets one empty block.
 *
 * After an error of `write` or `close`, `abort` gives the file up.
 */
export interface TableWriter extends BlockSink {
  /** File name and SHA-256 in hex of each file, once the table is closed. */
  readonly digests: readonly (readonly [string, string])[];
  /** Writes what is left; the file is whole afterwards. */
  close(): void;
  /** Closes and removes the file, also one that was closed already; a second time does nothing. */
  abort(): void;
}

/** Holds every block of a table to the columns of its first one. */
export class ColumnCheck {
  #first: readonly { readonly name: string; readonly kind: string }[] | null = null;

  /** True for the first block. */
  acceptBlock({ columns, rowCount }: TableBlock): boolean {
    for (const { name, values } of columns) {
      assert(rowCount <= values.length, () => `column ${name} has a value for each of ${rowCount} rows`);
    }
    if (this.#first === null) {
      assert(columns.length > 0, "a table has at least one column");
      this.#first = columns.map(({ name, kind }) => ({ name, kind }));
      return true;
    }
    const isSame =
      columns.length === this.#first.length &&
      this.#first.every(({ name, kind }, k) => name === columns[k].name && kind === columns[k].kind);
    assert(isSame, "all blocks of a table have the same columns");
    return false;
  }

  assertHasColumns(path: string): void {
    assert(this.#first !== null, () => `table ${path} is told its columns, by an empty block if need be`);
  }
}
