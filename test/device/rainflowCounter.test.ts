import fc from "fast-check";
import { expect, test } from "vitest";
import { RainflowCounter } from "../../src/engine/device/battery/rainflowCounter.ts";
import { runs, seedOr } from "../depth.ts";

function counted(values: readonly number[], classWidth = 1, classCount = 10): number[] {
  const counter = new RainflowCounter(classWidth, classCount);
  for (const value of values) counter.add(value);
  return [...counter.countCycles()];
}

test("the example of ASTM E1049-85, figure 6", () => {
  // Peaks and valleys −2 1 −3 5 −1 3 −4 4 −2: range 3: 0.5, 4: 1.5, 6: 0.5, 8: 1.0, 9: 0.5 cycles.
  expect(counted([-2, 1, -3, 5, -1, 3, -4, 4, -2])).toEqual([0, 0, 0.5, 1.5, 0, 0.5, 0, 1, 0.5, 0]);
});

test.each([
  ["no value", [], []],
  ["one value", [50], []],
  ["constant", [50, 50, 50], []],
  ["a rise is half a cycle", [10, 40], [[40 - 10, 0.5]]],
  ["intermediate values change nothing", [10, 20, 20, 40], [[30, 0.5]]],
  ["down and up by the same depth", [90, 10, 90], [[80, 1]]],
  [
    "a small cycle within a large one",
    [90, 40, 60, 10, 90],
    [
      [20, 1],
      [80, 1],
    ],
  ],
  ["a full swing counts in the deepest class", [0, 100, 0], [[100, 1]]],
])("%s", (_, values, expected) => {
  const classes = new Array(10).fill(0);
  for (const [depth, cycles] of expected) classes[Math.ceil(depth / 10) - 1] += cycles;
  expect(counted(values, 10)).toEqual(classes);
});

test("counting before the end changes nothing", () => {
  const counter = new RainflowCounter(1, 10);
  for (const value of [-2, 1, -3, 5, -1, 3, -4, 4, -2]) {
    counter.add(value);
    counter.countCycles();
  }
  expect([...counter.countCycles()]).toEqual([0, 0, 0.5, 1.5, 0, 0.5, 0, 1, 0.5, 0]);
});

const seed = seedOr(11);
test(`cycles times twice their depth is the total variation (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), (values) => {
      const cycles = counted(values, 1, 20);
      const way = values.reduce((sum, value, k) => (k === 0 ? 0 : sum + Math.abs(value - values[k - 1])), 0);
      expect(cycles.reduce((sum, count, k) => sum + 2 * (k + 1) * count, 0)).toBe(way);
    }),
    { seed, numRuns: runs(500, 500) },
  );
});
