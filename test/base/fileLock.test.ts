import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lockFile } from "../../src/base/fileLock.ts";

const newFile = () => join(mkdtempSync(join(tmpdir(), "vppsim-lock-")), "a.journal");

describe("a lock", () => {
  test("refuses a second holder until it is released", () => {
    const file = newFile();
    const unlock = lockFile(file);
    expect(() => lockFile(file)).toThrow(`in use by the process ${process.pid}`);
    unlock();
    lockFile(file)();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test.each([
    ["an ended process", { pid: 2 ** 22 + 1, started: "1" }],
    ["a process whose number was reused", { pid: process.ppid, started: "1" }],
    ["the same number in another container", { pid: process.pid, started: "1" }],
    ["no process", null],
  ])("of %s is taken over", (_, holder) => {
    const file = newFile();
    writeFileSync(`${file}.lock`, JSON.stringify(holder));
    const unlock = lockFile(file);
    expect(JSON.parse(readFileSync(`${file}.lock`, "utf8")).pid).toBe(process.pid);
    unlock();
  });
});
