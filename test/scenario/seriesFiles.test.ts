import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { InputErrors } from "../../src/base/inputError.ts";
import { readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { SCENARIO_FILE, SMALL_SCENARIO } from "./scenarioFixtures.ts";

/** Series of one file, each with a column of times of its own; a price uses the last. */
function seriesOfTimes(content: string | Buffer, count: number) {
  const entries = Array.from({ length: count }, (_, k) => `  s${k}: {file: prices.csv, time: at_${k}}\n`).join("");
  const yaml = `${SMALL_SCENARIO}series:\n${entries}market: {energy_price: s${count - 1}.spot}\n`;
  const files = memoryFiles(
    new Map([
      [SCENARIO_FILE, yaml],
      ["/s/prices.csv", content],
    ]),
  );
  const readPaths: string[] = [];
  const counted = {
    read(path: string) {
      readPaths.push(path);
      return files.read(path);
    },
  };
  return { readPaths, read: () => readScenario(SCENARIO_FILE, {}, counted) };
}

const stamp = (hour: number): string => new Date(Date.UTC(2026, 3, 1, hour)).toISOString().replace(".000Z", "Z");

function csvOfTimes(count: number): string {
  const columns = Array.from({ length: count }, (_, k) => `at_${k}`);
  const rows = Array.from({ length: 24 }, (_, hour) => `${columns.map(() => stamp(hour)).join(",")},${hour}`);
  return `${columns.join(",")},spot\n${rows.join("\n")}\n`;
}

test("a file is read once for all columns of times, and its values are those of the named one", () => {
  const { readPaths, read } = seriesOfTimes(csvOfTimes(100), 100);
  const { hash } = read();
  expect(readPaths).toEqual([SCENARIO_FILE, "/s/prices.csv"]);
  expect(seriesOfTimes(gzipSync(csvOfTimes(100)), 100).read().hash).toBe(hash);
});

test("a fault of such a file is reported once", () => {
  const { readPaths, read } = seriesOfTimes(Buffer.from([0x1f, 0x8b, 1]), 3);
  const errors = (): readonly string[] => {
    try {
      read();
    } catch (error) {
      if (error instanceof InputErrors) return error.errors.map(({ message }) => message);
      throw error;
    }
    return [];
  };
  const found = errors();
  expect(found.filter((message) => message.includes("a damaged gzip file"))).toHaveLength(1);
  expect(readPaths).toEqual([SCENARIO_FILE, "/s/prices.csv"]);
});
