import { assert } from "../../base/assert.ts";
import { utf8Bytes, writeUtf8 } from "../../base/bytes.ts";
import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_SECOND } from "../../base/time.ts";

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** Four bytes each: `.000` to `.999`, `000` to `999`, and 0 to 999 without leading zeros (`LENGTHS` has their lengths). */
const PACKED_DECIMALS = packDigits((n) => `.${String(n).padStart(3, "0")}`);
const PACKED_TRIPLES = packDigits((n) => String(n).padStart(3, "0"));
const PACKED_WHOLES = packDigits(String);
const ZERO_POINT = fourBytes("0.00");
const LENGTHS = Uint8Array.from({ length: 1000 }, (_, n) => String(n).length);

/** Two views of one buffer: bytes, and 32-bit numbers. Writers may overwrite up to three bytes after a cell. */
export interface ByteBuffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export function createByteBuffer(length: number): ByteBuffer {
  const bytes = new Uint8Array(length);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, length) };
}

/** Maximum length of a number or an instant: sign, 16 digits and point, or an instant in quotes. */
export const CELL_BYTES_MAX = 32;

/** Writes an integer. @returns the position after it */
export function writeInteger(buffer: ByteBuffer, at: number, value: number): number {
  if ((value | 0) !== value) return writeLarge(buffer, at, value, 0);
  if (value < 0) buffer.bytes[at++] = MINUS;
  return writeWhole(buffer.view, at, Math.abs(value));
}

/** Writes an integer of thousandths with three decimals: 1500 is `1.500`, and -0 is `0.000`. */
export function writeThousandths(buffer: ByteBuffer, at: number, value: number): number {
  if (value === 0) {
    // The most frequent value.
    buffer.view.setUint32(at, ZERO_POINT);
    buffer.bytes[at + 4] = ZERO;
    return at + 5;
  }
  if ((value | 0) !== value) return writeLarge(buffer, at, value, 3);
  if (value < 0) buffer.bytes[at++] = MINUS;
  const size = Math.abs(value);
  const whole = (size / 1000) | 0;
  at = writeWhole(buffer.view, at, whole);
  buffer.view.setUint32(at, PACKED_DECIMALS[size - 1000 * whole]);
  return at + 4;
}

/** Writes an integer of thousandths in ECMAScript's shortest notation: 1500 is `1.5`, 2000 is `2`. */
export function writeShortThousandths(buffer: ByteBuffer, at: number, value: number): number {
  const { bytes } = buffer;
  let end = writeThousandths(buffer, at, value);
  while (bytes[end - 1] === ZERO) end--;
  return bytes[end - 1] === POINT ? end - 1 : end;
}

/** Writes an instant as ISO 8601 with Z, milliseconds only when not 0. */
export function writeInstant(bytes: Uint8Array, at: number, atMs: EpochMs): number {
  assert(Number.isSafeInteger(atMs), () => `an instant in a table is a whole millisecond, not ${atMs}`);
  return at + writeUtf8(bytes, at, isoUtc(atMs));
}

/** Cells of instants. Reuses the previous text, because consecutive rows share an interval or a day. */
export class InstantEncoder {
  /** The cell with its prefix and quotes. */
  private readonly cell: PackedText;
  private readonly bytes: Uint8Array;
  private readonly quote: string;
  private readonly start: number;
  private length = 0;
  private atMs = Number.NaN;
  /** Day of the previous instant if it was a whole second, otherwise NaN. */
  private day = Number.NaN;

  /** @param quote before and after the instant */
  constructor(prefix: string, quote: string) {
    const start = utf8Bytes(prefix + quote);
    this.start = start.length;
    this.bytes = new Uint8Array(start.length + CELL_BYTES_MAX);
    this.cell = { words: new Uint32Array(Math.ceil(this.bytes.length / 4)), length: 0 };
    this.quote = quote;
    this.bytes.set(start);
  }

  /** Valid until the next call. */
  encode(atMs: EpochMs): PackedText {
    if (atMs === this.atMs) return this.cell;
    const day = Math.floor(atMs / MS_PER_DAY);
    const second = (atMs - day * MS_PER_DAY) / MS_PER_SECOND;
    this.atMs = atMs;
    if (day === this.day && Number.isInteger(second)) this.setSecond(second);
    else {
      const end = writeInstant(this.bytes, this.start, atMs);
      this.length = end + writeUtf8(this.bytes, end, this.quote);
      this.day = Number.isInteger(second) ? day : Number.NaN;
    }
    packBytes(this.bytes, this.length, this.cell);
    return this.cell;
  }

  /** Rewrites `HH:MM:SS` for another second of the same day. */
  private setSecond(second: number): void {
    const end = this.length - this.quote.length - 1;
    const minute = Math.floor(second / 60);
    this.twoDigits(end - 8, Math.floor(minute / 60));
    this.twoDigits(end - 5, minute % 60);
    this.twoDigits(end - 2, second % 60);
  }

  private twoDigits(at: number, n: number): void {
    const tens = Math.floor(n / 10);
    this.bytes[at] = ZERO + tens;
    this.bytes[at + 1] = ZERO + n - 10 * tens;
  }
}

/** 0 <= n < 2^32. */
function writeWhole(view: DataView, at: number, n: number): number {
  if (n < 1000) {
    view.setUint32(at, PACKED_WHOLES[n]);
    return at + LENGTHS[n];
  }
  const thousands = Math.floor(n / 1000);
  at = writeWhole(view, at, thousands);
  view.setUint32(at, PACKED_TRIPLES[n - 1000 * thousands]);
  return at + 3;
}

/** For values beyond 32 bits: slow, because rare. */
function writeLarge({ bytes }: ByteBuffer, at: number, value: number, decimals: number): number {
  assert(
    Number.isInteger(value),
    () => `a number in a table is whole (thousandths where it has decimals), not ${value}`,
  );
  const text = String(BigInt(Math.abs(value)));
  const sign = value < 0 ? "-" : "";
  const printed = decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
  for (const character of sign + printed) bytes[at++] = character.charCodeAt(0);
  return at;
}

/** Four characters of ASCII as one number. */
function fourBytes(text: string): number {
  return fourCodes(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2), text.charCodeAt(3));
}

function fourCodes(a: number, b: number, c: number, d: number): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

function packDigits(print: (n: number) => string): Uint32Array {
  return Uint32Array.from({ length: 1000 }, (_, n) => fourBytes(print(n).padEnd(4)));
}

/** A text in words of four bytes, which are copied faster than single bytes. The last word is padded. */
export interface PackedText {
  readonly words: Uint32Array;
  /** In bytes. */
  length: number;
}

/** Most bytes that a copy writes behind a text. */
export const PADDING_BYTES_MAX = 3;

export function packText(text: string): PackedText {
  const bytes = utf8Bytes(text);
  const packed = { words: new Uint32Array(Math.ceil(bytes.length / 4)), length: bytes.length };
  packBytes(bytes, bytes.length, packed);
  return packed;
}

/** Replaces a text by bytes that are no longer than its words. A byte that is missing at the end counts as 0. */
function packBytes(bytes: Uint8Array, length: number, packed: PackedText): void {
  for (let k = 0, at = 0; at < length; k++, at += 4)
    packed.words[k] = fourCodes(bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]);
  packed.length = length;
}

/** Copies whole words, with the padding of the last one. @returns the position after the text */
export function copyPacked({ words, length }: PackedText, view: DataView, at: number): number {
  for (let k = 0, to = at; 4 * k < length; k++, to += 4) view.setUint32(to, words[k]);
  return at + length;
}

/** Copies bytes of a buffer to a later place in whole words. @returns the position after them */
export function copyBytes(view: DataView, start: number, end: number, at: number): number {
  for (let from = start, to = at; from < end; from += 4, to += 4) view.setUint32(to, view.getUint32(from));
  return at + end - start;
}
