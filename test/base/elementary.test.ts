import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runs, seedOr } from "../depth.ts";
import { needing } from "../needing.ts";
import {
  drawArguments,
  ELEMENTARY_NAMES,
  OWN_FUNCTIONS,
  resultsOf,
  SPECIAL_VALUES,
  tableArguments,
} from "./elementaryCases.ts";
import { TABLE_FILE, tableText } from "./elementaryTable.ts";

const needingNode20 = needing("Node 20", process.versions.node.startsWith("20."));

if (process.env.UPDATE_GOLDEN === "1" && needingNode20.isThere)
  writeFileSync(
    TABLE_FILE,
    tableText((name) => resultsOf(Math, name, tableArguments(name))),
  );

describe("elementary functions", () => {
  test("have the bits of the table, which are those of Node 20", () =>
    expect(tableText((name) => resultsOf(OWN_FUNCTIONS, name, tableArguments(name)))).toBe(
      readFileSync(TABLE_FILE, "utf8"),
    ));

  // By hand.
  test.each([
    ["exp", [1], Math.E],
    ["log", [10], Math.LN10],
    ["log10", [1000], 3],
    ["sin", [Math.PI / 6], 0.49999999999999994],
    ["cos", [-0], 1],
    ["tan", [-0], -0],
    ["atan2", [0, -0], Math.PI],
    ["cbrt", [-27], -3],
    ["pow", [2, 10], 1024],
    ["pow", [-8, 1 / 3], Number.NaN],
    ["pow", [0, -1], Number.POSITIVE_INFINITY],
  ] as const)("%s of %j", (name, given, expected) => {
    expect(
      resultsOf(
        OWN_FUNCTIONS,
        name,
        given.map((value) => Float64Array.of(value)),
      )[0],
    ).toBe(expected);
  });
});

needingNode20.describe("elementary functions and those of Node 20", () => {
  test.each(ELEMENTARY_NAMES)("%s agrees on drawn arguments", (name) => {
    const rows = drawArguments(name, runs(1_000_000, 20_000), seedOr(0x2026_1128));
    expect(firstDifference(name, rows)).toBeNull();
  });

  test.each(ELEMENTARY_NAMES)("%s agrees on pairs of special values", (name) => {
    const [xs, ys] = [
      SPECIAL_VALUES.flatMap((x) => SPECIAL_VALUES.map(() => x)),
      SPECIAL_VALUES.flatMap(() => SPECIAL_VALUES),
    ];
    expect(firstDifference(name, [Float64Array.from(xs), Float64Array.from(ys)])).toBeNull();
  });
});

/** The arguments with both results where they first differ in a bit. */
function firstDifference(name: (typeof ELEMENTARY_NAMES)[number], rows: readonly Float64Array[]): number[] | null {
  const [own, nodes] = [resultsOf(OWN_FUNCTIONS, name, rows), resultsOf(Math, name, rows)];
  const at = own.findIndex((value, k) => !Object.is(value, nodes[k]));
  return at < 0 ? null : [...rows.map((row) => row[at]), own[at], nodes[at]];
}
