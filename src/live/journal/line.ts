import { crc32 } from "node:zlib";

/**
 * One record as a line: the CRC-32 of what follows in eight hex digits, the record's number from 0, and its JSON.
 *
 * The number shows that no line is missing or out of place; the sum that none has been changed.
 */
export function lineOf(number: number, record: object): string {
  const content = `${number} ${JSON.stringify(record)}`;
  return `${checksum(content)} ${content}\n`;
}

/** @returns the record's JSON value, or why the line is none */
export function readLine(line: Buffer, number: number): { readonly record: unknown } | { readonly wrong: string } {
  const text = line.toString("utf8");
  const content = text.slice(9);
  if (!/^[0-9a-f]{8} \d+ \{/.test(text) || text.slice(0, 8) !== checksum(content))
    return { wrong: "its checksum does not match" };
  const blank = content.indexOf(" ");
  if (content.slice(0, blank) !== String(number)) return { wrong: `it is record ${content.slice(0, blank)}` };
  return { record: JSON.parse(content.slice(blank + 1)) };
}

const checksum = (content: string): string => crc32(content).toString(16).padStart(8, "0");
