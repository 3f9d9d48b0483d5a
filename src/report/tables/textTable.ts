import { basename } from "node:path";
import type { Block, Column } from "../../accounting/recorders/block.ts";
import { assert } from "../../base/assert.ts";
import { type ByteRoom, InstantText, MAX_CELL_BYTES, makeRoom, writeInteger } from "./digits.ts";
import { ColumnsGuard, type Table } from "./table.ts";
import { TableFile } from "./tableFile.ts";

/** What sets one text format apart from another; a row is its cells, each after its column's prefix, and a row end. */
export interface TextDialect {
  /** What stands before the rows. */
  readonly head: (columnNames: readonly string[]) => string;
  readonly cellPrefix: (columnName: string, index: number) => string;
  readonly rowEnd: string;
  /** Stands for "not applicable". */
  readonly missing: string;
  /** A name or a text as a cell. */
  readonly quote: (text: string) => string;
  /** Before and after an instant. */
  readonly instantQuote: string;
  readonly writeThousandths: (room: ByteRoom, at: number, value: number) => number;
}

/** Small enough to stay in the processor's cache from being filled to being hashed and written. */
const CHUNK_BYTES = 1 << 16;
const KINDS = ["instant", "name", "thousandths", "integer", "text"] as const satisfies Column["kind"][];
const [INSTANT, NAME, THOUSANDTHS, INTEGER] = KINDS.map((_, index) => index);
const NO_NUMBERS = new Float64Array(0);
const NO_CODES = new Int32Array(0);

/** One column as the row loop wants it: all columns have one shape, so that the loop stays fast. */
interface Encoder {
  readonly prefix: Uint8Array;
  /** The prefix where it is a single byte, as CSV's comma is; else -1. */
  readonly lead: number;
  kind: number;
  numbers: Float64Array;
  codes: Int32Array;
  texts: readonly (string | null)[];
  /** The names as cells, one after another; name k ends where name k + 1 begins. */
  names: readonly string[];
  nameBytes: Uint8Array;
  nameStarts: Int32Array;
  longestName: number;
  readonly instant: InstantText;
}

/** A table written as text, straight into bytes. */
export class TextTable implements Table {
  readonly #file: TableFile;
  readonly #dialect: TextDialect;
  readonly #guard = new ColumnsGuard();
  readonly #rowEnd: Uint8Array;
  readonly #missing: Uint8Array;
  #encoders: Encoder[] = [];
  #room: ByteRoom;
  #at = 0;

  constructor(path: string, dialect: TextDialect, chunkBytes = CHUNK_BYTES) {
    this.#file = new TableFile(path);
    this.#dialect = dialect;
    this.#rowEnd = Buffer.from(dialect.rowEnd);
    this.#missing = Buffer.from(dialect.missing);
    this.#room = makeRoom(chunkBytes);
  }

  write(block: Block): void {
    const { columns, rowCount } = block;
    if (this.#guard.isFirst(block)) {
      const { cellPrefix, instantQuote } = this.#dialect;
      this.#encoders = columns.map(({ name }, k) => newEncoder(Buffer.from(cellPrefix(name, k)), instantQuote));
      this.#writeText(this.#dialect.head(columns.map(({ name }) => name)));
    }
    columns.forEach((column, k) => this.#load(this.#encoders[k], column));
    const rowBytes = this.#mostRowBytes();
    if (this.#room.bytes.length < 4 * rowBytes) {
      this.#flush();
      this.#room = makeRoom(4 * rowBytes);
    }
    for (let row = 0; row < rowCount; row++) {
      if (this.#room.bytes.length < this.#at + rowBytes) this.#flush();
      this.#writeRow(row, rowBytes);
    }
  }

  close(): void {
    this.#guard.assertNamed(this.#file.path);
    this.#flush();
    this.#file.close();
  }

  get digests(): readonly (readonly [string, string])[] {
    return [[basename(this.#file.path), this.#file.digest]];
  }

  abort(): void {
    this.#file.abort();
  }

  /** Room for a row has been made but for its texts, each of which makes its own and leaves that for the rest. */
  #writeRow(row: number, rowBytes: number): void {
    const encoders = this.#encoders;
    const room = this.#room;
    const { bytes } = room;
    const { writeThousandths } = this.#dialect;
    const missing = this.#missing.length;
    let at = this.#at;
    for (let c = 0; c < encoders.length; c++) {
      const encoder = encoders[c];
      const { kind, lead } = encoder;
      if (lead >= 0) bytes[at++] = lead;
      else at = this.#writeBytes(encoder.prefix, at);
      if (kind === THOUSANDTHS) {
        const value = encoder.numbers[row];
        if (!Number.isNaN(value)) at = writeThousandths(room, at, value);
        else if (missing > 0) at = this.#writeBytes(this.#missing, at);
      } else if (kind === INSTANT) at = this.#writeInstant(encoder, encoder.numbers[row], at);
      else if (kind === NAME) at = this.#writeName(encoder, encoder.codes[row], at);
      else if (kind === INTEGER) {
        const value = encoder.numbers[row];
        at = Number.isNaN(value) ? this.#writeBytes(this.#missing, at) : writeInteger(room, at, value);
      } else {
        const text = encoder.texts[row];
        if (text === null) at = this.#writeBytes(this.#missing, at);
        else {
          this.#at = at;
          this.#writeText(this.#dialect.quote(text), rowBytes);
          at = this.#at;
        }
      }
    }
    for (let k = 0; k < this.#rowEnd.length; k++) bytes[at++] = this.#rowEnd[k];
    this.#at = at;
  }

  #writeInstant({ instant }: Encoder, atMs: number, at: number): number {
    instant.set(atMs);
    const bytes = this.#room.bytes;
    const { bytes: text, length } = instant;
    for (let k = 0; k < length; k++) bytes[at + k] = text[k];
    return at + length;
  }

  #writeName(encoder: Encoder, code: number, at: number): number {
    if (code === -1) return this.#writeBytes(this.#missing, at);
    const { nameBytes, nameStarts } = encoder;
    assert(
      code >= 0 && code + 1 < nameStarts.length,
      () => `name ${code} is one of the column's ${nameStarts.length - 1}`,
    );
    const bytes = this.#room.bytes;
    const end = nameStarts[code + 1];
    for (let k = nameStarts[code]; k < end; k++) bytes[at++] = nameBytes[k];
    return at;
  }

  #writeBytes(written: Uint8Array, at: number): number {
    const { bytes } = this.#room;
    for (let k = 0; k < written.length; k++) bytes[at + k] = written[k];
    return at + written.length;
  }

  #writeText(text: string, roomAfter = 0): void {
    const mostBytes = 3 * text.length;
    if (this.#room.bytes.length < this.#at + mostBytes + roomAfter) this.#flush();
    if (this.#room.bytes.length < mostBytes + roomAfter) this.#file.write(Buffer.from(text));
    else this.#at += this.#room.bytes.write(text, this.#at, "utf8");
  }

  #flush(): void {
    this.#file.write(this.#room.bytes.subarray(0, this.#at));
    this.#at = 0;
  }

  #load(encoder: Encoder, column: Column): void {
    encoder.kind = KINDS.indexOf(column.kind);
    if (column.kind === "text") encoder.texts = column.values;
    else if (column.kind === "name") {
      encoder.codes = column.values;
      this.#loadNames(encoder, column.names);
    } else encoder.numbers = column.values;
  }

  #loadNames(encoder: Encoder, names: readonly string[]): void {
    if (names === encoder.names && names.length + 1 === encoder.nameStarts.length) return;
    const cells = names.map((name) => Buffer.from(this.#dialect.quote(name)));
    encoder.names = names;
    encoder.nameBytes = Buffer.concat(cells);
    encoder.nameStarts = new Int32Array(names.length + 1);
    cells.forEach((cell, k) => (encoder.nameStarts[k + 1] = encoder.nameStarts[k] + cell.length));
    encoder.longestName = cells.reduce((longest, cell) => Math.max(longest, cell.length), 0);
  }

  /** Of everything but texts. */
  #mostRowBytes(): number {
    const cellBytes = this.#encoders.map(
      ({ prefix, longestName }) => prefix.length + Math.max(longestName, this.#missing.length, MAX_CELL_BYTES),
    );
    return cellBytes.reduce((sum, count) => sum + count, this.#rowEnd.length);
  }
}

function newEncoder(prefix: Uint8Array, instantQuote: string): Encoder {
  return {
    prefix,
    lead: prefix.length === 1 ? prefix[0] : -1,
    kind: 0,
    numbers: NO_NUMBERS,
    codes: NO_CODES,
    texts: [],
    names: [],
    nameBytes: new Uint8Array(0),
    nameStarts: new Int32Array(1),
    longestName: 0,
    instant: new InstantText(instantQuote),
  };
}
