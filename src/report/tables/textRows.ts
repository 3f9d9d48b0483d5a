import type { TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";
import { utf8Bytes, writeUtf8 } from "../../base/bytes.ts";
import {
  type ByteBuffer,
  CELL_BYTES_MAX,
  copyBytes,
  copyPacked,
  createByteBuffer,
  InstantEncoder,
  PADDING_BYTES_MAX,
  type PackedText,
  packText,
  writeInteger,
} from "./numberEncoding.ts";
import { ColumnCheck } from "./tableFile.ts";
import { type instantParts, instantText, type OffsetAt, type ShownColumn, showInstants } from "./tableLayout.ts";

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

/** How the instants of a format are written. */
interface InstantDialect {
  readonly parts: ReturnType<typeof instantParts>;
  readonly offsetAt: OffsetAt;
}

/** Fits in the processor cache, so that filling, hashing and writing read no main memory. */
const CHUNK_BYTES = 1 << 16;
const KINDS = ["instant", "name", "thousandths", "integer", "text"] as const satisfies TableColumn["kind"][];
const [INSTANT, NAME, THOUSANDTHS, INTEGER] = KINDS.map((_, index) => index);
const NO_NUMBERS = new Float64Array(0);
const NO_CODES = new Int32Array(0);

/** Encoding state of one column. All kinds share one hidden class, so that the row loop is monomorphic. */
interface ColumnEncoder {
  readonly prefixText: string;
  readonly prefix: PackedText;
  /** A missing cell with its prefix. */
  readonly missing: PackedText;
  kind: number;
  numbers: Float64Array;
  codes: Int32Array;
  texts: readonly (string | null)[];
  names: readonly string[];
  /** The cells of all names with their prefixes. */
  nameCells: readonly PackedText[];
  nameMaxBytes: number;
  /** Whether an instant may be missing. */
  isOptional: boolean;
  readonly instant: { encode(atMs: number): PackedText };
  /** Index after the last of the columns of thousandths from here on. */
  runEnd: number;
  /** Where the buffer has their cells of the row above; -1: it has them no more. */
  runStartsAt: number;
  runEndsAt: number;
}

/** Where pieces of a block are. */
interface RowPieces {
  /** First row of each piece, and the number of rows. */
  readonly rows: Uint32Array;
  /** Receives where each piece starts, and where the last one ends, in bytes from the end of the block before. */
  readonly starts: Uint32Array;
}

const NO_PIECES: RowPieces = { rows: new Uint32Array(0), starts: new Uint32Array(0) };

/** Takes bytes in order; they are valid until it returns. */
export type TakeBytes = (bytes: Uint8Array) => void;

/** The rows of a table in a text format, encoded directly into bytes. The first block defines the columns and has the header before it. */
export class TextRows {
  private readonly take: TakeBytes;
  private readonly dialect: TextDialect;
  private readonly instants: InstantDialect;
  private readonly columnCheck = new ColumnCheck();
  private readonly rowEnd: PackedText;
  private encoders: ColumnEncoder[] = [];
  /** By row: whether one of the thousandths is not that of the row above. */
  private differsFromAbove = new Uint8Array(0);
  private buffer: ByteBuffer;
  private position = 0;
  /** Bytes that have been taken. */
  private takenBytes = 0;

  constructor(take: TakeBytes, dialect: TextDialect, instants: InstantDialect, chunkBytes = CHUNK_BYTES) {
    this.take = take;
    this.dialect = dialect;
    this.instants = instants;
    this.rowEnd = packText(dialect.rowEnd);
    this.buffer = createByteBuffer(chunkBytes);
  }

  /** @param pieces  of the rows */
  write(given: TableBlock, pieces: RowPieces = NO_PIECES): void {
    const blockStart = this.takenBytes + this.position;
    const block = showInstants(given, this.instants.parts);
    const { columns, rowCount } = block;
    if (this.columnCheck.acceptBlock(block)) {
      this.encoders = columns.map((column, k) => newEncoder(this.dialect, column, k, this.instants.offsetAt));
      this.writeText(this.dialect.renderHeader(columns.map(({ name }) => name)));
    }
    columns.forEach((column, k) => this.loadColumn(this.encoders[k], column));
    this.findRuns();
    this.compareRows(block);
    const rowBytes = this.rowMaxBytes();
    if (this.buffer.bytes.length < 4 * rowBytes) {
      this.flush();
      this.buffer = createByteBuffer(4 * rowBytes);
    }
    const { rows, starts } = pieces;
    let piece = 0;
    for (let row = 0; row < rowCount; row++) {
      if (this.buffer.bytes.length < this.position + rowBytes) this.flush();
      if (row === rows[piece]) starts[piece++] = this.takenBytes + this.position - blockStart;
      this.writeRow(row, rowBytes);
    }
    if (piece < starts.length) starts[piece] = this.takenBytes + this.position - blockStart;
  }

  /** Writes rows that are encoded already, after the header if they are the first ones. */
  writeEncoded(bytes: Uint8Array): void {
    if (this.buffer.bytes.length < this.position + bytes.length) this.flush();
    if (this.buffer.bytes.length < bytes.length) return this.takeBytes(bytes);
    this.buffer.bytes.set(bytes, this.position);
    this.position += bytes.length;
  }

  /** @param rowBytes free in the buffer; each text reserves its own length plus `rowBytes` for the rest of the row */
  private writeRow(row: number, rowBytes: number): void {
    const encoders = this.encoders;
    const buffer = this.buffer;
    const { view } = buffer;
    let at = this.position;
    for (let c = 0; c < encoders.length; c++) {
      const encoder = encoders[c];
      const { kind } = encoder;
      if (kind === THOUSANDTHS) {
        const start = at;
        if (encoder.runStartsAt >= 0 && this.differsFromAbove[row] === 0)
          at = copyBytes(view, encoder.runStartsAt, encoder.runEndsAt, at);
        else at = this.writeThousandths(row, c, at);
        encoder.runStartsAt = start;
        encoder.runEndsAt = at;
        c = encoder.runEnd - 1;
      } else if (kind === INSTANT) {
        const atMs = encoder.numbers[row];
        const isMissing = encoder.isOptional && Number.isNaN(atMs);
        at = copyPacked(isMissing ? encoder.missing : encoder.instant.encode(atMs), view, at);
      } else if (kind === NAME) at = copyPacked(nameCell(encoder, encoder.codes[row]), view, at);
      else if (kind === INTEGER) {
        const value = encoder.numbers[row];
        at = Number.isNaN(value)
          ? copyPacked(encoder.missing, view, at)
          : writeInteger(buffer, copyPacked(encoder.prefix, view, at), value);
      } else {
        const text = encoder.texts[row];
        if (text === null) at = copyPacked(encoder.missing, view, at);
        else {
          this.position = copyPacked(encoder.prefix, view, at);
          this.writeText(this.dialect.quoteText(text), rowBytes);
          at = this.position;
        }
      }
    }
    this.position = copyPacked(this.rowEnd, view, at);
  }

  /** Writes the cells of consecutive columns. */
  private writeThousandths(row: number, first: number, at: number): number {
    const encoders = this.encoders;
    const buffer = this.buffer;
    const { writeThousandths } = this.dialect;
    const end = encoders[first].runEnd;
    for (let c = first; c < end; c++) {
      const { numbers, prefix, missing } = encoders[c];
      const value = numbers[row];
      if (Number.isNaN(value)) at = copyPacked(missing, buffer.view, at);
      else at = writeThousandths(buffer, copyPacked(prefix, buffer.view, at), value);
    }
    return at;
  }

  private writeText(text: string, reservedBytes = 0): void {
    const bytesMax = 3 * text.length;
    if (this.buffer.bytes.length < this.position + bytesMax + reservedBytes) this.flush();
    if (this.buffer.bytes.length < bytesMax + reservedBytes) this.takeBytes(utf8Bytes(text));
    else this.position += writeUtf8(this.buffer.bytes, this.position, text);
  }

  /** Passes on all bytes so far. */
  flush(): void {
    for (const encoder of this.encoders) encoder.runStartsAt = -1;
    this.takeBytes(this.buffer.bytes.subarray(0, this.position));
    this.position = 0;
  }

  private takeBytes(bytes: Uint8Array): void {
    this.takenBytes += bytes.length;
    this.take(bytes);
  }

  private loadColumn(encoder: ColumnEncoder, column: TableColumn): void {
    encoder.kind = KINDS.indexOf(column.kind);
    encoder.isOptional = column.kind === "instant" && column.optional === true;
    if (column.kind === "text") encoder.texts = column.values;
    else if (column.kind === "name") {
      encoder.codes = column.values;
      this.loadNames(encoder, column.names);
    } else encoder.numbers = column.values;
  }

  private findRuns(): void {
    const encoders = this.encoders;
    for (let c = encoders.length - 1; c >= 0; c--) {
      const hasNext = c + 1 < encoders.length && encoders[c + 1].kind === THOUSANDTHS;
      encoders[c].runEnd = hasNext ? encoders[c + 1].runEnd : c + 1;
      encoders[c].runStartsAt = -1;
    }
  }

  /** Sites with equal settings have equal records, one below the other. Comparing them column by column takes little time. */
  private compareRows({ columns, rowCount }: TableBlock): void {
    if (this.differsFromAbove.length < rowCount) this.differsFromAbove = new Uint8Array(rowCount);
    this.differsFromAbove.fill(0);
    for (const { kind, values } of columns)
      if (kind === "thousandths") markDifferences(values, rowCount, this.differsFromAbove);
  }

  private loadNames(encoder: ColumnEncoder, names: readonly string[]): void {
    if (names === encoder.names && names.length === encoder.nameCells.length) return;
    encoder.names = names;
    encoder.nameCells = names.map((name) => packText(encoder.prefixText + this.dialect.quoteText(name)));
    encoder.nameMaxBytes = encoder.nameCells.reduce((longest, { length }) => Math.max(longest, length), 0);
  }

  /** Maximum length of a row without its texts, and of what is written behind it. */
  private rowMaxBytes(): number {
    const cellBytes = this.encoders.map(({ prefix, missing, nameMaxBytes }) =>
      Math.max(nameMaxBytes, missing.length, prefix.length + CELL_BYTES_MAX),
    );
    return cellBytes.reduce((sum, count) => sum + count, this.rowEnd.length + PADDING_BYTES_MAX);
  }
}

function nameCell({ nameCells, missing }: ColumnEncoder, code: number): PackedText {
  if (code === -1) return missing;
  assert(code >= 0 && code < nameCells.length, () => `name ${code} is one of the column's ${nameCells.length}`);
  return nameCells[code];
}

function newEncoder(
  { cellPrefix, missingText, instantQuote }: TextDialect,
  { name, shows = "utc" }: ShownColumn,
  index: number,
  offsetAt: OffsetAt,
): ColumnEncoder {
  const prefixText = cellPrefix(name, index);
  return {
    prefixText,
    prefix: packText(prefixText),
    missing: packText(prefixText + missingText),
    kind: 0,
    numbers: NO_NUMBERS,
    codes: NO_CODES,
    texts: [],
    names: [],
    nameCells: [],
    nameMaxBytes: 0,
    isOptional: false,
    runEnd: 0,
    runStartsAt: -1,
    runEndsAt: -1,
    instant:
      shows === "utc"
        ? new InstantEncoder(prefixText, instantQuote)
        : new TextEncoder((atMs) => prefixText + instantQuote + instantText(atMs, shows, offsetAt) + instantQuote),
  };
}

/** Cells of instants in local time. Consecutive rows share an instant. */
class TextEncoder {
  private readonly textOf: (atMs: number) => string;
  private atMs = Number.NaN;
  private cell: PackedText = packText("");

  constructor(textOf: (atMs: number) => string) {
    this.textOf = textOf;
  }

  encode(atMs: number): PackedText {
    if (atMs !== this.atMs) this.cell = packText(this.textOf(atMs));
    this.atMs = atMs;
    return this.cell;
  }
}

function markDifferences(values: Float64Array, rowCount: number, differs: Uint8Array): void {
  let above = Number.NaN;
  for (let row = 0; row < rowCount; row++) {
    const value = values[row];
    if (value !== above && !(Number.isNaN(value) && Number.isNaN(above))) differs[row] = 1;
    above = value;
  }
}
