import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ImportFolder, SPOT } from "./importFolder.ts";

test.each<[string, string, RegExp]>([
  [
    "another format",
    "import jepx_intraday spot_summary_2031.csv --preview",
    /seems to be jepx_spot .*, allowed a file of the format jepx_intraday/,
  ],
  ["an unknown format", "import jepx_sopt spot_summary_2031.csv --preview", /did you mean jepx_spot/],
  [
    "an option that the format does not take",
    "import jepx_spot spot_summary_2031.csv --point 1 --preview",
    /point: found an option that jepx_spot does not take/,
  ],
  ["no folder", "import jepx_spot spot_summary_2031.csv", /--out: found no folder/],
  ["a file that is not there", "import jepx_spot absent.csv --preview", /file not found: absent.csv/],
  [
    "a damaged file",
    "import jepx_spot damaged.csv --preview",
    /damaged.csv:3:20: エリアプライス東京\(円\/kWh\): found "8.1O", allowed a number/,
  ],
])("vppsim import of %s is bad input", (_, line, message) => {
  const folder = new ImportFolder();
  folder.write("spot_summary_2031.csv", SPOT);
  folder.write("damaged.csv", SPOT.replace("8.10", "8.1O"));
  const { status, stderr } = folder.run(line);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain("    at ");
});

test.each<[string, string, RegExp]>([
  ["no area", "init a --from spot.csv", /--area: found no area, allowed the area of spot.csv/],
  ["two price files", "init a --from spot.csv,spot.csv --area tokyo", /a second file of price beside spot.csv/],
  ["a file that is no input", "init a --from notes.yaml", /a file of no known format/],
])("vppsim init --from of %s is bad input, and nothing is written", (_, line, message) => {
  const folder = new ImportFolder();
  folder.write("spot.csv", SPOT);
  folder.write("notes.yaml", "version: 1");
  const { status, stderr } = folder.run(line);
  expect({ status, isMatch: message.test(stderr) ? "" : stderr }).toEqual({ status: 2, isMatch: "" });
  expect(existsSync(join(folder.path, "a"))).toBe(false);
});
