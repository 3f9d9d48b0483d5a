import { describe, expect, test } from "vitest";
import { type RandomStream, RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { frontOf, nonDominatedLayers } from "../../src/study/statistics/front.ts";
import { frontShares } from "../../src/study/statistics/frontShare.ts";
import { runs } from "../depth.ts";

const streamOf = (owner: string, seed = 51): RandomStream => new RandomStreams(seed).getStream("front", owner);

type Costs = readonly number[];

const dominates = (a: Costs, b: Costs): boolean =>
  a.every((cost, k) => cost <= b[k]) && a.some((cost, k) => cost < b[k]);

/** By the definition: the points that no remaining one dominates are taken away, layer by layer. */
function layersByDefinition(points: readonly Costs[]): number[] {
  const layers = points.map(() => -1);
  const rest = new Set([...points.keys()].filter((k) => points[k].every(Number.isFinite)));
  let layer = 0;
  for (; rest.size > 0; layer++) {
    const free = [...rest].filter((k) => ![...rest].some((other) => dominates(points[other], points[k])));
    for (const k of free) {
      layers[k] = layer;
      rest.delete(k);
    }
  }
  return layers.map((found) => (found < 0 ? layer : found));
}

function frontByDefinition(points: readonly Costs[]): number[] {
  const layers = layersByDefinition(points);
  return [...points.keys()]
    .filter((k) => layers[k] === 0 && points[k].every(Number.isFinite))
    .filter((k) => !points.some((other, place) => place < k && other.every((cost, of) => cost === points[k][of])))
    .sort((i, j) => {
      const different = points[i].findIndex((cost, of) => cost !== points[j][of]);
      return points[i][different] - points[j][different];
    });
}

/** Few different values, so that there are ties, equal points and many layers. */
function drawPoints(stream: RandomStream, costCount: number): number[][] {
  const levels = 1 + Math.floor(20 * stream.nextUniform());
  const cost = () => Math.floor(levels * stream.nextUniform()) - 5;
  const unknown = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return Array.from({ length: Math.floor(50 * stream.nextUniform()) }, (_, k) =>
    Array.from({ length: costCount }, () => (stream.nextUniform() < 0.02 ? unknown[k % 3] : cost())),
  );
}

describe("layers of non-domination", () => {
  test("by hand", () => {
    // The first four descend; then a point behind two of them, one behind that, and one that equals the second.
    const points = [
      [1, 9],
      [3, 5],
      [4, 3],
      [9, 1],
      [5, 6],
      [6, 6],
      [3, 5],
    ];
    expect(nonDominatedLayers(points)).toEqual([0, 0, 0, 0, 1, 2, 0]);
    expect(frontOf(points)).toEqual([0, 1, 2, 3]);
    // A third cost lets the last but one into the front.
    const third = [4, 4, 4, 4, 4, 1, 4];
    expect(nonDominatedLayers(points.map((costs, k) => [...costs, third[k]]))).toEqual([0, 0, 0, 0, 1, 0, 0]);
  });

  test("put points of unknown costs behind all others", () => {
    const points = [
      [1, Number.POSITIVE_INFINITY],
      [2, 2],
      [Number.NaN, 0],
      [3, 3],
      [Number.NEGATIVE_INFINITY, 0],
    ];
    expect(nonDominatedLayers(points)).toEqual([2, 0, 2, 1, 2]);
    expect(frontOf(points)).toEqual([1]);
    expect(nonDominatedLayers([[Number.NaN, 1]])).toEqual([0]);
    expect(frontOf([[Number.NaN, 1]])).toEqual([]);
    expect(nonDominatedLayers([])).toEqual([]);
  });

  test.each([2, 3])("of %i costs are those of the definition, like the front", (costCount) => {
    const stream = streamOf(`${costCount}`);
    for (let trial = 0; trial < runs(2000, 300); trial++) {
      const points = drawPoints(stream, costCount);
      expect(nonDominatedLayers(points)).toEqual(layersByDefinition(points));
      expect(frontOf(points)).toEqual(frontByDefinition(points));
    }
  });

  test("of thirty thousand points on one front, and of as many behind each other", () => {
    const count = 30_000;
    const falling = Array.from({ length: count }, (_, k) => [k, -k]);
    expect(frontOf(falling)).toHaveLength(count);
    expect(new Set(nonDominatedLayers(falling))).toEqual(new Set([0]));
    const rising = Array.from({ length: count }, (_, k) => [k, k, k]).reverse();
    expect(frontOf(rising)).toEqual([count - 1]);
    expect(nonDominatedLayers(rising)).toEqual(rising.map(([cost]) => cost));
  });

  test("refuse one cost and four", () => {
    expect(() => frontOf([[1]])).toThrow("two or three costs");
    expect(() => nonDominatedLayers([[1, 2, 3, 4]])).toThrow("two or three costs");
  });
});

describe("shares of resamples on the front", () => {
  test("are those of resampled means by the definition", () => {
    const values = streamOf("values");
    for (const costCount of [2, 3]) {
      // Seven candidates, of which one has more seeds, and one equals another.
      const perSeed = Array.from({ length: 7 }, (_, k) =>
        Array.from({ length: costCount }, () =>
          Array.from({ length: k === 2 ? 9 : 5 }, () => Math.floor(30 * values.nextUniform())),
        ),
      );
      perSeed.push(perSeed[0]);
      const means = perSeed.map((costs) => costs.map((list) => list.slice(0, 5).reduce((sum, cost) => sum + cost)));
      const front = [...frontOf(means), 7];
      const draws = streamOf("draws");
      const counts = front.map(() => 0);
      for (let resample = 0; resample < 200; resample++) {
        const seeds = Array.from({ length: 5 }, () => Math.floor(5 * draws.nextUniform()));
        const resampled = perSeed.map((costs) => costs.map((list) => seeds.reduce((sum, seed) => sum + list[seed], 0)));
        front.forEach((k, place) => {
          if (!resampled.some((other) => dominates(other, resampled[k]))) counts[place]++;
        });
      }
      const shares = frontShares(perSeed, front, streamOf("draws"));
      expect(shares).toEqual(counts.map((count) => count / 200));
      expect(shares.some((share) => 0 < share && share < 1)).toBe(true);
      const packed = perSeed.map((costs) => costs.map((list) => Float64Array.from(list)));
      expect(frontShares(packed, front, streamOf("draws"))).toEqual(shares);
      expect(frontShares(packed, front, streamOf("draws", 52))).not.toEqual(shares);
    }
  });

  test("are 1 where the seeds have no part, and none without a front", () => {
    const noise = [5, 80, 3, 41];
    const perSeed = [
      [0, 3],
      [1, 1],
      [4, 0],
      [4, 4],
    ].map((costs) => costs.map((cost) => noise.map((by) => cost + by)));
    expect(frontShares(perSeed, [0, 1, 2], streamOf("common"))).toEqual([1, 1, 1]);
    expect(frontShares(perSeed, [3], streamOf("common"))).toEqual([0]);
    expect(frontShares([], [], streamOf("common"))).toEqual([]);
  });
});
