import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initRawFiles } from "../../src/inputs/datagen/disk/initScenario.ts";
import { rawFiles } from "../../src/inputs/datagen/rawFiles.ts";
import type { FormatOptions } from "../../src/inputs/formats/fileFormat.ts";
import { readFormatFile } from "../../src/inputs/formats/readFormatFile.ts";
import { formatById } from "../../src/inputs/formats/registry.ts";
import { columnOf } from "../formats/readText.ts";
import { createTemporaryFolder } from "../temporaryFolder.ts";

const HALF_HOURS_OF_APRIL = 1440;

const read = (name: string, id: string, options: FormatOptions) => {
  const format = formatById(id);
  const content = rawFiles().get(name);
  if (format === null || content === undefined) throw new Error(`no ${id} ${name}`);
  const { table, problems, decoded } = readFormatFile(format, { name, content: Buffer.from(content) }, options);
  expect(problems.count).toBe(0);
  expect(decoded?.encoding).toBe("cp932");
  if (table === null) throw new Error(`${name} is not read`);
  return table;
};

test.each([
  ["spot_summary_2026.csv", "jepx_spot", { area: "tokyo" }, "price_jpy_per_kwh", HALF_HOURS_OF_APRIL, 0.01, 50],
  ["meter.csv", "meter_days", {}, "power_kw", HALF_HOURS_OF_APRIL + 31 * 48, 100, 2500],
  ["weather.csv", "jma_hourly", {}, "ghi_w_m2", HALF_HOURS_OF_APRIL / 2, 0, 1100],
] as const)("%s is read as %s", (name, format, options, role, count, lowest, highest) => {
  const table = read(name, format, options);
  if (table.kind !== "series") throw new Error("no series");
  const { values } = columnOf(table, role);
  expect(values).toHaveLength(count);
  expect(Math.min(...values)).toBeGreaterThanOrEqual(lowest);
  expect(Math.max(...values)).toBeLessThan(highest);
});

test("awards.csv is read by its own headers, but for its amounts and penalties", () => {
  const table = read("awards.csv", "awards", { columns: { delta_kw: "約定量(MW)" }, negate: ["delta_kw"] });
  if (table.kind !== "records") throw new Error("no records");
  expect(table.keys).toEqual([
    "delta_kw",
    "sku",
    "start",
    "end",
    "activation",
    "price_jpy_per_kw_30min",
    "v1_price_per_kwh",
    "award_id",
  ]);
  // 22 workdays with five awards, 8 days of weekends with two.
  expect(table.rows).toHaveLength(22 * 5 + 8 * 2);
  const [night, morning] = table.rows;
  expect(night.slice(1, 4)).toEqual(["exchange-da", "2026-03-31T17:00:00Z", "2026-03-31T19:00:00Z"]);
  expect(Number(night[0])).toBeGreaterThan(0);
  expect(Number(morning[0])).toBeLessThan(0);
  expect(morning[1]).toBe("frr");
});

test("the files are the same bytes each time, and small", () => {
  expect([...rawFiles()]).toEqual([...rawFiles()]);
  for (const [, bytes] of rawFiles()) expect(Buffer.from(bytes).length).toBeLessThan(65_536);
});

test("they are written into an empty folder alone", () => {
  const folder = createTemporaryFolder("raw");
  expect(initRawFiles(folder)).toEqual([...rawFiles().keys()].map((name) => join(folder, "raw", name)));
  expect(() => initRawFiles(folder)).toThrow("a folder that is empty or does not exist yet");
  mkdirSync(join(folder, "new"));
  expect(initRawFiles(join(folder, "new"))).toHaveLength(4);
});
