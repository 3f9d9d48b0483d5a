// The list of schedules against a plain array, and short pieces against their definition.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isoUtc } from "../../src/base/time.ts";
import { ScheduleList } from "../../src/engine/site/orders/scheduleList.ts";
import { checkRemainingPieces, resolveOverlap, schedulesAtEnds } from "../../src/engine/site/orders/scheduleOverlap.ts";
import { runs } from "../depth.ts";
import { findShortPiece } from "../reference/shortPieces.ts";

interface Entry {
  readonly scheduleId: string;
  readonly sku: "frr" | "rr" | "exchange-da" | "exchange-ttv" | null;
  readonly componentId: string | null;
  readonly registration: number;
  startMs: number;
  endMs: number;
}

/** Periods of whole units; some are long, and many share a start or an end. */
const period = (unitMs: number, count: number) =>
  fc
    .tuple(fc.nat(count), fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: count })))
    .map(([start, length]) => ({ startMs: start * unitMs, endMs: (start + length) * unitMs }));

const entryAt = (k: number, { startMs, endMs }: { startMs: number; endMs: number }): Entry => ({
  scheduleId: `s${k}`,
  sku: null,
  componentId: null,
  registration: k,
  startMs,
  endMs,
});

test("a list gives the same as a plain array after any additions, removals and cuts", () => {
  const action = fc.record({
    kind: fc.constantFrom("add", "add", "add", "remove", "change", "search", "find"),
    pick: fc.nat(10_000),
    period: period(1, 60),
  });
  fc.assert(
    fc.property(fc.array(action, { minLength: 100, maxLength: 600 }), (actions) => {
      const list = new ScheduleList<Entry>();
      const plain: Entry[] = [];
      actions.forEach(({ kind, pick, period: chosen }, k) => {
        const { startMs, endMs } = chosen;
        const at = plain.length === 0 ? -1 : pick % plain.length;
        if (kind === "add") {
          const entry = entryAt(k, chosen);
          list.add(entry);
          plain.push(entry);
        } else if (kind === "search")
          expect(list.overlapping(startMs, endMs)).toEqual(
            plain.filter((entry) => entry.startMs < endMs && startMs < entry.endMs),
          );
        else if (at < 0) expect(list.overlapping(startMs, endMs)).toEqual([]);
        else if (kind === "remove") {
          const [entry] = plain.splice(at, 1);
          list.remove(entry);
          expect([list.has(entry), list.find(entry.scheduleId)]).toEqual([false, undefined]);
        } else if (kind === "change") list.changePeriod(plain[at], chosen);
        else expect(list.find(plain[at].scheduleId)).toBe(plain[at]);
      });
      expect([...list]).toEqual(plain);
      expect(list.size).toBe(plain.length);
      for (let atMs = 0; atMs < 125; atMs += 7)
        expect(list.overlapping(atMs, atMs + 5)).toEqual(
          plain.filter((entry) => entry.startMs < atMs + 5 && atMs < entry.endMs),
        );
    }),
    { numRuns: runs(1_000, 20) },
  );
});

test("a schedule of an inherited id is found after the former one is removed", () => {
  const list = new ScheduleList<Entry>();
  const former = entryAt(1, { startMs: 0, endMs: 5 });
  const heir = { ...former, registration: 2 };
  list.add(former);
  expect(list.find("s1")).toBe(former);
  list.remove(former);
  list.add(heir);
  expect(list.find("s1")).toBe(heir);
});

test("the schedules at the ends of a new one give the same refusal as all schedules", () => {
  const UNIT_MS = 15_000;
  const schedule = fc.record({
    sku: fc.constantFrom("frr" as const, "rr" as const, "exchange-da" as const, "exchange-ttv" as const, null),
    componentId: fc.constantFrom(null, null, "a", "b"),
    isDirect: fc.boolean(),
    period: period(UNIT_MS, 80),
  });
  const seen = { refused: 0, accepted: 0 };
  fc.assert(
    fc.property(fc.array(schedule, { minLength: 2, maxLength: 30 }), (schedules) => {
      const [ofVpp, direct] = [new ScheduleList<Entry>(), new ScheduleList<Entry>()];
      schedules.forEach(({ sku, componentId, isDirect, period: { startMs, endMs } }, k) => {
        const own = isDirect ? direct : ofVpp;
        const added: Entry = { ...entryAt(k, { startMs, endMs }), sku, componentId: isDirect ? componentId : null };
        const expected = findShortPiece([...ofVpp, ...direct], added);
        const found = checkRemainingPieces(
          [...schedulesAtEnds(ofVpp, added), ...schedulesAtEnds(direct, added)],
          added,
        );
        if (expected === null) expect(found).toBeNull();
        else expect(found?.details).toContain(`from ${isoUtc(expected[0])} to ${isoUtc(expected[1])}`);
        const overlap = resolveOverlap([...own], added);
        expect(resolveOverlap(own.overlapping(startMs, endMs), added)).toEqual(overlap);
        seen[expected === null && overlap.ok ? "accepted" : "refused"]++;
        if (expected !== null || !overlap.ok) return;
        const { inheritedFrom, deleted, cuts } = overlap.value;
        for (const old of inheritedFrom === null ? deleted : [inheritedFrom, ...deleted]) own.remove(old);
        for (const { schedule: old, front, rear } of cuts) {
          if (front !== null && rear !== null) own.add({ ...old, ...rear, scheduleId: `${k} after ${old.scheduleId}` });
          own.changePeriod(old, front ?? rear ?? old);
        }
        own.add(added);
      });
    }),
    { numRuns: runs(3_000, 200) },
  );
  expect(Math.min(seen.refused, seen.accepted)).toBeGreaterThan(100);
});
