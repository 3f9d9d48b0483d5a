// Two writers to one journal, however the second one names it.
import { existsSync, linkSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { closeJournalFile, openJournalFile, replaceJournalFile } from "../../src/live/session/journal/journalFile.ts";
import { JournalError } from "../../src/live/session/journal/journalRecord.ts";
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
  test("is locked, and the older one is free", async () => {
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

describe("a file with the name of the older journal is replaced only if no session is lost", () => {
  test("the journal of a session that ended in order", async () => {
    for (let start = 0; start < 3; start++) await (await open(file, false)).close();
    const { records } = readJournalAt(file) ?? { records: [] };
    await (await open(file, false)).close();
    expect(readJournalAt(`${file}.old`)?.records).toEqual(records);
  });

  /** Creates an ended journal with something else beside it. */
  async function withBeside(create: (path: string) => void): Promise<Buffer> {
    await (await open(file)).close();
    create(`${file}.old`);
    return readFileSync(file);
  }

  const texts: readonly [string, (ended: Buffer) => string | Buffer][] = [
    ["a text of the user", () => "my notes\n"],
    ["an empty file", () => ""],
    // As a journal is that a user moved away after a crash: it has commands that were answered.
    ["a journal that was not ended", (ended) => ended.subarray(0, ended.lastIndexOf("\n", -2) + 1)],
    [
      "a journal that goes on after an end",
      (ended) => Buffer.concat([ended, Buffer.from('00000000 3 {"kind":"x"}\n')]),
    ],
    ["a text that ends as a journal does", (ended) => `notes\n${ended.toString().split("\n").at(-2)}\n`],
  ];
  test.each(texts)("%s is refused", async (_, textOf) => {
    const before = await withBeside((path) => writeFileSync(path, textOf(readFileSync(file))));
    const beside = readFileSync(`${file}.old`);
    await expect(open(file, false)).rejects.toThrow(`${file}.old is not the journal of a session that ended in order`);
    expect(readFileSync(file)).toEqual(before);
    expect(readFileSync(`${file}.old`)).toEqual(beside);
    // The session of the journal can still be continued.
    await (await open(file)).close();
  });

  test.each<[string, (path: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["a link that leads nowhere", (path) => symlinkSync("nowhere", path)],
  ])("%s is refused", async (_, create) => {
    await withBeside(create);
    await expect(open(file, false)).rejects.toThrow(JournalError);
    await (await open(file)).close();
  });
});

test("a file that is replaced is closed", () => {
  const first = openJournalFile(file);
  const second = replaceJournalFile(first);
  const third = openJournalFile(`${file}.old`);
  closeJournalFile(second);
  closeJournalFile(third);
});
