import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sku } from "../../src/base/sku.ts";
import { MS_PER_MINUTE } from "../../src/base/time.ts";
import { resolveOverlap } from "../../src/engine/site/orders/scheduleOverlap.ts";
import { areMutuallyExclusive } from "../../src/engine/site/orders/siteOrder.ts";
import { runs } from "../depth.ts";

interface Entry {
  readonly id: string;
  readonly sku: Sku | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly registration: number;
}

/** "frr 10-40": product and minutes. */
function entryOf(id: string, text: string, registration: number): Entry {
  const [sku, period] = text.split(" ");
  const [start, end] = period.split("-").map(Number);
  return {
    id,
    sku: sku === "null" ? null : (sku as Sku),
    startMs: start * MS_PER_MINUTE,
    endMs: end * MS_PER_MINUTE,
    registration,
  };
}

const minutes = ({ startMs, endMs }: { startMs: number; endMs: number }) =>
  `${startMs / MS_PER_MINUTE}-${endMs / MS_PER_MINUTE}`;

/** What becomes of a, b, … when a new schedule comes: "inherits a", "a deleted", "a 10-20", "a 10-20 + 30-40". */
function outcome(existing: readonly string[], added: string): string[] {
  const old = existing.map((text, k) => entryOf(String.fromCharCode(97 + k), text, k));
  const result = resolveOverlap(old, entryOf("new", added, 99));
  if (!result.ok) return [result.refusal.kind];
  const { inheritedFrom: inherits, deleted, cuts } = result.value;
  return [
    ...(inherits === null ? [] : [`inherits ${inherits.id}`]),
    ...deleted.map(({ id }) => `${id} deleted`),
    ...cuts.map(
      ({ schedule: of, front, rear }) =>
        `${of.id} ${[front, rear].flatMap((p) => (p ? [minutes(p)] : [])).join(" + ")}`,
    ),
  ];
}

describe("the parts of schedules that a new one leaves", () => {
  const TABLE: readonly (readonly [string, readonly string[], string, readonly string[]])[] = [
    ["same period and product keeps the id", ["frr 10-40"], "frr 10-40", ["inherits a"]],
    ["same period, both without product", ["null 10-40"], "null 10-40", ["inherits a"]],
    ["same period, one without product", ["frr 10-40"], "null 10-40", ["inherits a"]],
    ["same period, different products coexist", ["frr 10-40"], "rr 10-40", []],
    ["compound beside one of its parts coexists", ["compound 10-40"], "frr 10-40", []],
    [
      "day-ahead and hour-ahead exchange are the same kind",
      ["exchange-da 10-40"],
      "exchange-ttv 10-40",
      ["inherits a"],
    ],
    [
      "of several in the period the oldest is inherited",
      ["frr 10-40", "rr 10-40"],
      "null 10-40",
      ["inherits a", "b deleted"],
    ],
    ["the middle is taken: front and rear stay", ["frr 10-40"], "frr 20-30", ["a 10-20 + 30-40"]],
    ["the front is taken", ["frr 10-40"], "frr 5-30", ["a 30-40"]],
    ["the rear is taken", ["frr 10-40"], "frr 30-50", ["a 10-30"]],
    ["all is taken", ["frr 10-40", "frr 40-50"], "frr 5-60", ["a deleted", "b deleted"]],
    ["schedules that only touch stay", ["frr 10-40"], "frr 40-50", []],
    ["gaps are taken too", ["frr 10-20", "frr 30-40"], "frr 15-35", ["a 10-15", "b 35-40"]],
    ["a piece of half a minute refuses the whole", ["frr 10-40"], "frr 10.5-30", ["schedule_split_too_narrow"]],
    ["a piece of exactly a minute stays", ["frr 10-40"], "frr 11-30", ["a 10-11 + 30-40"]],
  ];
  test.each(TABLE)("%s", (_, existing, added, expected) => {
    expect(outcome(existing, added)).toEqual(expected);
  });
});

test("any sequence of schedules equals a minute-by-minute simulation", () => {
  const skus = ["fcr", "frr", "rr", "compound", "exchange-da", "exchange-ttv", null] as const;
  const post = fc.record({ sku: fc.constantFrom(...skus), start: fc.nat(40), length: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(fc.array(post, { maxLength: 12 }), (posts) => {
      let book: Entry[] = [];
      const byMinute: Set<number>[] = Array.from({ length: 60 }, () => new Set());
      posts.forEach(({ sku, start, length }, n) => {
        const added = {
          id: String(n),
          sku,
          startMs: start * MS_PER_MINUTE,
          endMs: (start + length) * MS_PER_MINUTE,
          registration: n,
        };
        const result = resolveOverlap(book, added);
        if (!result.ok) throw new Error("whole minutes leave whole minutes");
        const { inheritedFrom: inherits, deleted, cuts } = result.value;
        const gone = new Set([inherits, ...deleted, ...cuts.map(({ schedule: of }) => of)]);
        const pieces = cuts.flatMap(({ schedule: of, front, rear }) =>
          [front, rear].flatMap((p) => (p ? [{ ...of, ...p }] : [])),
        );
        book = [...book.filter((entry) => !gone.has(entry)), ...pieces, added];
        for (let minute = start; minute < start + length; minute++) {
          for (const other of byMinute[minute])
            if (areMutuallyExclusive(posts[other].sku, sku)) byMinute[minute].delete(other);
          byMinute[minute].add(n);
        }
      });
      byMinute.forEach((expected, minute) => {
        const atMs = minute * MS_PER_MINUTE;
        const found = book.filter(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
        expect(found.map(({ registration }) => registration).sort((a, b) => a - b)).toEqual(
          [...expected].sort((a, b) => a - b),
        );
      });
    }),
    { numRuns: runs(300, 300) },
  );
});
