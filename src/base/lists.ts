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
