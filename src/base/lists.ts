import { assert } from "./assert.ts";

/*
 * For lists of a few things that come and go with every award of a run. What the language has for this is a call each time,
 * which for such lists costs more than what it does.
 */

/** Adds an item at the end. Not by `push`, which is not inlined any more once a list of another make has been met. */
export function append<T>(list: T[], item: T): void {
  list[list.length] = item;
}

/** Takes out an item that is in it. Not by `splice`, which makes a list of what it took and gives up the memory of one that is empty. */
export function removeItem<T>(list: T[], item: T): void {
  let k = 0;
  while (k < list.length && list[k] !== item) k++;
  assert(k < list.length, "what is taken out of a list is in it");
  for (; k + 1 < list.length; k++) list[k] = list[k + 1];
  list.pop();
}
