const COMMA = 44;
const QUOTE = 34;
const LF = 10;
const CR = 13;
const ZERO = 48;

/** Powers of ten that a double holds exactly; a whole number below 2^53 divided by one is rounded once, so correctly. */
const POWERS_OF_TEN = Array.from({ length: 16 }, (_, k) => 10 ** k);
const MAX_EXACT_DIGITS = 15;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Walks through the fields of CSV bytes (RFC 4180; lines end in LF, CRLF or CR).
 *
 * After a field has been read, `at` stands on what ended it: a comma, a line end or the end of the file.
 */
export class CsvFields {
  readonly bytes: Buffer;
  at: number;
  /** Line of the file at which `at` stands, from 1. */
  line = 1;
  /** Set when a quoted field does not end as it should; the rest of the file makes no sense then. */
  brokenQuote: string | null = null;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    this.at = hasByteOrderMark ? 3 : 0;
  }

  get atEnd(): boolean {
    return this.bytes.length <= this.at;
  }

  /** Goes on to the next field of the row; false at the end of the row, whose line end it takes. */
  nextField(): boolean {
    if (this.bytes[this.at] === COMMA) {
      this.at++;
      return true;
    }
    this.#takeLineEnd();
    return false;
  }

  skipBlankLines(): void {
    while (!this.atEnd && (this.bytes[this.at] === LF || this.bytes[this.at] === CR)) this.#takeLineEnd();
  }

  skipRow(): void {
    do this.skip();
    while (this.nextField());
  }

  skip(): void {
    if (this.bytes[this.at] === QUOTE) this.#quoted();
    else this.at = this.#plainEnd(this.at);
  }

  text(): string {
    if (this.bytes[this.at] === QUOTE) return this.#quoted();
    const start = this.at;
    this.at = this.#plainEnd(start);
    return this.bytes.toString("utf8", start, this.at).trim();
  }

  /** Position after the last byte of the field at `at`, when it is a plain one. */
  plainEnd(): number {
    return this.#plainEnd(this.at);
  }

  /**
   * A decimal number, NaN for an empty field, and `Infinity` for anything else, with `at` left at the field's start.
   *
   * Digits are gathered in one pass; signs of an unusual number (exponent, blanks, quotes, many digits) send it to
   * the slow path, which reads the same numbers as `Number()` does.
   */
  number(): number {
    const { bytes, at: start } = this;
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
    if (!ended || digits === 0 || digits > MAX_EXACT_DIGITS) return this.#unusualNumber();
    this.at = at;
    const size = decimals === 0 ? whole : whole / POWERS_OF_TEN[decimals];
    return negative && size !== 0 ? -size : size;
  }

  #unusualNumber(): number {
    const { at, line } = this;
    const text = this.text().trim();
    if (text === "") return Number.NaN;
    const value = NUMBER.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (Number.isFinite(value)) return value + 0;
    this.at = at;
    this.line = line;
    return Number.POSITIVE_INFINITY;
  }

  #plainEnd(at: number): number {
    const { bytes } = this;
    const end = bytes.length;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte === COMMA || byte === LF || byte === CR) break;
    }
    return at;
  }

  #quoted(): string {
    const { bytes } = this;
    const parts: string[] = [];
    let start = this.at + 1;
    for (;;) {
      const quote = bytes.indexOf(QUOTE, start);
      if (quote < 0) {
        this.brokenQuote = "a quoted field without an end";
        this.at = bytes.length;
        return parts.join("");
      }
      parts.push(bytes.toString("utf8", start, quote));
      start = quote + 1;
      if (bytes[start] !== QUOTE) break;
      parts.push('"');
      start++;
    }
    const text = parts.join("");
    this.line += lineEndsIn(text);
    this.at = this.#plainEnd(start);
    if (this.at !== start) this.brokenQuote = "text between a closing quote and the next comma";
    return text;
  }

  #takeLineEnd(): void {
    if (this.atEnd) return;
    if (this.bytes[this.at] === CR && this.bytes[this.at + 1] === LF) this.at++;
    this.at++;
    this.line++;
  }
}

const lineEndsIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;
