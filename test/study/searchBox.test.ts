import { describe, expect, test } from "vitest";
import { RandomStreams } from "../../src/engine/kernel/randomStreams.ts";
import { symmetricEigen } from "../../src/study/search/cmaEs.ts";
import { type Merit, type SearchResult, searchBox } from "../../src/study/search/searchBox.ts";

type Cost = (x: readonly number[]) => number;

/** Looks for the least of a function over a box of equal ranges. */
async function search(
  cost: Cost,
  options: { dimension: number; budget: number; low?: number; high?: number; seed?: number; violation?: Cost },
): Promise<SearchResult & { readonly at: number[]; readonly seen: readonly string[] }> {
  const { dimension, budget, low = -5, high = 5, seed = 1, violation = () => 0 } = options;
  const seen: string[] = [];
  const scaled = (point: ArrayLike<number>) => Array.from(point, (share) => low + (high - low) * share);
  const found = await searchBox(
    { dimension, budget, startPoints: [], stream: new RandomStreams(seed).getStream("test", "search") },
    async (points) =>
      points.map((point): Merit => {
        const x = scaled(point);
        seen.push(x.join(" "));
        return { violation: violation(x), value: cost(x) };
      }),
  );
  return { ...found, at: scaled(found.best), seen };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** All with the least value 0; the sphere's and the ellipsoid's away from the middle, where the search begins. */
const sphere: Cost = (x) => sum(x.map((value) => (value - 1.3) ** 2));
const ellipsoid: Cost = (x) => sum(x.map((value, k) => 1e6 ** (k / (x.length - 1)) * (value + 0.7) ** 2));
const rosenbrock: Cost = (x) => sum(x.slice(1).map((value, k) => 100 * (value - x[k] ** 2) ** 2 + (1 - x[k]) ** 2));
const rastrigin: Cost = (x) => sum(x.map((value) => 10 + (value - 1) ** 2 - 10 * Math.cos(2 * Math.PI * (value - 1))));

describe("the search finds the least value of", () => {
  test.each<[string, Cost, number, number, number]>([
    ["a sphere of 2", sphere, 2, 400, 1e-6],
    ["a sphere of 10", sphere, 10, 2500, 1e-6],
    ["an ellipsoid of 5, axes a thousandfold apart", ellipsoid, 5, 4000, 1e-4],
    ["Rosenbrock's valley of 2", rosenbrock, 2, 2000, 1e-6],
    ["Rosenbrock's valley of 5", rosenbrock, 5, 8000, 1e-4],
    ["Rastrigin's egg box of 2", rastrigin, 2, 6000, 1e-4],
  ])("%s", async (_, cost, dimension, budget, reached) => {
    for (const seed of [1, 2, 3]) {
      const found = await search(cost, { dimension, budget, seed });
      expect(found.merit.value).toBeLessThan(reached);
      expect(found.seen.length).toBeLessThanOrEqual(budget);
    }
  });

  test("a sphere under noise, as near as the noise lets see", async () => {
    const noise = new RandomStreams(3).getStream("test", "noise");
    const found = await search((x) => sphere(x) + 0.01 * noise.nextNormal(), { dimension: 4, budget: 2000 });
    expect(sphere(found.at)).toBeLessThan(0.05);
  });

  test("a slope, whose least value lies in a corner of the box, exactly there", async () => {
    const found = await search((x) => x[0] - 2 * x[1] + x[2], { dimension: 3, budget: 600 });
    expect(found.at).toEqual([-5, 5, -5]);
  });

  test("a sphere beyond a constraint, on the constraint", async () => {
    // Least (x - 1.3)² + (y - 1.3)² with x + y <= 0: x = y = 0, value 2 · 1.69.
    const found = await search(sphere, { dimension: 2, budget: 1500, violation: (x) => Math.max(0, x[0] + x[1]) });
    expect(found.merit.violation).toBe(0);
    expect(found.merit.value).toBeCloseTo(3.38, 2);
    expect(found.merit.value).toBeGreaterThanOrEqual(3.38 - 1e-9);
  });
});

describe("the search", () => {
  test("is the same from the same seed, and another from another", async () => {
    const [one, two, other] = await Promise.all(
      [1, 1, 2].map((seed) => search(rosenbrock, { dimension: 3, budget: 500, seed })),
    );
    expect(two.seen).toEqual(one.seen);
    expect(two.path).toEqual(one.path);
    expect(other.seen).not.toEqual(one.seen);
  });

  test("keeps to its budget and never leaves the box", async () => {
    for (const budget of [1, 5, 77]) {
      const found = await search(sphere, { dimension: 3, budget, low: 0, high: 1 });
      expect(found.seen).toHaveLength(budget);
      expect(found.stopped).toBe("budget");
      for (const line of found.seen)
        for (const text of line.split(" ")) expect(Math.abs(Number(text) - 0.5)).toBeLessThanOrEqual(0.5);
    }
  });

  test("stops where all points are equal", async () => {
    const found = await search(() => 7, { dimension: 2, budget: 100_000 });
    expect(found.stopped).toBe("no progress");
    expect(found.seen.length).toBeLessThan(20_000);
  });

  test("evaluates the given points first", async () => {
    const seen: number[][] = [];
    await searchBox(
      {
        dimension: 2,
        budget: 6,
        startPoints: [
          [0.25, 0.75],
          [1, 2],
        ],
        stream: new RandomStreams(1).getStream("test", "starts"),
      },
      async (points) => {
        seen.push(...points.map((point) => [...point]));
        return points.map(() => ({ violation: 0, value: 0 }));
      },
    );
    expect(seen.slice(0, 2)).toEqual([
      [0.25, 0.75],
      [1, 1],
    ]);
  });
});

describe("eigenvectors", () => {
  test("of a matrix by hand: 2 and 4 along the diagonals", () => {
    const { values, vectors } = symmetricEigen(Float64Array.of(3, 1, 1, 3), 2);
    expect([...values].sort()).toEqual([expect.closeTo(2, 12), expect.closeTo(4, 12)]);
    for (const component of vectors) expect(Math.abs(component)).toBeCloseTo(Math.SQRT1_2, 12);
  });

  test("make the matrix again, and are orthonormal", () => {
    const n = 9;
    const stream = new RandomStreams(4).getStream("test", "matrix");
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = stream.nextNormal();
    const { values, vectors } = symmetricEigen(matrix, n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        let again = 0;
        let product = 0;
        for (let k = 0; k < n; k++) {
          again += vectors[i * n + k] * values[k] * vectors[j * n + k];
          product += vectors[k * n + i] * vectors[k * n + j];
        }
        expect(again).toBeCloseTo(matrix[i * n + j], 10);
        expect(product).toBeCloseTo(i === j ? 1 : 0, 10);
      }
  });
});
