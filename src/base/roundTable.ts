import { assert } from "./assert.ts";
import { sumOf } from "./lists.ts";

/** In an integer. Values are rounded to this first, so that all sums are exact. */
const PARTS = 1_000_000;

const isFraction = (parts: number): boolean => parts % PARTS !== 0;

/** Row and column. */
type Cell = readonly [row: number, column: number];

/**
 * Rounds a table so that each cell, each sum of a row or column, and the sum of all are the integer below or above; of the sum of
 * all it is the nearest (docs/model/time.md#controlled-rounding).
 *
 * @param values  at least one row
 */
export function roundTable(values: readonly (readonly number[])[]): number[][] {
  const cells = values.map((row) => row.map((value) => Math.round((value - Math.floor(value)) * PARTS)));
  // With the opposite of its sums, every row and column of the table sums to 0: a fraction is never alone in a row or column.
  const sums = cells[0].map((_, column) => -sumOf(cells, (row) => row[column]));
  const table = [...cells, sums].map((row) => [...row, -sumOf(row)]);
  for (let row = table.length - 1; row >= 0; row--)
    for (let column = table[row].length - 1; column >= 0; column--) roundCell(table, [row, column]);
  return values.map((row, k) => row.map((value, column) => Math.floor(value) + table[k][column] / PARTS || 0));
}

/** Moves a cell to its nearest integer. The others of a cycle move in turn against it and with it, which keeps all sums. */
function roundCell(table: number[][], cell: Cell): void {
  const [row, column] = cell;
  while (isFraction(table[row][column])) {
    const path = pathBack(table, cell, row, new Set());
    assert(path !== null, "a fraction among sums of 0 lies on a cycle of fractions");
    const above = (parts: number): number => Math.ceil(parts / PARTS) * PARTS - parts;
    const isUp = 2 * above(table[row][column]) <= PARTS;
    const ups = [cell, ...path].filter((_, k) => isUp === (k % 2 === 0));
    const downs = [cell, ...path].filter((_, k) => isUp !== (k % 2 === 0));
    const step = Math.min(
      ...ups.map(([r, c]) => above(table[r][c])),
      ...downs.map(([r, c]) => PARTS - above(table[r][c])),
    );
    for (const [r, c] of ups) table[r][c] += step;
    for (const [r, c] of downs) table[r][c] -= step;
  }
}

/** Fractions from a row to the column of a cell, by turns in the row of the last one and in its column; without the cell itself. */
function pathBack(table: readonly number[][], cell: Cell, from: number, seen: Set<number>): readonly Cell[] | null {
  const [row, column] = cell;
  for (const [k, parts] of table[from].entries()) {
    if (!isFraction(parts) || seen.has(k) || (from === row && k === column)) continue;
    if (k === column) return [[from, k]];
    seen.add(k);
    for (const [other, values] of table.entries()) {
      if (other === from || !isFraction(values[k])) continue;
      const rest = pathBack(table, cell, other, seen);
      if (rest !== null) return [[from, k], [other, k], ...rest];
    }
  }
  return null;
}
