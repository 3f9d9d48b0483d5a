import { crc32 } from "node:zlib";
import type { EpochMs } from "../../base/time.ts";
import type { JournalEntry, JournalHeader } from "./journalEntry.ts";

/**
 * Encodes a record as a line: the CRC-32 of the rest in eight hex digits, the record's number from 0, and its JSON.
 *
 * The number detects missing and misplaced lines; the checksum detects changed ones.
 */
export const encodeLine = (number: number, json: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(`${number} `), json, NEWLINE]);
  return Buffer.concat([Buffer.from(`${checksum(content.subarray(0, -1))} `), content]);
};

const NEWLINE = Buffer.from("\n");

/** A record as bytes, as in its line and in memory. */
export const encodeJson = (record: JournalEntry | JournalHeader): Buffer => Buffer.from(JSON.stringify(record));

export const decodeEntry = (json: Buffer): JournalEntry => JSON.parse(json.toString()) as JournalEntry;

/**
 * Instant of a world input, read from the beginning of its record. Commands are many and long; they are parsed only
 * when they are executed again.
 *
 * @returns `null` for other records
 */
export function inputAtMs(json: Buffer): EpochMs | null {
  const found = /^\{"kind":"(?:request|fault|fault_end)","at_ms":(-?\d+),/.exec(
    json.toString("latin1", 0, HEAD_BYTES * 2),
  );
  return found === null ? null : Number(found[1]);
}

/** @returns the record's JSON as bytes of the line, or why the line is invalid */
export function decodeLine(line: Buffer, number: number): { readonly json: Buffer } | { readonly wrong: string } {
  const head = line.toString("latin1", 0, HEAD_BYTES);
  const found = /^([0-9a-f]{8}) (\d+) \{/.exec(head);
  if (found === null || found[1] !== checksum(line.subarray(9))) return { wrong: "its checksum does not match" };
  if (found[2] !== String(number)) return { wrong: `it is record ${found[2]}` };
  return { json: line.subarray(found[0].length - 1) };
}

/** Length of checksum, the longest record number, and the start of the JSON. */
const HEAD_BYTES = 32;

const checksum = (content: Buffer): string => crc32(content).toString(16).padStart(8, "0");
