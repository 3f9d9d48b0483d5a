// The orders in force against the rule as it is written: an order is active unless a later one supersedes it.
import fc from "fast-check";
import { expect, test } from "vitest";
import { OrderBook } from "../../src/engine/site/orders/orderBook.ts";
import { type SiteOrder, supersedes } from "../../src/engine/site/orders/siteOrder.ts";
import { SiteRecord } from "../../src/engine/site/siteRecord.ts";
import { runs } from "../depth.ts";

const anyOrder = fc.record({
  sku: fc.constantFrom(null, "frr", "rr", "exchange-da", "exchange-ttv"),
  componentId: fc.constantFrom(null, "a", "b"),
  registration: fc.integer({ min: 0, max: 30 }),
});
const anyAction = fc.record({
  what: fc.constantFrom("put", "put", "put", "remove", "revoke"),
  order: anyOrder,
  which: fc.nat(),
});

test("any orders, added and ended in any order, are active unless a later one supersedes them", () => {
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 60 }), (actions) => {
      const book = new OrderBook(new SiteRecord(true, null));
      const inForce: SiteOrder[] = [];
      const revoked = new Set<number>();
      for (const { what, order, which } of actions) {
        if (what === "put") {
          const added = { ...order, startMs: 0, endMs: 1, activation: 1 } as SiteOrder;
          book.put(added, { deltaKw: 1, fcrCapacityKw: 0 }, 0);
          inForce.push(added);
          inForce.sort((a, b) => a.registration - b.registration);
        } else if (inForce.length > 0) {
          const [chosen] =
            what === "remove" ? inForce.splice(which % inForce.length, 1) : [inForce[which % inForce.length]];
          if (what === "remove") expect(book.remove(chosen)).toBe(true);
          else {
            book.revoke(chosen);
            revoked.add(chosen.registration);
          }
        }
        const valid = inForce.filter(({ registration }) => !revoked.has(registration));
        const active = valid.filter((old, k) => valid.slice(k + 1).every((later) => !supersedes(later, old)));
        expect(book.activeOrders.map((entry) => entry.order)).toEqual(active);
        expect(book.siteLevelOrders.map((entry) => entry.order)).toEqual(
          active.filter(({ componentId }) => componentId === null),
        );
        for (const old of inForce) expect(book.isActive(old)).toBe(active.includes(old));
        for (const old of inForce) expect(book.hasOrder(old)).toBe(true);
        const absent = { ...order, startMs: 0, endMs: 1, activation: 1 } as SiteOrder;
        expect([book.hasOrder(absent), book.remove(absent)]).toEqual([false, false]);
        if (inForce.length !== 1) expect(book.soleOrder).toBeNull();
        const isSole = inForce.length === 1 && inForce[0].componentId === null && revoked.size === 0;
        if (isSole) expect(book.soleOrder?.order).toBe(inForce[0]);
      }
    }),
    { numRuns: runs(2_000, 300) },
  );
});
