import type { JournalEntry, JournalHeader } from "./journalEntry.ts";

/** A record as bytes, as in its line and in memory. */
export const encodeJson = (record: JournalEntry | JournalHeader): Buffer => Buffer.from(JSON.stringify(record));

export const decodeEntry = (json: Buffer): JournalEntry => JSON.parse(json.toString()) as JournalEntry;
