import { expect, test } from "vitest";
import { largestOf, smallestOf } from "../../src/base/lists.ts";

test("smallest and largest of more values than a call can have arguments", () => {
  const values = Array.from({ length: 500_000 }, (_, k) => (k === 400_000 ? -5 : k % 7));
  expect([smallestOf(values), largestOf(values)]).toEqual([-5, 6]);
});

test("of no values", () => {
  expect([smallestOf([]), largestOf([])]).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});
