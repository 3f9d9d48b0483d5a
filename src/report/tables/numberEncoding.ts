import { assert } from "../../base/assert.ts";
import { type EpochMs, isoUtc, MS_PER_DAY, MS_PER_SECOND } from "../../base/time.ts";

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** Four bytes at a time: `.000` to `.999`, `000` to `999`, and 0 to 999 without leading zeros (then `LENGTHS` count). */
const PACKED_DECIMALS = packDigits((n) => `.${String(n).padStart(3, "0")}`);
const PACKED_TRIPLES = packDigits((n) => String(n).padStart(3, "0"));
const PACKED_WHOLES = packDigits(String);
const ZERO_POINT = Buffer.from("0.00").readUInt32BE();
const LENGTHS = Uint8Array.from({ length: 1000 }, (_, n) => String(n).length);

/** A buffer seen twice: single bytes, and numbers of four bytes. Writers may spill up to three bytes after a cell. */
export interface ByteBuffer {
  readonly bytes: Buffer;
  readonly view: DataView;
}

export function createByteBuffer(length: number): ByteBuffer {
  const bytes = Buffer.alloc(length);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, length) };
}

/** No cell of digits takes more bytes than this: sign, 16 digits, point; or an instant in quotes. */
export const CELL_BYTES_MAX = 32;

/** Writes a whole number; the position after it comes back. */
export function writeInteger(room: ByteBuffer, at: number, value: number): number {
  if ((value | 0) !== value) return writeLarge(room, at, value, 0);
  if (value < 0) room.bytes[at++] = MINUS;
  return writeWhole(room.view, at, Math.abs(value));
}

/** Writes whole thousandths with three decimals: 1500 is `1.500`, and -0 is `0.000`. */
export function writeThousandths(room: ByteBuffer, at: number, value: number): number {
  if (value === 0) {
    // Most cells of a year are.
    room.view.setUint32(at, ZERO_POINT);
    room.bytes[at + 4] = ZERO;
    return at + 5;
  }
  if ((value | 0) !== value) return writeLarge(room, at, value, 3);
  if (value < 0) room.bytes[at++] = MINUS;
  const size = Math.abs(value);
  const whole = (size / 1000) | 0;
  at = writeWhole(room.view, at, whole);
  room.view.setUint32(at, PACKED_DECIMALS[size - 1000 * whole]);
  return at + 4;
}

/** Writes whole thousandths as short as ECMAScript prints the number: 1500 is `1.5`, 2000 is `2`. */
export function writeShortThousandths(room: ByteBuffer, at: number, value: number): number {
  const { bytes } = room;
  let end = writeThousandths(room, at, value);
  while (bytes[end - 1] === ZERO) end--;
  return bytes[end - 1] === POINT ? end - 1 : end;
}

/** Writes an instant as ISO 8601 with Z, milliseconds only when not 0. */
export function writeInstant(bytes: Buffer, at: number, atMs: EpochMs): number {
  assert(Number.isSafeInteger(atMs), () => `an instant in a table is a whole millisecond, not ${atMs}`);
  return at + bytes.write(isoUtc(atMs), at, "latin1");
}

/** An instant as a table shows it. Knows the last one: rows of one interval, and of one day, follow one another. */
export class InstantEncoder {
  /** As it stands in the table, quotes included. */
  readonly bytes: Buffer = Buffer.alloc(CELL_BYTES_MAX);
  length = 0;
  readonly #quote: string;
  #atMs = Number.NaN;
  /** Day of the last instant, if that was a whole second. */
  #day = Number.NaN;

  /** @param quote before and after the instant */
  constructor(quote: string) {
    this.#quote = quote;
  }

  encode(atMs: EpochMs): void {
    if (atMs === this.#atMs) return;
    const day = Math.floor(atMs / MS_PER_DAY);
    const second = (atMs - day * MS_PER_DAY) / MS_PER_SECOND;
    this.#atMs = atMs;
    if (day === this.#day && Number.isInteger(second)) return this.#setSecond(second);
    const end = writeInstant(this.bytes, this.bytes.write(this.#quote, 0, "latin1"), atMs);
    this.length = end + this.bytes.write(this.#quote, end, "latin1");
    this.#day = Number.isInteger(second) ? day : Number.NaN;
  }

  /** Another second of the same day: eight characters from behind. */
  #setSecond(second: number): void {
    const end = this.length - this.#quote.length - 1;
    const minute = Math.floor(second / 60);
    this.#twoDigits(end - 8, Math.floor(minute / 60));
    this.#twoDigits(end - 5, minute % 60);
    this.#twoDigits(end - 2, second % 60);
  }

  #twoDigits(at: number, n: number): void {
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

/** Beyond 32 bits; rare, so by way of a text. */
function writeLarge({ bytes }: ByteBuffer, at: number, value: number, decimals: number): number {
  assert(
    Number.isSafeInteger(value),
    () => `a number in a table is whole (thousandths where it has decimals), not ${value}`,
  );
  const text = String(Math.abs(value));
  const sign = value < 0 ? "-" : "";
  const printed = decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
  for (const character of sign + printed) bytes[at++] = character.charCodeAt(0);
  return at;
}

function packDigits(print: (n: number) => string): Uint32Array {
  return Uint32Array.from({ length: 1000 }, (_, n) => Buffer.from(print(n).padEnd(4)).readUInt32BE());
}
