import { assert } from "../../base/assert.ts";

/** Costs of one candidate in two or three KPIs; less is better. */
type Costs = readonly number[];

/**
 * The layer of non-domination of each point: 0 for those that no other one dominates, 1 for those that only points of
 * layer 0 dominate, and so on. A point dominates another one if no cost of it is higher and one is lower, so equal
 * points share a layer. Points with a cost that is not finite form the last layer.
 *
 * @see Zhang, Tian, Cheng, Jin, An efficient approach to nondominated sorting for evolutionary multiobjective
 * optimization, IEEE Transactions on Evolutionary Computation 19 (2015): points in order, layers by binary search
 */
export function nonDominatedLayers(points: readonly Costs[]): number[] {
  const found: Staircase[] = [];
  const layers = new Array<number>(points.length).fill(Number.POSITIVE_INFINITY);
  let previous = -1;
  for (const k of finiteInOrder(points)) {
    if (previous >= 0 && compareCosts(points[k], points[previous]) === 0) layers[k] = layers[previous];
    else {
      // If a layer covers a point, all layers before it do.
      layers[k] = countLeading(found.length, (layer) => covers(found[layer], points[k]));
      if (layers[k] === found.length) found.push([]);
      addTo(found[layers[k]], points[k]);
    }
    previous = k;
  }
  return layers.map((layer) => Math.min(layer, found.length));
}

/**
 * Indices of the points with finite costs that no other one dominates. Sorted by the first cost, then by the next ones;
 * of equal points the first one.
 */
export function frontOf(points: readonly Costs[]): number[] {
  const stairs: Staircase = [];
  return finiteInOrder(points).filter((k) => {
    if (covers(stairs, points[k])) return false;
    addTo(stairs, points[k]);
    return true;
  });
}

function finiteInOrder(points: readonly Costs[]): number[] {
  assert(
    points.every(({ length }) => length === 2 || length === 3),
    "a point of a front has two or three costs",
  );
  return points
    .map((_, k) => k)
    .filter((k) => points[k].every((cost) => Number.isFinite(cost)))
    .sort((i, j) => compareCosts(points[i], points[j]));
}

const compareCosts = (a: Costs, b: Costs): number => a[0] - b[0] || a[1] - b[1] || (a[2] ?? 0) - (b[2] ?? 0);

/**
 * What the points of a layer dominate. Points come in the order of their first cost, so that the other ones decide. From
 * step to step the second cost does not fall, and the third falls; of two costs there is a single step.
 */
type Staircase = { readonly second: number; readonly third: number }[];

/** Whether no cost of some point of the layer is higher. */
function covers(stairs: Staircase, [, second, third = 0]: Costs): boolean {
  const count = countLeading(stairs.length, (k) => stairs[k].second <= second);
  return count > 0 && stairs[count - 1].third <= third;
}

/** Adds a point that the layer does not cover. */
function addTo(stairs: Staircase, [, second, third = 0]: Costs): void {
  const place = countLeading(stairs.length, (k) => stairs[k].second <= second);
  const end = countLeading(stairs.length, (k) => k < place || third <= stairs[k].third);
  stairs.splice(place, end - place, { second, third });
}

/** Number of the first items for which a condition holds, if it holds for none after them. */
function countLeading(itemCount: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = itemCount;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
