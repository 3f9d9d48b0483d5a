import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "../../src/platform/node/diskFiles.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const folder = createTemporaryFolder("files");
writeFileSync(join(folder, "file.csv"), "a\n");
symlinkSync("loop.csv", join(folder, "loop.csv"));

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
])("%s is not a file", (_, name) => {
  expect(diskFiles.read(join(folder, name))).toBeNull();
});
