import { closeSync, existsSync, openSync } from "node:fs";
import { type JournalContent, readJournal } from "../../src/session/journal/readJournal.ts";

/** The content of a journal, which a server may be writing. `null` without a file. */
export function readJournalAt(file: string): JournalContent | null {
  if (!existsSync(file)) return null;
  const fd = openSync(file, "r");
  try {
    return readJournal({ file, fd });
  } finally {
    closeSync(fd);
  }
}
