import { crc32 } from "node:zlib";
import type { EpochMs } from "../../base/time.ts";
import type { JournalEntry, JournalHeader } from "./journalEntry.ts";

/**
 * One record as a line: the CRC-32 of what follows in eight hex digits, the record's number from 0, and its JSON.
 *
 * The number shows that no line is missing or out of place; the sum that none has been changed.
 */
export const encodeLine = (number: number, json: Buffer): Buffer => {
  const content = Buffer.concat([Buffer.from(`${number} `), json, NEWLINE]);
  return Buffer.concat([Buffer.from(`${checksum(content.subarray(0, -1))} `), content]);
};

const NEWLINE = Buffer.from("\n");

/** A record as bytes: what a line holds, and what of a command is kept in memory. */
export const encodeJson = (record: JournalEntry | JournalHeader): Buffer => Buffer.from(JSON.stringify(record));

export const decodeEntry = (json: Buffer): JournalEntry => JSON.parse(json.toString()) as JournalEntry;

/**
 * When something that acts on the world came, as its record begins: commands are many and long, and are read when they are
 * run again.
 *
 * @returns `null` for other records
 */
export function inputAtMs(json: Buffer): EpochMs | null {
  const found = /^\{"kind":"(?:request|fault|fault_end)","at_ms":(-?\d+),/.exec(
    json.toString("latin1", 0, HEAD_BYTES * 2),
  );
  return found === null ? null : Number(found[1]);
}

/** @returns the record's JSON as it lies in the line, or why the line is none */
export function decodeLine(line: Buffer, number: number): { readonly json: Buffer } | { readonly wrong: string } {
  const head = line.toString("latin1", 0, HEAD_BYTES);
  const found = /^([0-9a-f]{8}) (\d+) \{/.exec(head);
  if (found === null || found[1] !== checksum(line.subarray(9))) return { wrong: "its checksum does not match" };
  if (found[2] !== String(number)) return { wrong: `it is record ${found[2]}` };
  return { json: line.subarray(found[0].length - 1) };
}

/** The checksum, a number as long as any, and the beginning of the JSON. */
const HEAD_BYTES = 32;

const checksum = (content: Buffer): string => crc32(content).toString(16).padStart(8, "0");
