import { expect, test } from "vitest";
import { readScenario } from "../../src/inputs/scenario/loadScenario.ts";
import { memoryFiles } from "../../src/inputs/scenario/parse/loadContext.ts";
import { hourlyCsv, SCENARIO_FILE, SMALL_SCENARIO } from "./scenarioFixtures.ts";

test("a hundred thousand series of one file read it once", () => {
  const count = 100_000;
  const entries = Array.from({ length: count }, (_, k) => `  s${k}: {file: prices.csv}\n`).join("");
  const yaml = `${SMALL_SCENARIO}series:\n${entries}market: {energy_price: s${count - 1}.spot}\n`;
  const files = memoryFiles(
    new Map([
      [SCENARIO_FILE, yaml],
      ["/s/prices.csv", hourlyCsv(24, { spot: (hour) => hour, other: () => 0 })],
    ]),
  );
  const readPaths: string[] = [];
  const counted = {
    read(path: string) {
      readPaths.push(path);
      return files.read(path);
    },
  };
  readScenario(SCENARIO_FILE, {}, counted);
  expect(readPaths).toEqual([SCENARIO_FILE, "/s/prices.csv"]);
});
