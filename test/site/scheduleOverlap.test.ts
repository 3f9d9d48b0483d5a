import fc from "fast-check";
import { expect, test } from "vitest";
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
