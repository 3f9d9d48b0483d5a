import { assert } from "./assert.ts";

/*
 * Operations on short lists that change with every award. The built-in methods are function calls, which cost more than the
 * operation itself.
 */

/** Adds an item at the end. `push` is no longer inlined after it has been called on arrays of different element kinds. */
export function append<T>(list: T[], item: T): void {
  list[list.length] = item;
}

/** Removes an item of the list. `splice` would allocate a result array and free the memory of an empty list. */
export function removeItem<T>(list: T[], item: T): void {
  let k = 0;
  while (k < list.length && list[k] !== item) k++;
  assert(k < list.length, "a removed item must be in the list");
  for (; k + 1 < list.length; k++) list[k] = list[k + 1];
  list.pop();
}

/** Items by key, in the order of their first items. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

// `Math.min(...values)` exceeds the stack at some 120,000 values, and a call for each of a year of minutes takes longer than to read it.

/** Smallest of any number of values; `Infinity` of none, NaN where one of them is. */
export function smallestOf(values: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < values.length; k++) least = Math.min(least, values[k]);
  return least;
}

/** Largest of any number of values; `-Infinity` of none, NaN where one of them is. */
export function largestOf(values: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < values.length; k++) most = Math.max(most, values[k]);
  return most;
}

export function sumOf(values: Iterable<number>): number;
export function sumOf<T>(items: Iterable<T>, quantityOf: (item: T) => number): number;
/** The sum in the order of the items, so that it is the same in every run; 0 of none. */
export function sumOf<T>(items: Iterable<T>, quantityOf: (item: T) => number = Number): number {
  let sum = 0;
  for (const item of items) sum += quantityOf(item);
  return sum;
}

/** NaN of none. */
export const meanOf = (values: readonly number[] | Float64Array): number => sumOf(values) / values.length;
