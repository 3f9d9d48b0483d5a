import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";

const RANK_MAX = 31;

// (rank, sequence) share one double: 32 ranks times 2^48 sequence numbers stay within the 2^53 exact integers.
const RANK_UNIT = 0x1000000000000;
const FIRST_CAPACITY = 64;

/**
 * Priority queue of events in the total order (atMs, rank, insertion sequence), without ties.
 *
 * A 4-ary heap on typed arrays. Events cannot be cancelled: a handler ignores events that are out of date.
 */
export class EventQueue extends Copyable {
  /** The event that the last `pop` removed. */
  atMs = Number.NaN;
  rank = 0;
  kind = 0;
  subject = 0;

  private count = 0;
  private heapAtMs = new Float64Array(FIRST_CAPACITY);
  private heapOrder = new Float64Array(FIRST_CAPACITY);
  private heapKind = new Int32Array(FIRST_CAPACITY);
  private heapSubject = new Int32Array(FIRST_CAPACITY);
  private nextSequence = 0;

  /** Number of pending events. */
  get size(): number {
    return this.count;
  }

  /** Time of the next event; Infinity if there is none. */
  peekMs(): number {
    return this.count === 0 ? Number.POSITIVE_INFINITY : this.heapAtMs[0];
  }

  /** Rank of the next event; without meaning if there is none. */
  peekRank(): number {
    return Math.floor(this.heapOrder[0] / RANK_UNIT);
  }

  /** @param rank  0 (first) to 31; `kind` and `subject` are 32-bit integers that only the caller interprets */
  push(atMs: number, rank: number, kind: number, subject: number): void {
    if (!(Number.isFinite(atMs) && rank >>> 0 === rank && rank <= RANK_MAX)) refuseEvent({ atMs, rank, kind, subject });
    if ((kind | 0) !== kind || (subject | 0) !== subject) refuseEvent({ atMs, rank, kind, subject });
    if (this.count === this.heapKind.length) this.grow();
    const order = rank * RANK_UNIT + this.nextSequence++;
    this.put(this.siftUp(this.count++, atMs, order), atMs, order, kind, subject);
  }

  /** Removes the next event and stores it in the public fields. @returns false if there is none */
  pop(): boolean {
    if (this.count === 0) return false;
    this.atMs = this.heapAtMs[0];
    this.rank = Math.floor(this.heapOrder[0] / RANK_UNIT);
    this.kind = this.heapKind[0];
    this.subject = this.heapSubject[0];
    const last = --this.count;
    if (last === 0) return true;
    const atMs = this.heapAtMs[last];
    const order = this.heapOrder[last];
    this.put(this.siftDown(atMs, order), atMs, order, this.heapKind[last], this.heapSubject[last]);
    return true;
  }

  private put(index: number, atMs: number, order: number, kind: number, subject: number): void {
    this.heapAtMs[index] = atMs;
    this.heapOrder[index] = order;
    this.heapKind[index] = kind;
    this.heapSubject[index] = subject;
  }

  private move(from: number, to: number): void {
    this.heapAtMs[to] = this.heapAtMs[from];
    this.heapOrder[to] = this.heapOrder[from];
    this.heapKind[to] = this.heapKind[from];
    this.heapSubject[to] = this.heapSubject[from];
  }

  /** Moves the free slot at `index` towards the root to the position of the entry. @returns that position */
  private siftUp(index: number, atMs: number, order: number): number {
    const { heapAtMs, heapOrder } = this;
    while (index > 0) {
      const parent = (index - 1) >> 2;
      const parentAtMs = heapAtMs[parent];
      if (parentAtMs < atMs || (parentAtMs === atMs && heapOrder[parent] < order)) break;
      this.move(parent, index);
      index = parent;
    }
    return index;
  }

  /** Moves the free slot at the root towards the leaves to the position of the entry. @returns that position */
  private siftDown(atMs: number, order: number): number {
    const { heapAtMs, heapOrder, count } = this;
    let index = 0;
    for (let child = 1; child < count; child = 4 * index + 1) {
      const end = Math.min(child + 4, count);
      let best = child;
      let bestAtMs = heapAtMs[child];
      for (let i = child + 1; i < end; i++) {
        const childAtMs = heapAtMs[i];
        if (childAtMs < bestAtMs || (childAtMs === bestAtMs && heapOrder[i] < heapOrder[best])) {
          best = i;
          bestAtMs = childAtMs;
        }
      }
      if (atMs < bestAtMs || (atMs === bestAtMs && order < heapOrder[best])) break;
      this.move(best, index);
      index = best;
    }
    return index;
  }

  private grow(): void {
    this.heapAtMs = grownFloats(this.heapAtMs);
    this.heapOrder = grownFloats(this.heapOrder);
    this.heapKind = grownInts(this.heapKind);
    this.heapSubject = grownInts(this.heapSubject);
  }
}

function grownFloats(old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(old.length * 2);
  grown.set(old);
  return grown;
}

function grownInts(old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(old.length * 2);
  grown.set(old);
  return grown;
}

function refuseEvent(event: { atMs: number; rank: number; kind: number; subject: number }): never {
  const found = `atMs ${event.atMs}, rank ${event.rank}, kind ${event.kind}, subject ${event.subject}`;
  assert(false, `an event needs a finite time, a rank 0 to ${RANK_MAX}, 32-bit kind and subject; found ${found}`);
}
