import { expect, test } from "vitest";
import { roundByLargestRemainder } from "../../src/base/roundByLargestRemainder.ts";

const rounded = (total: number, parts: readonly number[]): number[] => {
  const whole = new Float64Array(parts.length);
  roundByLargestRemainder(total, Float64Array.from(parts), whole);
  return [...whole];
};

test.each([
  ["the largest remainders first", 10, [1.43, 2.86, 5.71], [1, 3, 6]],
  ["a tie goes to the first", 3, [0.5, 1, 1.5], [1, 1, 1]],
  // Of 0.1 · 3 the last digit is up: without a tolerance it would come before the exact 0.3.
  ["remainders that differ in their last digit tie", 1, [0.3, 0.1 * 3, 0.4], [0, 0, 1]],
  ["so does the first of them", 1, [0.3, 0.1 * 3, 0.3, 0.1], [1, 0, 0, 0]],
  ["a whole part below its integer by the last digit is whole", 3, [2.9999999999999996, 4e-16], [3, 0]],
  ["a total of all upper parts", 3, [0.9, 0.8, 0.7], [1, 1, 1]],
  ["none", 0, [0, 0], [0, 0]],
])("%s", (_, total, parts, whole) => {
  expect(rounded(total, parts)).toEqual(whole);
});
