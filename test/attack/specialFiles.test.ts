// Files whose reading never ends, and output that cannot be written.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openJournalFile } from "../../src/live/session/journal/journalFile.ts";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { builtCommand } from "../cli/builtCommand.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

test("a named pipe and a device are refused at once, as a file and as a journal", () => {
  const folder = createTemporaryFolder("pipe");
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(() => diskFiles.read(pipe)).toThrow(`${pipe}: found a named pipe, allowed a regular file`);
  expect(() => diskFiles.read("/dev/zero")).toThrow("found a device, allowed a regular file");
  for (const file of [pipe, "/dev/zero"]) expect(() => openJournalFile(file)).toThrow("no regular file");
});

test.each([
  ["is full", '"$0" "$1" --help > /dev/full; echo $? >&2', "vppsim: standard output: ENOSPC"],
  ["was closed by its reader", '{ sleep 0.2; "$0" "$1" --help; echo $? >&2; } | true', ""],
])(
  "output that %s gives status 1 without a stack trace",
  (_, script, message) => {
    const { stderr } = spawnSync("sh", ["-c", script, process.execPath, builtCommand()], {
      encoding: "utf8",
      timeout: 60_000,
    });
    const lines = stderr.trimEnd().split("\n");
    expect(lines.at(-1)).toBe("1");
    expect(lines.slice(0, -1).join("\n")).toContain(message);
    expect(lines.length).toBe(message === "" ? 1 : 2);
  },
  60_000,
);
