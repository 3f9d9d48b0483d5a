import { closeSync, existsSync, openSync } from "node:fs";
import { readRecords } from "../../src/live/session/journal/journalRecord.ts";
import { type JournalContent, readJournal } from "../../src/live/session/journal/readJournal.ts";

/** The content of a journal, which a server may be writing, with the JSON of its records. `null` without a file. */
export function readJournalAt(
  file: string,
): (Omit<JournalContent, "records"> & { readonly records: readonly Buffer[] }) | null {
  if (!existsSync(file)) return null;
  const fd = openSync(file, "r");
  try {
    const content = readJournal({ file, fd });
    return content === null ? null : { ...content, records: [...readRecords({ file, fd }, content.records)] };
  } finally {
    closeSync(fd);
  }
}
