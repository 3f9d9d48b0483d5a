import { assert } from "./assert.ts";
import { Copyable } from "./copyState.ts";
import { append } from "./lists.ts";

/** Minimum number of removed items at the front before the buffer is compacted. */
const COMPACTION_MIN = 32;

/**
 * Items numbered from 0 in order of insertion and removed later. Memory is needed only for the items since the oldest remaining
 * one: of a year of awards, few exist at a time.
 */
export class SequenceBuffer<T> extends Copyable {
  private readonly items: (T | undefined)[] = [];
  /** The number of the item at the front. */
  private firstNumber = 0;
  /** Number of removed items at the front. */
  private removedCount = 0;

  /** @returns its number */
  add(item: T): number {
    append(this.items, item);
    return this.firstNumber + this.items.length - 1;
  }

  /** `undefined` for a removed item. */
  get(number: number): T | undefined {
    return number < this.firstNumber ? undefined : this.items[number - this.firstNumber];
  }

  remove(number: number): void {
    const { items } = this;
    if (number < this.firstNumber) return;
    assert(number - this.firstNumber < items.length, "only an added item can be removed");
    items[number - this.firstNumber] = undefined;
    while (this.removedCount < items.length && items[this.removedCount] === undefined) this.removedCount++;
    if (COMPACTION_MIN <= this.removedCount && items.length <= 2 * this.removedCount) this.compact();
  }

  /** Without `splice` or setting the length, which would free the list's memory. */
  private compact(): void {
    const { items, removedCount } = this;
    for (let k = removedCount; k < items.length; k++) items[k - removedCount] = items[k];
    for (let k = 0; k < removedCount; k++) items.pop();
    this.firstNumber += removedCount;
    this.removedCount = 0;
  }
}
