import type { JournalEntry, JournalHeader } from "./journalEntry.ts";

/** Longest record as JSON. The bounds of requests keep all records far below it. */
export const RECORD_BYTES_MAX = 1 << 26;

/** A record as bytes, as in its line and in memory. */
export const encodeJson = (record: JournalEntry | JournalHeader): Buffer => Buffer.from(JSON.stringify(record));

export const decodeEntry = (json: Buffer): JournalEntry => JSON.parse(json.toString()) as JournalEntry;
