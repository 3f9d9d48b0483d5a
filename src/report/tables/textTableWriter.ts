import { basename } from "node:path";
import type { TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";
import { type ByteBuffer, CELL_BYTES_MAX, createByteBuffer, InstantEncoder, writeInteger } from "./numberEncoding.ts";
import { TableFile } from "./tableFile.ts";
import { ColumnCheck, type TableWriter } from "./tableWriter.ts";

/** A text format. A row is its cells, each after the prefix of its column, followed by the row end. */
export interface TextDialect {
  /** Text before the rows. */
  readonly renderHeader: (columnNames: readonly string[]) => string;
  readonly cellPrefix: (columnName: string, index: number) => string;
  readonly rowEnd: string;
  /** Cell for "not applicable". */
  readonly missingText: string;
  /** The cell of a name or a text. */
  readonly quoteText: (text: string) => string;
  /** Before and after an instant. */
  readonly instantQuote: string;
  readonly writeThousandths: (buffer: ByteBuffer, at: number, value: number) => number;
}

/** Fits in the processor cache, so that filling, hashing and writing read no main memory. */
const CHUNK_BYTES = 1 << 16;
const KINDS = ["instant", "name", "thousandths", "integer", "text"] as const satisfies TableColumn["kind"][];
const [INSTANT, NAME, THOUSANDTHS, INTEGER] = KINDS.map((_, index) => index);
const NO_NUMBERS = new Float64Array(0);
const NO_CODES = new Int32Array(0);

/** Encoding state of one column. All kinds share one hidden class, so that the row loop is monomorphic. */
interface ColumnEncoder {
  readonly prefix: Uint8Array;
  /** The prefix if it is a single byte, such as the comma of CSV; otherwise -1. */
  readonly prefixByte: number;
  kind: number;
  numbers: Float64Array;
  codes: Int32Array;
  texts: readonly (string | null)[];
  /** `nameBytes` has the cells of all names; cell k ends at `nameStarts[k + 1]`. */
  names: readonly string[];
  nameBytes: Uint8Array;
  nameStarts: Int32Array;
  nameMaxBytes: number;
  /** Whether an instant may be missing. */
  isOptional: boolean;
  readonly instant: InstantEncoder;
}

/** A table in a text format, encoded directly into bytes. */
export class TextTableWriter implements TableWriter {
  readonly #file: TableFile;
  readonly #dialect: TextDialect;
  readonly #columnCheck = new ColumnCheck();
  readonly #rowEnd: Uint8Array;
  readonly #missing: Uint8Array;
  #encoders: ColumnEncoder[] = [];
  #buffer: ByteBuffer;
  #position = 0;

  constructor(path: string, dialect: TextDialect, chunkBytes = CHUNK_BYTES) {
    this.#file = new TableFile(path);
    this.#dialect = dialect;
    this.#rowEnd = Buffer.from(dialect.rowEnd);
    this.#missing = Buffer.from(dialect.missingText);
    this.#buffer = createByteBuffer(chunkBytes);
  }

  write(block: TableBlock): void {
    const { columns, rowCount } = block;
    if (this.#columnCheck.acceptBlock(block)) {
      const { cellPrefix, instantQuote } = this.#dialect;
      this.#encoders = columns.map(({ name }, k) => newEncoder(Buffer.from(cellPrefix(name, k)), instantQuote));
      this.#writeText(this.#dialect.renderHeader(columns.map(({ name }) => name)));
    }
    columns.forEach((column, k) => this.#loadColumn(this.#encoders[k], column));
    const rowBytes = this.#rowMaxBytes();
    if (this.#buffer.bytes.length < 4 * rowBytes) {
      this.#flush();
      this.#buffer = createByteBuffer(4 * rowBytes);
    }
    for (let row = 0; row < rowCount; row++) {
      if (this.#buffer.bytes.length < this.#position + rowBytes) this.#flush();
      this.#writeRow(row, rowBytes);
    }
  }

  close(): void {
    this.#columnCheck.assertHasColumns(this.#file.path);
    this.#flush();
    this.#file.close();
  }

  get digests(): readonly (readonly [string, string])[] {
    return [[basename(this.#file.path), this.#file.digest]];
  }

  abort(): void {
    this.#file.abort();
  }

  /** @param rowBytes free in the buffer; each text reserves its own length plus `rowBytes` for the rest of the row */
  #writeRow(row: number, rowBytes: number): void {
    const encoders = this.#encoders;
    const buffer = this.#buffer;
    const { bytes } = buffer;
    const { writeThousandths } = this.#dialect;
    const missing = this.#missing.length;
    let at = this.#position;
    for (let c = 0; c < encoders.length; c++) {
      const encoder = encoders[c];
      const { kind, prefixByte } = encoder;
      if (prefixByte >= 0) bytes[at++] = prefixByte;
      else at = this.#writeBytes(encoder.prefix, at);
      if (kind === THOUSANDTHS) {
        const value = encoder.numbers[row];
        if (!Number.isNaN(value)) at = writeThousandths(buffer, at, value);
        else if (missing > 0) at = this.#writeBytes(this.#missing, at);
      } else if (kind === INSTANT) at = this.#writeInstant(encoder, encoder.numbers[row], at);
      else if (kind === NAME) at = this.#writeName(encoder, encoder.codes[row], at);
      else if (kind === INTEGER) {
        const value = encoder.numbers[row];
        at = Number.isNaN(value) ? this.#writeBytes(this.#missing, at) : writeInteger(buffer, at, value);
      } else {
        const text = encoder.texts[row];
        if (text === null) at = this.#writeBytes(this.#missing, at);
        else {
          this.#position = at;
          this.#writeText(this.#dialect.quoteText(text), rowBytes);
          at = this.#position;
        }
      }
    }
    for (let k = 0; k < this.#rowEnd.length; k++) bytes[at++] = this.#rowEnd[k];
    this.#position = at;
  }

  #writeInstant({ instant, isOptional }: ColumnEncoder, atMs: number, at: number): number {
    if (isOptional && Number.isNaN(atMs)) return this.#writeBytes(this.#missing, at);
    instant.encode(atMs);
    const bytes = this.#buffer.bytes;
    const { bytes: text, length } = instant;
    for (let k = 0; k < length; k++) bytes[at + k] = text[k];
    return at + length;
  }

  #writeName(encoder: ColumnEncoder, code: number, at: number): number {
    if (code === -1) return this.#writeBytes(this.#missing, at);
    const { nameBytes, nameStarts } = encoder;
    assert(
      code >= 0 && code + 1 < nameStarts.length,
      () => `name ${code} is one of the column's ${nameStarts.length - 1}`,
    );
    const bytes = this.#buffer.bytes;
    const end = nameStarts[code + 1];
    for (let k = nameStarts[code]; k < end; k++) bytes[at++] = nameBytes[k];
    return at;
  }

  #writeBytes(source: Uint8Array, at: number): number {
    const { bytes } = this.#buffer;
    for (let k = 0; k < source.length; k++) bytes[at + k] = source[k];
    return at + source.length;
  }

  #writeText(text: string, reservedBytes = 0): void {
    const bytesMax = 3 * text.length;
    if (this.#buffer.bytes.length < this.#position + bytesMax + reservedBytes) this.#flush();
    if (this.#buffer.bytes.length < bytesMax + reservedBytes) this.#file.write(Buffer.from(text));
    else this.#position += this.#buffer.bytes.write(text, this.#position, "utf8");
  }

  #flush(): void {
    this.#file.write(this.#buffer.bytes.subarray(0, this.#position));
    this.#position = 0;
  }

  #loadColumn(encoder: ColumnEncoder, column: TableColumn): void {
    encoder.kind = KINDS.indexOf(column.kind);
    encoder.isOptional = column.kind === "instant" && column.optional === true;
    if (column.kind === "text") encoder.texts = column.values;
    else if (column.kind === "name") {
      encoder.codes = column.values;
      this.#loadNames(encoder, column.names);
    } else encoder.numbers = column.values;
  }

  #loadNames(encoder: ColumnEncoder, names: readonly string[]): void {
    if (names === encoder.names && names.length + 1 === encoder.nameStarts.length) return;
    const cells = names.map((name) => Buffer.from(this.#dialect.quoteText(name)));
    encoder.names = names;
    encoder.nameBytes = Buffer.concat(cells);
    encoder.nameStarts = new Int32Array(names.length + 1);
    cells.forEach((cell, k) => (encoder.nameStarts[k + 1] = encoder.nameStarts[k] + cell.length));
    encoder.nameMaxBytes = cells.reduce((longest, cell) => Math.max(longest, cell.length), 0);
  }

  /** Maximum length of a row without its texts. */
  #rowMaxBytes(): number {
    const cellBytes = this.#encoders.map(
      ({ prefix, nameMaxBytes }) => prefix.length + Math.max(nameMaxBytes, this.#missing.length, CELL_BYTES_MAX),
    );
    return cellBytes.reduce((sum, count) => sum + count, this.#rowEnd.length);
  }
}

function newEncoder(prefix: Uint8Array, instantQuote: string): ColumnEncoder {
  return {
    prefix,
    prefixByte: prefix.length === 1 ? prefix[0] : -1,
    kind: 0,
    numbers: NO_NUMBERS,
    codes: NO_CODES,
    texts: [],
    names: [],
    nameBytes: new Uint8Array(0),
    nameStarts: new Int32Array(1),
    nameMaxBytes: 0,
    isOptional: false,
    instant: new InstantEncoder(instantQuote),
  };
}
