import { assert } from "../base/assert.ts";
import { Copyable } from "../base/copyState.ts";

/** Names one queued event for `cancel`; valid across snapshot and restore, never used again for another event. */
export type EventHandle = number;

/** A handle that names no event: cancelling it changes nothing. */
export const NO_EVENT: EventHandle = -1;

export const RANK_MAX = 31;

export interface QueuedEvent {
  readonly atMs: number;
  readonly rank: number;
  readonly sequence: number;
  readonly kind: number;
  readonly subject: number;
  readonly slot: number;
}

/** Plain data for JSON. Equal queues give equal snapshots, whatever the inner layout of the heap is. */
export interface QueueSnapshot {
  readonly nextSequence: number;
  /** One per slot: the handle of its event, or the handle that its next event will get. */
  readonly handles: readonly number[];
  /** Slots without an event; the last one is used first. */
  readonly freeSlots: readonly number[];
  /** In the order in which they will be popped. */
  readonly events: readonly QueuedEvent[];
}

// (rank, sequence) share one double: 32 ranks times 2^48 sequence numbers stay within the 2^53 exact integers.
const RANK_UNIT = 2 ** 48;
// A handle is generation * 2^24 + slot: at most 2^24 live events, and 2^29 events through one slot.
const SLOT_BITS = 24;
const SLOT_UNIT = 2 ** SLOT_BITS;
const SLOT_MASK = SLOT_UNIT - 1;
const NO_ORDER = -1;
const FIRST_CAPACITY = 64;
// Below this heap size dead entries are left to be popped: rebuilding would cost more than it frees.
const COMPACTION_MIN = 64;

/**
 * Pending events in the total order (atMs, rank, sequence of pushing), so that there is never a tie.
 *
 * A 4-ary heap on typed arrays. Its entries point to slots, which hold what the event is. Cancelling frees the slot
 * at once and leaves the heap entry behind as dead: it is known by an order that its slot no longer has. The entry
 * at the root is always live, so looking at it changes nothing.
 */
export class EventQueue extends Copyable {
  /** The event that the last `pop` took out. */
  atMs = Number.NaN;
  rank = 0;
  kind = 0;
  subject = 0;

  private heapCount = 0;
  private heapAtMs = new Float64Array(FIRST_CAPACITY);
  private heapOrder = new Float64Array(FIRST_CAPACITY);
  private heapSlot = new Int32Array(FIRST_CAPACITY);

  private liveCount = 0;
  private slotCount = 0;
  private freeCount = 0;
  private slotOrder = new Float64Array(FIRST_CAPACITY);
  private slotHandle = new Float64Array(FIRST_CAPACITY);
  private slotKind = new Int32Array(FIRST_CAPACITY);
  private slotSubject = new Int32Array(FIRST_CAPACITY);
  private freeSlots = new Int32Array(FIRST_CAPACITY);

  private nextSequence = 0;

  /** Number of live events: pushed, and neither popped nor cancelled. */
  get size(): number {
    return this.liveCount;
  }

  /** When the next event is due; Infinity when there is none. */
  peekMs(): number {
    return this.heapCount === 0 ? Number.POSITIVE_INFINITY : this.heapAtMs[0];
  }

  /** @param rank  0 (first) to 31; `kind` and `subject` are 32-bit integers with a meaning for the caller only */
  push(atMs: number, rank: number, kind: number, subject: number): EventHandle {
    if (!(Number.isFinite(atMs) && rank >>> 0 === rank && rank <= RANK_MAX)) refuseEvent({ atMs, rank, kind, subject });
    if ((kind | 0) !== kind || (subject | 0) !== subject) refuseEvent({ atMs, rank, kind, subject });
    const order = rank * RANK_UNIT + this.nextSequence++;
    const slot = this.freeCount > 0 ? this.freeSlots[--this.freeCount] : this.newSlot();
    this.slotOrder[slot] = order;
    this.slotKind[slot] = kind;
    this.slotSubject[slot] = subject;
    this.liveCount++;
    if (this.heapCount === this.heapSlot.length) this.growHeap();
    this.siftUp(this.heapCount++, atMs, order, slot);
    return this.slotHandle[slot];
  }

  /** Takes out the next event and shows it in the public fields; false when there is none. */
  pop(): boolean {
    if (this.heapCount === 0) return false;
    const slot = this.heapSlot[0];
    this.atMs = this.heapAtMs[0];
    this.rank = Math.floor(this.heapOrder[0] / RANK_UNIT);
    this.kind = this.slotKind[slot];
    this.subject = this.slotSubject[slot];
    this.freeSlot(slot);
    this.removeRoot();
    if (this.liveCount < this.heapCount) this.removeDeadRoots();
    return true;
  }

  /** @returns false when the event is already gone: popped or cancelled before */
  cancel(handle: EventHandle): boolean {
    if (handle < 0) return false;
    const slot = handle & SLOT_MASK;
    if (this.slotCount <= slot || this.slotHandle[slot] !== handle || this.slotOrder[slot] === NO_ORDER) return false;
    this.freeSlot(slot);
    if (COMPACTION_MIN < this.heapCount && this.liveCount * 2 < this.heapCount) this.compact();
    else this.removeDeadRoots();
    return true;
  }

  snapshot(): QueueSnapshot {
    const events: QueuedEvent[] = [];
    for (let i = 0; i < this.heapCount; i++) {
      if (this.isLive(i)) events.push(this.eventAt(i));
    }
    events.sort((a, b) => a.atMs - b.atMs || a.rank - b.rank || a.sequence - b.sequence);
    return {
      nextSequence: this.nextSequence,
      handles: Array.from(this.slotHandle.subarray(0, this.slotCount)),
      freeSlots: Array.from(this.freeSlots.subarray(0, this.freeCount)),
      events,
    };
  }

  static restore(snapshot: QueueSnapshot): EventQueue {
    const queue = new EventQueue();
    for (const handle of snapshot.handles) {
      const slot = queue.newSlot();
      queue.slotHandle[slot] = handle;
    }
    for (const slot of snapshot.freeSlots) queue.freeSlots[queue.freeCount++] = slot;
    for (const event of snapshot.events) queue.putBack(event);
    queue.nextSequence = snapshot.nextSequence;
    return queue;
  }

  private putBack({ atMs, rank, sequence, kind, subject, slot }: QueuedEvent): void {
    assert(slot < this.slotCount && this.slotOrder[slot] === NO_ORDER, () => `slot ${slot} must be there and empty`);
    this.slotOrder[slot] = rank * RANK_UNIT + sequence;
    this.slotKind[slot] = kind;
    this.slotSubject[slot] = subject;
    this.liveCount++;
    if (this.heapCount === this.heapSlot.length) this.growHeap();
    this.siftUp(this.heapCount++, atMs, this.slotOrder[slot], slot);
  }

  private eventAt(index: number): QueuedEvent {
    const slot = this.heapSlot[index];
    const order = this.heapOrder[index];
    const rank = Math.floor(order / RANK_UNIT);
    const sequence = order - rank * RANK_UNIT;
    return {
      atMs: this.heapAtMs[index],
      rank,
      sequence,
      kind: this.slotKind[slot],
      subject: this.slotSubject[slot],
      slot,
    };
  }

  private isLive(index: number): boolean {
    return this.slotOrder[this.heapSlot[index]] === this.heapOrder[index];
  }

  private newSlot(): number {
    const slot = this.slotCount++;
    assert(slot < SLOT_UNIT, () => `at most ${SLOT_UNIT} events may be pending`);
    if (slot === this.slotOrder.length) this.growSlots();
    this.slotOrder[slot] = NO_ORDER;
    this.slotHandle[slot] = slot;
    return slot;
  }

  private freeSlot(slot: number): void {
    this.slotOrder[slot] = NO_ORDER;
    this.liveCount--;
    const nextHandle = this.slotHandle[slot] + SLOT_UNIT;
    // A slot whose handles are used up is never free again, so that no handle names two events.
    if (Number.MAX_SAFE_INTEGER < nextHandle) return;
    this.slotHandle[slot] = nextHandle;
    this.freeSlots[this.freeCount++] = slot;
  }

  private removeDeadRoots(): void {
    while (this.heapCount > 0 && !this.isLive(0)) this.removeRoot();
  }

  private removeRoot(): void {
    const last = --this.heapCount;
    if (last > 0) this.siftDown(0, this.heapAtMs[last], this.heapOrder[last], this.heapSlot[last]);
  }

  /** Drops the dead entries and rebuilds the heap; paid for by the cancellations since the last time. */
  private compact(): void {
    let kept = 0;
    for (let i = 0; i < this.heapCount; i++) {
      if (!this.isLive(i)) continue;
      this.put(kept++, this.heapAtMs[i], this.heapOrder[i], this.heapSlot[i]);
    }
    this.heapCount = kept;
    for (let i = (kept - 2) >> 2; 0 <= i; i--) this.siftDown(i, this.heapAtMs[i], this.heapOrder[i], this.heapSlot[i]);
  }

  private put(index: number, atMs: number, order: number, slot: number): void {
    this.heapAtMs[index] = atMs;
    this.heapOrder[index] = order;
    this.heapSlot[index] = slot;
  }

  /** Moves the hole at `index` towards the root until the entry fits into it. */
  private siftUp(index: number, atMs: number, order: number, slot: number): void {
    const { heapAtMs, heapOrder, heapSlot } = this;
    while (index > 0) {
      const parent = (index - 1) >> 2;
      const parentAtMs = heapAtMs[parent];
      if (parentAtMs < atMs || (parentAtMs === atMs && heapOrder[parent] < order)) break;
      heapAtMs[index] = parentAtMs;
      heapOrder[index] = heapOrder[parent];
      heapSlot[index] = heapSlot[parent];
      index = parent;
    }
    heapAtMs[index] = atMs;
    heapOrder[index] = order;
    heapSlot[index] = slot;
  }

  /** Moves the hole at `index` towards the leaves until the entry fits into it. */
  private siftDown(index: number, atMs: number, order: number, slot: number): void {
    const { heapAtMs, heapOrder, heapSlot, heapCount } = this;
    for (let child = 4 * index + 1; child < heapCount; child = 4 * index + 1) {
      const end = Math.min(child + 4, heapCount);
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
      heapAtMs[index] = bestAtMs;
      heapOrder[index] = heapOrder[best];
      heapSlot[index] = heapSlot[best];
      index = best;
    }
    heapAtMs[index] = atMs;
    heapOrder[index] = order;
    heapSlot[index] = slot;
  }

  private growHeap(): void {
    this.heapAtMs = grownFloats(this.heapAtMs);
    this.heapOrder = grownFloats(this.heapOrder);
    this.heapSlot = grownInts(this.heapSlot);
  }

  private growSlots(): void {
    this.slotOrder = grownFloats(this.slotOrder);
    this.slotHandle = grownFloats(this.slotHandle);
    this.slotKind = grownInts(this.slotKind);
    this.slotSubject = grownInts(this.slotSubject);
    this.freeSlots = grownInts(this.freeSlots);
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
