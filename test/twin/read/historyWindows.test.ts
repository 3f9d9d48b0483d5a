import fc from "fast-check";
import { expect, test } from "vitest";
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from "../../../src/base/time.ts";
import { type HistoryRequest, historyRequests, mergePeriods } from "../../../src/twin/read/historyWindows.ts";

const NOW = Date.parse("2026-06-01T00:00:00Z");
const daysBefore = (days: number) => ({ startMs: NOW - days * MS_PER_DAY, endMs: NOW });
const points = ({ startMs, endMs, intervalS }: HistoryRequest) => Math.ceil((endMs - startMs) / (1000 * intervalS));
const limitOf = ({ quantity }: HistoryRequest) => (quantity === "energy" ? 44_640 : 446_400);

/** Instructions of four hours, each second one of FCR. */
function instructions(days: number) {
  const starts = Array.from({ length: 6 * days }, (_, k) => NOW - days * MS_PER_DAY + k * 4 * MS_PER_HOUR);
  const fcrPeriods = starts
    .filter((_, k) => k % 2 === 1)
    .map((startMs) => ({ startMs, endMs: startMs + 4 * MS_PER_HOUR }));
  return { starts, fcrPeriods };
}

test("14 days of 6 sites are few requests", () => {
  const starts = Array.from({ length: 200 }, (_, k) => NOW - 14 * MS_PER_DAY + k * 90 * MS_PER_MINUTE);
  const requests = historyRequests({ period: daysBefore(14), nowMs: NOW, members: 6, starts, fcrPeriods: [] });
  expect(requests.length + 3 + 3 * 6).toBeLessThanOrEqual(400);
  const all = historyRequests({ period: daysBefore(14), nowMs: NOW, members: 6, ...instructions(14) });
  expect(all.length + 3 + 3 * 6).toBeLessThanOrEqual(400);
});

test("a hundred members and 60 days: number and size of the requests", () => {
  const requests = historyRequests({ period: daysBefore(60), nowMs: NOW, members: 100, ...instructions(60) });
  const of = (quantity: string, intervalS: number) =>
    requests.filter((each) => each.quantity === quantity && each.intervalS === intervalS);
  // 2,880 half hours, 446 at a time; 86,400 minutes, 4,464 at a time.
  expect([of("energy", 1800).length, of("power", 60).length]).toEqual([7, 20]);
  for (const request of requests) {
    expect(points(request)).toBeLessThanOrEqual(44_640);
    expect(100 * points(request)).toBeLessThanOrEqual(limitOf(request));
  }
  const fine = of("power", 1);
  const seconds = fine.reduce((sum, each) => sum + points(each), 0);
  // A minute before each of the 180 periods of FCR, the period itself, and four minutes of the instruction that follows or begins all.
  expect(seconds).toBe(180 * (60 + 4 * 3600 + 240));
  expect(requests.length).toBeLessThan(1000);
});

test("every instant of the period is read once, in order, whatever the members", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 364 }),
      fc.integer({ min: 0, max: 50 }),
      (members, days, count) => {
        const starts = Array.from({ length: count }, (_, k) => NOW - days * MS_PER_DAY + k * 7 * MS_PER_MINUTE);
        const requests = historyRequests({ period: daysBefore(days), nowMs: NOW, members, starts, fcrPeriods: [] });
        const power = requests.filter(({ intervalS }) => intervalS === 60);
        expect(mergePeriods(power)).toEqual([daysBefore(Math.min(days, 60))]);
        expect(mergePeriods(requests.filter(({ intervalS }) => intervalS === 1800))).toEqual([daysBefore(days)]);
        for (const intervalS of [1, 60, 1800]) {
          const own = requests.filter((each) => each.intervalS === intervalS);
          own.slice(1).forEach(({ startMs }, k) => expect(startMs).toBeGreaterThanOrEqual(own[k].endMs));
        }
        for (const request of requests) {
          expect(members * points(request)).toBeLessThanOrEqual(limitOf(request));
          expect(request.endMs - request.startMs).toBeLessThanOrEqual(31 * MS_PER_DAY);
        }
      },
    ),
  );
});
