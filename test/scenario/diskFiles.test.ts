import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { diskFiles } from "../../src/scenario/parse/scenarioFiles.ts";

const folder = mkdtempSync(join(tmpdir(), "vppsim-files-"));
writeFileSync(join(folder, "file.csv"), "a\n");
symlinkSync("loop.csv", join(folder, "loop.csv"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a file is read", () => {
  expect(diskFiles.read(join(folder, "file.csv"))?.toString()).toBe("a\n");
});

test.each([
  ["nothing", "absent.csv"],
  ["a folder", "."],
  ["below a file", "file.csv/x.csv"],
  ["a link to itself", "loop.csv"],
  ["a name too long", `${"n".repeat(300)}.csv`],
  ["a zero byte", "a\0b.csv"],
])("%s is no file", (_, name) => {
  expect(diskFiles.read(join(folder, name))).toBeNull();
});
