import { assert } from "./assert.ts";
import { Copyable } from "./copyState.ts";
import { append } from "./lists.ts";

/** Fewer places than this that nobody needs any more are left where they are. */
const COMPACTION_MIN = 32;

/**
 * Items that get numbers as they come, from 0, and are dropped some time later. Memory is kept for those since the oldest
 * that is left only: of a year of awards a few are there at a time.
 */
export class SequenceBuffer<T> extends Copyable {
  private readonly items: (T | undefined)[] = [];
  /** The number of the item at the front. */
  private firstNumber = 0;
  /** How many of those at the front have been dropped. */
  private removedCount = 0;

  /** @returns its number */
  add(item: T): number {
    append(this.items, item);
    return this.firstNumber + this.items.length - 1;
  }

  /** `undefined` for one that has been dropped. */
  get(number: number): T | undefined {
    return number < this.firstNumber ? undefined : this.items[number - this.firstNumber];
  }

  remove(number: number): void {
    const { items } = this;
    if (number < this.firstNumber) return;
    assert(number - this.firstNumber < items.length, "only what was added is dropped");
    items[number - this.firstNumber] = undefined;
    while (this.removedCount < items.length && items[this.removedCount] === undefined) this.removedCount++;
    if (COMPACTION_MIN <= this.removedCount && items.length <= 2 * this.removedCount) this.compact();
  }

  /** Not by `splice` nor by setting the length, which give up the list's memory. */
  private compact(): void {
    const { items, removedCount: gone } = this;
    for (let k = gone; k < items.length; k++) items[k - gone] = items[k];
    for (let k = 0; k < gone; k++) items.pop();
    this.firstNumber += gone;
    this.removedCount = 0;
  }
}
