import { assert } from "./assert.ts";
import { Copyable } from "./copyState.ts";
import { append } from "./lists.ts";

/** Fewer places than this that nobody needs any more are left where they are. */
const KEPT_MIN = 32;

/**
 * Items that get numbers as they come, from 0, and are dropped some time later. Memory is kept for those since the oldest
 * that is left only: of a year of awards a few are there at a time.
 */
export class Numbered<T> extends Copyable {
  private readonly items: (T | undefined)[] = [];
  /** The number of the item at the front. */
  private first = 0;
  /** How many of those at the front have been dropped. */
  private gone = 0;

  /** @returns its number */
  add(item: T): number {
    append(this.items, item);
    return this.first + this.items.length - 1;
  }

  /** `undefined` for one that has been dropped. */
  get(number: number): T | undefined {
    return number < this.first ? undefined : this.items[number - this.first];
  }

  drop(number: number): void {
    const { items } = this;
    if (number < this.first) return;
    assert(number - this.first < items.length, "only what was added is dropped");
    items[number - this.first] = undefined;
    while (this.gone < items.length && items[this.gone] === undefined) this.gone++;
    if (KEPT_MIN <= this.gone && items.length <= 2 * this.gone) this.closeUp();
  }

  /** Not by `splice` nor by setting the length, which give up the list's memory. */
  private closeUp(): void {
    const { items, gone } = this;
    for (let k = gone; k < items.length; k++) items[k - gone] = items[k];
    for (let k = 0; k < gone; k++) items.pop();
    this.first += gone;
    this.gone = 0;
  }
}
