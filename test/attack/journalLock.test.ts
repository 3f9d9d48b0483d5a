// Two writers to one journal, however the second one names it.
import { existsSync, linkSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { closeJournalFile, openJournalFile, replaceJournalFile } from "../../src/session/journal/journalFile.ts";
import { openTinySession } from "../session/openTinySession.ts";
import { readJournalAt } from "../session/readJournalAt.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = realpathSync(createTemporaryFolder("journal-lock"));
  file = join(folder, "a.journal");
});

const open = (path: string, resumesEnded = true) => openTinySession({ journal: { file: path, resumesEnded } });

function linked(link: (target: string, path: string) => void, target: string, path: string): string {
  link(target, path);
  return path;
}

describe("a journal in use is refused to a second server", () => {
  test.each<[string, (path: string) => string]>([
    ["its path", (path) => path],
    ["a symbolic link", (path) => linked(symlinkSync, path, `${path}.link`)],
    ["a linked folder", (path) => join(linked(symlinkSync, folder, `${folder}-link`), basename(path))],
    ["a hard link", (path) => linked(linkSync, path, `${path}.hard`)],
    [
      "a hard link in another folder",
      (path) => linked(linkSync, path, join(createTemporaryFolder("journal-lock"), "b.journal")),
    ],
  ])("under %s", async (_, otherName) => {
    const session = await open(file);
    const second = otherName(file);
    const before = readFileSync(file);
    await expect(open(second)).rejects.toThrow(/journal .* is in use by .*; end it, or name another journal/);
    expect(readFileSync(file)).toEqual(before);
    await session.close();
    // The lock ends with the session, for every name.
    await (await open(second)).close();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

describe("a journal that replaces an older one", () => {
  test("is locked in its turn, and the older one is free", async () => {
    await (await open(file)).close();
    const { records } = readJournalAt(file) ?? { records: [] };
    const session = await open(file, false);
    linkSync(file, `${file}.hard`);
    for (const path of [file, `${file}.hard`]) await expect(open(path)).rejects.toThrow("is in use by");
    expect(readJournalAt(`${file}.old`)?.records).toEqual(records);
    await (await open(`${file}.old`)).close();
    await session.close();
  });

  test("does not take the place of an older one that another server uses", async () => {
    await (await open(file)).close();
    await (await open(file, false)).close();
    const user = await open(`${file}.old`);
    const before = readFileSync(file);
    await expect(open(file, false)).rejects.toThrow(`journal ${file}.old is in use by the process ${process.pid}`);
    expect(readFileSync(file)).toEqual(before);
    await user.close();
  });

  test("takes the place of the file that a symbolic link leads to, and leaves the link", async () => {
    const link = join(folder, "link.journal");
    symlinkSync(file, link);
    await (await open(link)).close();
    await (await open(link, false)).close();
    expect(realpathSync(link)).toBe(file);
    expect(existsSync(`${file}.old`)).toBe(true);
  });
});

test("a file that is replaced is closed", () => {
  const first = openJournalFile(file);
  const second = replaceJournalFile(first);
  const third = openJournalFile(`${file}.old`);
  closeJournalFile(second);
  closeJournalFile(third);
});
