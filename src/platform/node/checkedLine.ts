import { crc32 } from "node:zlib";

/**
 * Fixed text of a line: before its checksum, between it and the record number, and after the number.
 *
 * The number detects missing and misplaced lines; the checksum, of the number and all that follows, changed ones.
 */
interface LineFrame {
  readonly head: string;
  readonly separator: string;
  readonly tail: string;
}

/** `<CRC-32> <number> <content>` */
export const PLAIN_FRAME: LineFrame = { head: "", separator: " ", tail: " " };

/** A JSON object whose first members are the checksum and the number. The content is the object without its `{`. */
export const JSON_FRAME: LineFrame = { head: '{"crc32":"', separator: '","record":', tail: "," };

/**
 * Encodes a record as a line with its line end.
 *
 * @param number  of the record, from 0
 * @param file    CRC-32 of what identifies the file, which the checksum includes: lines of another file do not match
 */
export function encodeLine(
  { head, separator, tail }: LineFrame,
  number: number,
  content: Uint8Array,
  file = 0,
): Buffer {
  const checked = Buffer.concat([Buffer.from(`${number}${tail}`), content]);
  return Buffer.concat([Buffer.from(`${head}${checksum(checked, file)}${separator}`), checked, NEWLINE]);
}

const NEWLINE = Buffer.from("\n");

/** @param line  without its line end. @param file  as in `encodeLine`. @returns the content as bytes of the line, or why the line is invalid */
export function decodeLine(
  { head, separator, tail }: LineFrame,
  line: Buffer,
  number: number,
  file = 0,
): { readonly content: Buffer } | { readonly wrong: string } {
  const numberStart = head.length + CHECKSUM_CHARS + separator.length;
  const start = line.toString("latin1", 0, numberStart);
  const found = start.slice(head.length, head.length + CHECKSUM_CHARS);
  const checked = line.subarray(numberStart);
  if (start !== `${head}${found}${separator}` || found !== checksum(checked, file))
    return { wrong: "its checksum does not match" };
  const [text, foundNumber] = /^(\d+)/.exec(checked.toString("latin1", 0, NUMBER_CHARS_MAX)) ?? ["", ""];
  if (foundNumber !== String(number)) return { wrong: `it is record ${foundNumber}` };
  if (checked.toString("latin1", text.length, text.length + tail.length) !== tail)
    return { wrong: "its number has no content" };
  return { content: checked.subarray(text.length + tail.length) };
}

const CHECKSUM_CHARS = 8;
/** Digits of the largest safe integer. */
const NUMBER_CHARS_MAX = 16;

const checksum = (content: Uint8Array, file: number): string =>
  crc32(content, file).toString(16).padStart(CHECKSUM_CHARS, "0");
