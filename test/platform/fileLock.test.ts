import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FileInUseError, ForeignLockError, lockFile } from "../../src/platform/node/fileLock.ts";
import { machineTag } from "../../src/platform/node/runningProcess.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const newFile = () => join(createTemporaryFolder("lock"), "a.journal");

const HOLDER = { pid: 1, started: "1", machine: machineTag(), host: "h", since: "2026-01-01T00:00:00Z", kernel: false };

describe("a lock", () => {
  test("refuses a second holder until it is released", () => {
    const file = newFile();
    const unlock = lockFile(file);
    expect(() => lockFile(file)).toThrow(`in use by the process ${process.pid}, since 20`);
    unlock();
    lockFile(file)();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test("that was released twice leaves the lock of the next holder", () => {
    const file = newFile();
    const unlock = lockFile(file);
    unlock();
    const next = lockFile(file);
    unlock();
    expect(() => lockFile(file)).toThrow(FileInUseError);
    next();
  });

  const endedPid = spawnSync(process.execPath, ["--version"]).pid;
  test.each([
    ["an ended process", { ...HOLDER, pid: endedPid }],
    ["a process whose number was reused", { ...HOLDER, pid: process.ppid }],
    ["an ended process with a kernel lock", { ...HOLDER, pid: endedPid, kernel: true }],
    ["another container, whose kernel lock is free", { ...HOLDER, machine: "0123abcd", kernel: true }],
  ])("of %s is taken over", (_, holder) => {
    const file = newFile();
    writeFileSync(`${file}.lock`, JSON.stringify(holder));
    const unlock = lockFile(file);
    expect(JSON.parse(readFileSync(`${file}.lock`, "utf8")).pid).toBe(process.pid);
    unlock();
  });

  test("of another machine without kernel locks is taken over when its heartbeat has stopped", () => {
    const file = newFile();
    writeFileSync(`${file}.lock`, JSON.stringify({ ...HOLDER, machine: "0123abcd" }));
    expect(() => lockFile(file)).toThrow(
      `${file} is in use by the process 1 of another machine or container (h), since 2026-01-01T00:00:00Z`,
    );
    const lastBeatS = Date.now() / 1000 - 61;
    utimesSync(`${file}.lock`, lastBeatS, lastBeatS);
    lockFile(file)();
  });

  test.each<[string, (lock: string) => void]>([
    ["an empty file", (lock) => writeFileSync(lock, "")],
    ["other JSON", (lock) => writeFileSync(lock, '{"pid":1}')],
    ["a folder", (lock) => mkdirSync(lock)],
    ["a link", (lock) => symlinkSync("/dev/null", lock)],
    ["a pipe", (lock) => spawnSync("mkfifo", [lock])],
  ])("is refused where %s has its name, and leaves it", (_, create) => {
    const file = newFile();
    create(`${file}.lock`);
    expect(() => lockFile(file)).toThrow(ForeignLockError);
    expect(() => lockFile(file)).toThrow("is no lock file of vppsim and is not changed; move it away");
    expect(spawnSync("ls", [join(file, "..")]).stdout.toString()).toBe("a.journal.lock\n");
  });
});
