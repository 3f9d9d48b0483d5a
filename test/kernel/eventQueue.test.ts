import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BugError } from "../../src/base/assert.ts";
import { EventQueue } from "../../src/engine/kernel/eventQueue.ts";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { runs, seedOr } from "../depth.ts";
import { SortedList } from "./sortedList.ts";

type Action = { readonly do: "push"; readonly atMs: number; readonly rank: number } | { readonly do: "pop" };

/** Few times and ranks, so that most events have others at the same instant and many a full tie. */
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("push"), atMs: fc.nat(20), rank: fc.nat(31) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pop") }) },
) as fc.Arbitrary<Action>;

/** Pops all events. @returns (atMs, rank, kind, subject) of each */
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

  const STEPS = runs(200_000, 50_000);
  test(`${STEPS.toLocaleString("en")} pushes and pops agree with a sorted list`, () => {
    const random = new RandomStreams(20260401).getStream("test", "queue");
    const queue = new EventQueue();
    const list = new SortedList();
    const upTo = (limit: number) => Math.floor(random.nextUniform() * limit);
    let mismatches = 0;
    for (let i = 0; i < STEPS; i++) {
      const draw = random.nextUniform();
      // Swings between growing and shrinking, so that growth and an empty queue both come up.
      const pushShare = i % 6_000 < 3_000 ? 0.7 : 0.3;
      if (draw < pushShare) {
        const event = { atMs: queue.size > 0 ? queue.peekMs() + upTo(50) : upTo(50), rank: upTo(32) };
        queue.push(event.atMs, event.rank, i % 7, i);
        list.push({ ...event, kind: i % 7, subject: i });
      } else {
        const expected = list.pop();
        const popped = queue.pop();
        const same = expected === undefined ? !popped : popped && queue.subject === expected.subject;
        const equal = expected === undefined || (queue.atMs === expected.atMs && queue.rank === expected.rank);
        if (!same || !equal || (expected && queue.kind !== expected.kind)) mismatches++;
      }
      if (queue.size !== list.size || queue.peekMs() !== list.peekMs()) mismatches++;
    }
    expect(mismatches).toBe(0);
    expect(drained(queue).map(([, , , subject]) => subject)).toEqual(list.rest().map(({ subject }) => subject));
  });

  test("any short history agrees with a sorted list", () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 300 }), (actions) => {
        const queue = new EventQueue();
        const list = new SortedList();
        actions.forEach((action, i) => {
          if (action.do === "push") {
            queue.push(action.atMs, action.rank, i, -i);
            list.push({ atMs: action.atMs, rank: action.rank, kind: i, subject: -i });
          } else {
            const expected = list.pop();
            expect(queue.pop()).toBe(expected !== undefined);
            if (expected) expect(queue.kind).toBe(expected.kind);
          }
          expect([queue.size, queue.peekMs()]).toEqual([list.size, list.peekMs()]);
        });
        expect(drained(queue).map(([, , kind]) => kind)).toEqual(list.rest().map(({ kind }) => kind));
      }),
      { seed: seedOr(31), numRuns: runs(300, 100) },
    );
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
