// Opens the journal that the first argument names, says so or why not, and holds it until it is killed.
import { openJournalFile } from "../../src/live/session/journal/journalFile.ts";

try {
  openJournalFile(process.argv[2] ?? "");
  process.stdout.write("held\n");
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
