import { utf8Text } from "../../../base/bytes.ts";
import { POWERS_OF_TEN } from "../../../base/rounding.ts";

const COMMA = 44;
const QUOTE = 34;
const LF = 10;
const CR = 13;
const ZERO = 48;

const MAX_EXACT_DIGITS = 15;
const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads the fields of CSV bytes (RFC 4180; lines end in LF, CRLF or CR). After a field, `at` is at its terminator: a
 * comma, a line end or the end of the file.
 */
export class CsvFieldReader {
  bytes: Uint8Array;
  position: number;
  /** Line of the file at `at`, from 1. */
  line = 1;
  /** Set when a quoted field is malformed; the rest of the file is then unreadable. */
  quoteError: string | null = null;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    this.position = hasByteOrderMark ? 3 : 0;
  }

  /** Continues with the bytes that follow in the file. */
  load(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.position = 0;
  }

  get isAtEnd(): boolean {
    return this.bytes.length <= this.position;
  }

  /** Advances to the next field of the row; false at the end of the row, whose line end it consumes. */
  nextField(): boolean {
    if (this.bytes[this.position] === COMMA) {
      this.position++;
      return true;
    }
    this.consumeLineEnd();
    return false;
  }

  skipBlankLines(): void {
    while (!this.isAtEnd && (this.bytes[this.position] === LF || this.bytes[this.position] === CR))
      this.consumeLineEnd();
  }

  skipField(): void {
    if (this.bytes[this.position] === QUOTE) this.readQuoted();
    else this.position = this.unquotedEndFrom(this.position);
  }

  readText(): string {
    if (this.bytes[this.position] === QUOTE) return this.readQuoted();
    const start = this.position;
    this.position = this.unquotedEndFrom(start);
    return utf8Text(this.bytes.subarray(start, this.position)).trim();
  }

  /** Position after the last byte of the field at `at`, when it is a plain one. */
  findUnquotedEnd(): number {
    return this.unquotedEndFrom(this.position);
  }

  /** Whether a plain field ends at a position. */
  endsAt(position: number): boolean {
    const byte = this.bytes[position];
    return byte === COMMA || byte === LF || byte === CR || byte === undefined;
  }

  /**
   * A decimal number, NaN for an empty field, and `Infinity` for anything else, with `at` left at the field's start.
   *
   * Digits are gathered in one pass; signs of an unusual number (exponent, blanks, quotes, many digits) send it to
   * the slow path, which reads the same numbers as `Number()` does.
   */
  readNumber(): number {
    const { bytes, position: start } = this;
    let at = start;
    const negative = bytes[at] === 45;
    if (negative) at++;
    const firstDigit = at;
    let digits = 0;
    let whole = 0;
    let byte = bytes[at];
    for (; byte >= ZERO && byte <= 57; byte = bytes[++at]) whole = 10 * whole + (byte - ZERO);
    digits = at - firstDigit;
    let decimals = 0;
    if (byte === 46) {
      const point = at;
      for (byte = bytes[++at]; byte >= ZERO && byte <= 57; byte = bytes[++at]) whole = 10 * whole + (byte - ZERO);
      decimals = at - point - 1;
      digits += decimals;
    }
    const ended = byte === COMMA || byte === LF || byte === CR || byte === undefined;
    if (!ended || digits === 0 || digits > MAX_EXACT_DIGITS) return this.readUnusualNumber();
    this.position = at;
    const size = decimals === 0 ? whole : whole / POWERS_OF_TEN[decimals];
    return negative && size !== 0 ? -size : size;
  }

  private readUnusualNumber(): number {
    const { position, line } = this;
    const text = this.readText().trim();
    if (text === "") return Number.NaN;
    const value = NUMBER.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (Number.isFinite(value)) return value + 0;
    this.position = position;
    this.line = line;
    return Number.POSITIVE_INFINITY;
  }

  private unquotedEndFrom(at: number): number {
    const { bytes } = this;
    const end = bytes.length;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte === COMMA || byte === LF || byte === CR) break;
    }
    return at;
  }

  private readQuoted(): string {
    const { bytes } = this;
    const parts: string[] = [];
    let start = this.position + 1;
    for (;;) {
      const quote = bytes.indexOf(QUOTE, start);
      if (quote < 0) {
        this.quoteError = "a quoted field without an end";
        this.position = bytes.length;
        return parts.join("");
      }
      parts.push(utf8Text(bytes.subarray(start, quote)));
      start = quote + 1;
      if (bytes[start] !== QUOTE) break;
      parts.push('"');
      start++;
    }
    const text = parts.join("");
    this.line += lineEndsIn(text);
    this.position = this.unquotedEndFrom(start);
    if (this.position !== start) this.quoteError = "text between a closing quote and the next comma";
    return text;
  }

  private consumeLineEnd(): void {
    if (this.isAtEnd) return;
    if (this.bytes[this.position] === CR && this.bytes[this.position + 1] === LF) this.position++;
    this.position++;
    this.line++;
  }
}

const lineEndsIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;
