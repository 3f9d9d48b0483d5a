import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FORMAT_IDS } from "../../src/inputs/formats/registry.ts";
import { PROJECT_ROOT } from "../tidySource.ts";

const FOLDER = join(PROJECT_ROOT, "test/formats");
const ROWS = readFileSync(join(FOLDER, "README.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| format"))
  .map((line) => line.slice(2, -2).split(" | "));

test("every peculiarity names a test that there is", () => {
  expect(ROWS.length).toBeGreaterThan(50);
  for (const [format, peculiarity, named] of ROWS) {
    const [, file, title] = /^(\S+\.test\.ts): (.+)$/.exec(named) ?? [];
    expect([peculiarity, file]).toEqual([peculiarity, expect.any(String)]);
    expect(format === "all" || FORMAT_IDS.includes(format), format).toBe(true);
    expect(readFileSync(join(FOLDER, file), "utf8"), peculiarity).toContain(title);
  }
});

test("every published format has its peculiarities in the table", () => {
  // Tables of one's own have the keys of a scenario; jepx_fit_fip is read as the other files of its exchange are.
  const own = ["awards", "events", "members", "jepx_fit_fip"];
  const known = new Set(ROWS.map(([format]) => format));
  expect(FORMAT_IDS.filter((id) => !known.has(id) && !own.includes(id))).toEqual([]);
});
