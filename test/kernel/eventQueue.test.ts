import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BugError } from "../../src/base/assert.ts";
import { type EventHandle, EventQueue, NO_EVENT } from "../../src/kernel/eventQueue.ts";
import { RandomStreams } from "../../src/kernel/randomStreams.ts";
import { runs, seedOr } from "../depth.ts";
import { SortedList } from "./sortedList.ts";

type Action =
  | { readonly do: "push"; readonly atMs: number; readonly rank: number }
  | { readonly do: "pop" }
  | { readonly do: "cancel"; readonly which: number }
  | { readonly do: "restore" };

/** Few times and ranks, so that most events have others at the same instant and many a full tie. */
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("push"), atMs: fc.nat(20), rank: fc.nat(31) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pop") }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel"), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restore") }) },
) as fc.Arbitrary<Action>;

/** Pops everything and tells (atMs, rank, kind, subject) of each event. */
function drained(queue: EventQueue): number[][] {
  const popped: number[][] = [];
  while (queue.pop()) popped.push([queue.atMs, queue.rank, queue.kind, queue.subject]);
  return popped;
}

describe("order", () => {
  test("earlier time first, then smaller rank, then first pushed", () => {
    const queue = new EventQueue();
    for (const [atMs, rank, kind] of [
      [20, 0, 1],
      [10, 31, 2],
      [10, 5, 3],
      [10, 5, 4],
      [-5, 31, 5],
      [10, 0, 6],
    ]) {
      queue.push(atMs, rank, kind, kind * 10);
    }
    expect(drained(queue)).toEqual([
      [-5, 31, 5, 50],
      [10, 0, 6, 60],
      [10, 5, 3, 30],
      [10, 5, 4, 40],
      [10, 31, 2, 20],
      [20, 0, 1, 10],
    ]);
  });

  test("an empty queue has no time and nothing to pop", () => {
    const queue = new EventQueue();
    expect([queue.peekMs(), queue.pop(), queue.size]).toEqual([Number.POSITIVE_INFINITY, false, 0]);
  });

  const STEPS = runs(1_000_000);
  test(`${STEPS.toLocaleString("en")} pushes, pops and cancellations agree with a sorted list`, () => {
    const random = new RandomStreams(20260401).getStream("test", "queue");
    const queue = new EventQueue();
    const list = new SortedList();
    const handles: EventHandle[] = [];
    const upTo = (limit: number) => Math.floor(random.nextUniform() * limit);
    let mismatches = 0;
    for (let i = 0; i < STEPS; i++) {
      const draw = random.nextUniform();
      // Swings between growing and shrinking, so that compaction, growth and an empty queue all come up.
      const pushShare = i % 6_000 < 3_000 ? 0.5 : 0.3;
      if (draw < pushShare) {
        const event = { atMs: queue.size > 0 ? queue.peekMs() + upTo(50) : upTo(50), rank: upTo(32) };
        const handle = queue.push(event.atMs, event.rank, i % 7, i);
        list.push({ ...event, kind: i % 7, subject: i, handle });
        handles.push(handle);
      } else if (draw < pushShare + 0.25) {
        const expected = list.pop();
        const popped = queue.pop();
        const same = expected === undefined ? !popped : popped && queue.subject === expected.subject;
        const equal = expected === undefined || (queue.atMs === expected.atMs && queue.rank === expected.rank);
        if (!same || !equal || (expected && queue.kind !== expected.kind)) mismatches++;
      } else if (handles.length > 0) {
        const handle = handles[Math.max(0, handles.length - 1 - upTo(400))];
        if (queue.cancel(handle) !== list.cancel(handle)) mismatches++;
      }
      if (queue.size !== list.size || queue.peekMs() !== list.peekMs()) mismatches++;
    }
    expect(mismatches).toBe(0);
    expect(drained(queue).map(([, , , subject]) => subject)).toEqual(list.rest().map(({ subject }) => subject));
  });

  test("any short history agrees with a sorted list, restored from JSON at any point", () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 300 }), (actions) => {
        let queue = new EventQueue();
        const list = new SortedList();
        const handles: EventHandle[] = [];
        actions.forEach((action, i) => {
          if (action.do === "push") {
            const handle = queue.push(action.atMs, action.rank, i, -i);
            list.push({ atMs: action.atMs, rank: action.rank, kind: i, subject: -i, handle });
            handles.push(handle);
          } else if (action.do === "pop") {
            const expected = list.pop();
            expect(queue.pop()).toBe(expected !== undefined);
            if (expected) expect(queue.kind).toBe(expected.kind);
          } else if (action.do === "cancel" && handles.length > 0) {
            const handle = handles[action.which % handles.length];
            expect(queue.cancel(handle)).toBe(list.cancel(handle));
          } else if (action.do === "restore") {
            queue = EventQueue.restore(JSON.parse(JSON.stringify(queue.snapshot())));
          }
          expect([queue.size, queue.peekMs()]).toEqual([list.size, list.peekMs()]);
        });
        expect(drained(queue).map(([, , kind]) => kind)).toEqual(list.rest().map(({ kind }) => kind));
      }),
      { seed: seedOr(31), numRuns: runs(300, 100) },
    );
  });
});

describe("cancellation", () => {
  test("an event is cancelled once, and not after it was popped", () => {
    const queue = new EventQueue();
    const first = queue.push(1, 0, 1, 0);
    const second = queue.push(2, 0, 2, 0);
    expect([queue.cancel(second), queue.cancel(second), queue.size]).toEqual([true, false, 1]);
    queue.pop();
    expect([queue.cancel(first), queue.cancel(NO_EVENT), queue.cancel(12_345)]).toEqual([false, false, false]);
  });

  test("an old handle does not reach the event that took its slot", () => {
    const queue = new EventQueue();
    const old = queue.push(1, 0, 1, 0);
    queue.cancel(old);
    const fresh = queue.push(1, 0, 2, 0);
    expect([fresh !== old, queue.cancel(old), queue.size]).toEqual([true, false, 1]);
    expect(drained(queue)).toEqual([[1, 0, 2, 0]]);
  });

  test("cancelling the next event shows the one behind it", () => {
    const queue = new EventQueue();
    const next = queue.push(1, 0, 1, 0);
    queue.push(9, 0, 2, 0);
    queue.cancel(next);
    expect(queue.peekMs()).toBe(9);
  });

  test("endless scheduling and cancelling keeps memory flat", () => {
    const queue = new EventQueue();
    for (let i = 0; i < 100; i++) queue.push(1_000_000 + i, 0, 0, i);
    for (let i = 0; i < 200_000; i++) queue.cancel(queue.push(2_000_000 + i, 0, 1, i));
    const { handles, events } = queue.snapshot();
    expect([events.length, handles.length]).toEqual([100, 101]);
    // Dead entries never outnumber the live ones by more than one cancellation, so 100 live ones fit into 256.
    expect(heapCapacity(queue)).toBeLessThanOrEqual(256);
  });
});

/** The length of the arrays inside: nothing outside shows the memory that is held. */
function heapCapacity(queue: EventQueue): number {
  return (queue as unknown as { heapSlot: Int32Array }).heapSlot.length;
}

describe("snapshot", () => {
  test("equal events give equal snapshots, with or without dead entries inside", () => {
    const crowded = new EventQueue();
    const plain = new EventQueue();
    for (const queue of [crowded, plain]) {
      queue.push(30, 2, 7, 1);
      queue.push(10, 2, 8, 2);
      queue.cancel(queue.push(20, 2, 9, 3));
    }
    const restored = EventQueue.restore(plain.snapshot());
    expect(restored.snapshot()).toEqual(crowded.snapshot());
    expect(restored.push(5, 0, 1, 1)).toBe(crowded.push(5, 0, 1, 1));
  });

  test("many events keep their handles", () => {
    const queue = new EventQueue();
    for (let i = 0; i < 200; i++) queue.cancel(queue.push(i, 0, 0, i));
    const handles = Array.from({ length: 200 }, (_, i) => queue.push(i, 0, 0, i));
    const restored = EventQueue.restore(queue.snapshot());
    for (const handle of handles.slice(0, 199)) expect(restored.cancel(handle)).toBe(true);
    expect(drained(restored)).toEqual([[199, 0, 0, 199]]);
  });

  test("a handle used up on one slot is never given again", () => {
    const lastHandle = 2 ** 53 - 2 ** 24;
    const queue = EventQueue.restore({ nextSequence: 5, handles: [lastHandle], freeSlots: [0], events: [] });
    expect(queue.push(1, 0, 0, 0)).toBe(lastHandle);
    queue.pop();
    expect(queue.push(1, 0, 0, 0)).toBe(1);
  });
});

describe("refused as a bug", () => {
  test.each([
    ["time not a number", Number.NaN, 0, 0, 0],
    ["endless time", Number.POSITIVE_INFINITY, 0, 0, 0],
    ["rank below 0", 0, -1, 0, 0],
    ["rank above 31", 0, 32, 0, 0],
    ["rank not whole", 0, 1.5, 0, 0],
    ["kind not whole", 0, 0, 0.5, 0],
    ["subject above 32 bits", 0, 0, 0, 2 ** 31],
  ])("%s", (_name, atMs, rank, kind, subject) => {
    expect(() => new EventQueue().push(atMs, rank, kind, subject)).toThrow(BugError);
  });
});
