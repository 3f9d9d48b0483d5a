import {
  appendFileSync,
  chmodSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { continueJournal, createJournal, FileJournal } from "../../src/live/session/journal/journal.ts";
import {
  decodeEntry,
  encodeJson,
  isWorldInput,
  type JournalEntry,
  type JournalHeader,
} from "../../src/live/session/journal/journalEntry.ts";
import { closeJournalFile, closeToOthers, openJournalFile } from "../../src/live/session/journal/journalFile.ts";
import { type JournalContent, readJournal } from "../../src/live/session/journal/readJournal.ts";
import { encodeLine, PLAIN_FRAME } from "../../src/platform/node/checkedLine.ts";
import { BYTE_STEP } from "../depth.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";
import { readJournalAt } from "./readJournalAt.ts";

const newFile = () => join(createTemporaryFolder("journal"), "a.journal");

const HEADER: JournalHeader = {
  kind: "journal",
  format: 1,
  version: "0.0.0",
  scenario: "tiny",
  hash: "h",
  seed: 1,
  open_ms: 0,
  signing_key: "k",
};
const clock = (at_ms: number): JournalEntry => ({ kind: "clock", at_ms, mode: "paused", speed: 1 });

/** Records as lines of a journal. @param numbers  one per record; default: consecutive */
const lines = (records: readonly (JournalEntry | JournalHeader)[], numbers?: readonly number[]): Buffer =>
  Buffer.concat(records.map((record, k) => encodeLine(PLAIN_FRAME, numbers?.[k] ?? k, encodeJson(record))));

/** The bytes of a journal with a header and clock entries at 1, 2, 3. */
const written = (): Buffer => lines([HEADER, clock(1), clock(2), clock(3)]);

/** The entries of a file after its header. */
const entriesIn = (file: string): JournalEntry[] => readJournalAt(file)!.records.map(decodeEntry);

function contentOf(file: string): JournalContent {
  const fd = openSync(file, "r");
  try {
    return readJournal({ file, fd })!;
  } finally {
    closeSync(fd);
  }
}

function withBytes(bytes: Buffer): string {
  const file = newFile();
  writeFileSync(file, bytes);
  return file;
}

describe("a journal", () => {
  test("returns the appended records, and is readable by its owner only", async () => {
    const file = newFile();
    const journal = createJournal(openJournalFile(file), HEADER);
    journal.append(encodeJson(clock(1)));
    journal.append(encodeJson({ kind: "revoke", token_sha256: '日本 \u2028 " \n' }));
    await journal.synced();
    journal.append(encodeJson(clock(2)));
    await journal.close();
    expect(readJournalAt(file)).toMatchObject({ header: HEADER, tornBytes: 0, byteLength: statSync(file).size });
    expect(entriesIn(file)).toEqual([clock(1), { kind: "revoke", token_sha256: '日本 \u2028 " \n' }, clock(2)]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("reads records back, also those that are not written yet and those of a journal that goes on", async () => {
    const file = newFile();
    const journal = createJournal(openJournalFile(file), HEADER);
    const entries = Array.from(
      { length: 40 },
      (_, k): JournalEntry => ({ kind: "note", at_ms: k, text: "日".repeat(k % 7 === 3 ? 100_000 : k) }),
    );
    const records = entries.slice(0, 30).map((entry) => journal.append(encodeJson(entry)));
    await journal.synced();
    records.push(...entries.slice(30).map((entry) => journal.append(encodeJson(entry))));
    expect([...journal.read(records)].map(decodeEntry)).toEqual(entries);
    const some = [5, 3, 39, 0, 31, 10];
    expect([...journal.read(some.map((k) => records[k]))].map(decodeEntry)).toEqual(some.map((k) => entries[k]));
    await journal.synced();
    expect(entriesIn(file)).toEqual(entries);
    await journal.close();
    const { records: places, byteLength } = contentOf(file);
    const continued = continueJournal(openJournalFile(file), byteLength, places.length + 1);
    const [last] = continued.read([continued.append(encodeJson(clock(99)))]);
    expect(decodeEntry(last)).toEqual(clock(99));
    expect([...continued.read(places)].map(decodeEntry)).toEqual(entries);
    await continued.close();
  });

  test("that was changed refuses to read the record back, in words", async () => {
    const file = newFile();
    const journal = createJournal(openJournalFile(file), HEADER);
    const records = [1, 2, 3].map((at) => journal.append(encodeJson(clock(at))));
    await journal.synced();
    writeFileSync(file, readFileSync(file, "latin1").replace('"at_ms":2', '"at_ms":7'), "latin1");
    expect([...journal.read([records[0], records[2]])]).toHaveLength(2);
    expect(() => [...journal.read(records)]).toThrow(/can no longer be read: record 2 at byte \d+: its checksum/);
    truncateSync(file, 10);
    expect(() => [...journal.read(records)]).toThrow(/can no longer be read: record 1/);
    await journal.close();
  });

  test.each([
    ["an empty file", Buffer.alloc(0)],
    ["a journal that was copied", written()],
  ])("closes %s to other users, which may read it", (_what, content) => {
    const file = withBytes(content);
    for (const mode of [0o644, 0o660, 0o604]) {
      chmodSync(file, mode);
      const opened = openJournalFile(file);
      expect(closeToOthers(opened)).toBe(true);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(closeToOthers(opened)).toBe(false);
      closeJournalFile(opened);
    }
    expect(readFileSync(file)).toEqual(content);
  });

  test("has on disk all records appended before `synced`, also for simultaneous calls", async () => {
    const file = newFile();
    const journal = createJournal(openJournalFile(file), HEADER);
    const seen: boolean[] = [];
    await Promise.all(
      Array.from({ length: 200 }, async (_, k) => {
        if (k % 3 === 0) await new Promise((resolve) => setTimeout(resolve, k / 10));
        journal.append(encodeJson(clock(k)));
        await journal.synced();
        seen.push(readFileSync(file, "utf8").includes(`"at_ms":${k},`));
      }),
    );
    await journal.close();
    expect(seen).toEqual(new Array(200).fill(true));
    expect(
      entriesIn(file)
        .map((entry) => (entry as { at_ms: number }).at_ms)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 200 }, (_, k) => k));
  });

  test.each([
    [{ kind: "fault_end", at_ms: -5, fault_id: "fault-1" }, -5],
    [
      { kind: "fault", at_ms: 1_795_280_000_123, fault: { kind: "outage", site: "a", durationMs: null } },
      1_795_280_000_123,
    ],
    [clock(7), null],
    [{ kind: "checkpoint", at_ms: 7, label: '{"kind":"request","at_ms":1,', beside: {} }, null],
  ] as const)("states when %j acted on the world", (entry, atMs) => {
    const decoded = decodeEntry(encodeJson(entry));
    expect(isWorldInput(decoded) ? decoded.at_ms : null).toBe(atMs);
  });

  test("continues after its last complete record", async () => {
    const file = withBytes(Buffer.concat([written(), Buffer.from('0123abcd 4 {"kin')]));
    const content = readJournalAt(file)!;
    expect(content.tornBytes).toBe(16);
    const journal = continueJournal(openJournalFile(file), content.byteLength, content.records.length + 1);
    journal.append(encodeJson(clock(4)));
    await journal.close();
    expect(readJournalAt(file)?.tornBytes).toBe(0);
    expect(entriesIn(file)).toEqual([clock(1), clock(2), clock(3), clock(4)]);
  });

  test("cut at any byte holds exactly the complete records", () => {
    const bytes = written();
    const ends = [...bytes].flatMap((byte, k) => (byte === 10 ? [k + 1] : []));
    const file = newFile();
    for (let length = 0; length <= bytes.length; length += BYTE_STEP) {
      writeFileSync(file, bytes.subarray(0, length));
      const whole = ends.filter((end) => end <= length).length;
      const content = readJournalAt(file);
      if (whole === 0) expect(content).toBeNull();
      else expect(content?.records.length).toBe(whole - 1);
    }
  });

  test("that ends in zeros, as after a loss of power, is cut there", () => {
    expect(readJournalAt(withBytes(Buffer.concat([written(), Buffer.alloc(500)])))).toMatchObject({ tornBytes: 500 });
    expect(readJournalAt(withBytes(Buffer.alloc(100)))).toBeNull();
  });

  test("with any changed bit in a complete record is refused, with the place and the remedy", () => {
    const bytes = written();
    const file = newFile();
    const firstEnd = bytes.indexOf(10) + 1;
    for (let k = firstEnd; k < bytes.length; k += BYTE_STEP) {
      const spoilt = Buffer.from(bytes);
      spoilt[k] ^= 1;
      writeFileSync(file, spoilt);
      // Without its line end the last record counts as incomplete; a line end inside makes two invalid lines.
      if (k === bytes.length - 1) continue;
      expect(() => readJournalAt(file), `bit of byte ${k}`).toThrow(/damaged at record \d at byte \d+/);
    }
    bytes[firstEnd + 20] ^= 4;
    writeFileSync(file, bytes);
    expect(() => readJournalAt(file)).toThrow(`keep the first ${firstEnd} bytes (head -c ${firstEnd})`);
  });

  test.each([
    ["a line left out", [HEADER, clock(1), clock(3)], [0, 1, 3], "it is record 3"],
    ["two lines swapped", [HEADER, clock(2), clock(1)], [0, 2, 1], "it is record 2"],
  ] as const)("with %s is refused", (_, entries, numbers, why) => {
    expect(() => readJournalAt(withBytes(lines(entries, numbers)))).toThrow(why);
  });

  test.each([
    ["a scenario", "version: 1\nname: x\n"],
    ["a text that begins with digits", "12345678 0 {}\n"],
    ["a text without a line end", "once upon a time"],
    ["another kind of record", encodeLine(PLAIN_FRAME, 0, Buffer.from('{"kind":"ledger"}'))],
  ])("is not %s", (_, text) => {
    expect(() => readJournalAt(withBytes(Buffer.from(text)))).toThrow(/is no journal of vppsim; move it away/);
  });

  test("of another format is refused", () => {
    const file = withBytes(lines([{ ...HEADER, format: 2 }]));
    expect(() => readJournalAt(file)).toThrow(/has format 2, this version of vppsim reads and writes format 1; export/);
  });

  test.each<[string, (file: string) => void, RegExp]>([
    [
      "appended to",
      (file) => appendFileSync(file, "x"),
      /changed its length to \d+ bytes, where this server has written/,
    ],
    ["cut", (file) => truncateSync(file, 0), /changed its length/],
    ["deleted", (file) => rmSync(file), /deleted it/],
  ])("that another program has %s acknowledges no later command", async (_what, alter, message) => {
    const file = newFile();
    const journal = createJournal(openJournalFile(file), HEADER);
    journal.append(encodeJson(clock(1)));
    await journal.synced();
    alter(file);
    journal.append(encodeJson(clock(2)));
    await expect(journal.synced()).rejects.toThrow(message);
    await expect(journal.synced()).rejects.toThrow(message);
    expect(() => journal.append(encodeJson(clock(3)))).toThrow(message);
    await expect(journal.close()).rejects.toThrow(message);
  });

  test("that cannot be written fails every later command", async () => {
    const full = new FileJournal({ file: "/dev/full", fd: openSync("/dev/full", "w"), unlock() {} }, 1, 0);
    full.append(encodeJson(clock(1)));
    await expect(full.synced()).rejects.toThrow(/cannot be written: ENOSPC/);
    await expect(full.synced()).rejects.toThrow(/cannot be written/);
    expect(() => full.append(encodeJson(clock(2)))).toThrow(/cannot be written/);
  });
});
