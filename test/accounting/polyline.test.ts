import { describe, expect, test } from "vitest";
import {
  cutCurve,
  type Polyline,
  PolylineRecorder,
  PolylineSum,
  thinned,
} from "../../src/accounting/recorders/polyline.ts";
import { groupBy } from "../../src/base/lists.ts";

const pointsOf = ({ atMs, values }: Polyline): (readonly [number, number])[] =>
  Array.from(atMs, (at, k) => [at, values[k]] as const);

function record(points: readonly (readonly [number, number])[], pointsMax = 100): Polyline {
  const recorder = new PolylineRecorder(0, pointsMax);
  for (const [at, value] of points) recorder.add(at, value);
  return recorder.finish();
}

describe("points of a polyline", () => {
  test("a constant has its first and last point; a jump is two points at one instant", () => {
    const points = [
      [0, 5],
      [10, 5],
      [10, 5],
      [20, 5],
      [20, -3],
      [30, -3],
    ] as const;
    expect(pointsOf(record(points))).toEqual([
      [0, 5],
      [20, 5],
      [20, -3],
      [30, -3],
    ]);
  });

  test("a slope keeps all its points", () => {
    const points = [0, 1, 2, 3].map((k) => [k, k * k] as const);
    expect(pointsOf(record(points))).toEqual(points);
    expect(record(points).thinnedMs).toBe(0);
  });
});

describe("thinning", () => {
  // 5,000 points, 700 ms apart, with two narrow extremes.
  const raw = Array.from({ length: 5000 }, (_, k) => {
    const value = k === 137 ? 900 : k === 3731 ? -700 : 100 * Math.sin(k / 9) + 30 * Math.sin(k * 1.7);
    return [k * 700, value] as const;
  });

  test.each([16, 100, 1000, 4999])(
    "to %i points: every period has its first, lowest, highest and last",
    (pointsMax) => {
      const line = record(raw, pointsMax);
      expect(line.atMs.length).toBeLessThanOrEqual(pointsMax);
      expect(line.thinnedMs).toBeGreaterThan(0);
      const shown = pointsOf(line);
      const byPeriod = (points: readonly (readonly [number, number])[]) =>
        groupBy(points, ([at]) => Math.floor(at / line.thinnedMs));
      const keptOf = byPeriod(shown);
      for (const [period, all] of byPeriod(raw)) {
        const kept = keptOf.get(period) ?? [];
        expect(kept[0]).toEqual(all[0]);
        expect(kept.at(-1)).toEqual(all.at(-1));
        for (const extreme of [Math.min, Math.max])
          expect(extreme(...kept.map(([, value]) => value))).toBe(extreme(...all.map(([, value]) => value)));
        expect(all).toEqual(expect.arrayContaining(kept));
      }
    },
  );

  test("a thinned polyline is thinned further without losing an extreme", () => {
    const twice = thinned(record(raw, 1000), 50);
    expect(twice.atMs.length).toBeLessThanOrEqual(50);
    expect([Math.max(...twice.values), Math.min(...twice.values)]).toEqual([900, -700]);
  });
});

describe("sum of pieces", () => {
  const period = { startMs: 0, endMs: 100 };
  const pieces = [
    [10, 40, 100, 100],
    [20, 60, 0, 80],
    [40, 60, 50, 50],
  ] as const;
  // 20..40: 100 + 2 kW a ms from 20 on; at 40 the first piece ends and the third begins.
  const expected = [
    [0, 0],
    [10, 0],
    [10, 100],
    [20, 100],
    [40, 140],
    [40, 90],
    [60, 130],
    [60, 0],
    [100, 0],
  ];

  test.each([
    ["in order", [0, 1, 2], 1000],
    ["in reverse", [2, 1, 0], 1000],
    ["with sums in between", [1, 0, 2], 64],
  ])("%s", (_, order, piecesMax) => {
    const sum = new PolylineSum(0, 1000, piecesMax);
    // Pieces that cancel, so that the sum is made several times.
    for (let k = 0; k < 100; k++) for (const sign of [1, -1]) sum.add(70, 80, sign * k, sign * k);
    for (const [from, to, fromValue, toValue] of order.map((k) => pieces[k])) sum.add(from, to, fromValue, toValue);
    expect(pointsOf(sum.finish(period))).toEqual(expected);
  });

  test("without pieces it is 0", () => {
    expect(pointsOf(new PolylineSum(0, 10).finish(period))).toEqual([
      [0, 0],
      [100, 0],
    ]);
  });
});

describe("a part of a polyline", () => {
  const curve = record([
    [0, 0],
    [10, 10],
    [20, 10],
    [20, -4],
    [40, -4],
  ]);

  test("begins at the start of the period with the value there, and ends in it", () => {
    expect(pointsOf(cutCurve(curve, { startMs: 4, endMs: 30 }))).toEqual([
      [4, 4],
      [10, 10],
      [20, 10],
      [20, -4],
    ]);
  });

  test("has the points at its start, and none before", () => {
    expect(pointsOf(cutCurve(curve, { startMs: 10, endMs: 40 }))[0]).toEqual([10, 10]);
    // A jump at the start is one of the period.
    expect(pointsOf(cutCurve(curve, { startMs: 20, endMs: 40 }))).toEqual([
      [20, 10],
      [20, -4],
      [40, -4],
    ]);
  });
});
