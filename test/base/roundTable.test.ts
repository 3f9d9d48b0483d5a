import fc from "fast-check";
import { expect, test } from "vitest";
import { sumOf } from "../../src/base/lists.ts";
import { roundTable } from "../../src/base/roundTable.ts";

test("a table is rounded so that its sums are", () => {
  // Each cell alone would be 0 and the sum 2.
  expect(
    roundTable([
      [0.4, 0.4],
      [0.4, 0.4],
    ]).flat(),
  ).toSatisfy((cells: number[]) => sumOf(cells) === 2 && cells.every((cell) => cell === 0 || cell === 1));
  expect(roundTable([[-0.2, 10.2, 5]])).toEqual([[0, 10, 5]]);
  // The whole is 2.1: one of the rows 0.7 is 0, and the columns keep -1 where they are whole.
  const thirds = roundTable([
    [0.7, -1],
    [0.7, 0],
    [0.7, -1],
  ]);
  expect(thirds.map(([, whole]) => whole)).toEqual([-1, 0, -1]);
  expect(sumOf(thirds, ([cell]) => cell)).toBe(2);
});

const isBesides = (rounded: number, value: number): boolean =>
  Math.floor(value + 1e-6) <= rounded && rounded <= Math.ceil(value - 1e-6);

test("of any table each cell and each sum is the integer below or above, the whole the nearest", () => {
  const value = fc.oneof(
    fc.double({ min: -1e5, max: 1e5, noNaN: true }),
    fc.integer({ min: -30, max: 30 }).map((n) => n / 10),
  );
  const table = fc
    .tuple(fc.integer({ min: 1, max: 13 }), fc.integer({ min: 1, max: 15 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(value, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
    );
  fc.assert(
    fc.property(table, (values) => {
      const rounded = roundTable(values);
      const column = (cells: readonly (readonly number[])[], k: number) => sumOf(cells, (row) => row[k]);
      values.forEach((row, k) => {
        expect(isBesides(sumOf(rounded[k]), sumOf(row))).toBe(true);
        row.forEach((value, c) => expect(isBesides(rounded[k][c], value)).toBe(true));
      });
      values[0].forEach((_, k) => expect(isBesides(column(rounded, k), column(values, k))).toBe(true));
      const whole = sumOf(values, (row) => sumOf(row));
      expect(Math.abs(sumOf(rounded, (row) => sumOf(row)) - whole)).toBeLessThanOrEqual(0.5 + 1e-6);
    }),
    { numRuns: 500 },
  );
});
