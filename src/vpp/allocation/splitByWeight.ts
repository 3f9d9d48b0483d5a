import { assert } from "../../base/assert.ts";

/** Remainders closer than this are ties, which the order of registration decides (docs/model/time.md#floor-to-tenths). */
const TIE = 1e-9;

/**
 * Splits a whole number of tenths of kW by weight, by largest remainder.
 *
 * @param totalTenths  whole, at least 0
 * @param weights      one per sharer, in order of registration, above 0
 * @param sharesTenths filled with whole tenths, same order; they sum to the total
 */
export function splitByWeight(
  totalTenths: number,
  weights: Float64Array,
  count: number,
  sharesTenths: Int32Array,
): void {
  let weightSum = 0;
  for (let i = 0; i < count; i++) weightSum += weights[i];
  assert(count > 0 && weightSum > 0, "there is somebody to share with");
  const { remainders, ranged } = scratch(count);
  let left = totalTenths;
  for (let i = 0; i < count; i++) {
    const exact = (totalTenths * weights[i]) / weightSum;
    const floor = Math.floor(exact + TIE);
    sharesTenths[i] = floor;
    remainders[i] = exact - floor;
    ranged[i] = exact - floor;
    left -= floor;
  }
  assert(0 <= left && left < count, "each remainder is below one tenth");
  if (left > 0) addToLargestRemainders(remainders, nthSmallest(ranged, count, count - left), count, left, sharesTenths);
}

/** Adds one tenth to the `left` largest remainders, ties in order. @param threshold  the least of them */
function addToLargestRemainders(
  remainders: Float64Array,
  threshold: number,
  count: number,
  left: number,
  sharesTenths: Int32Array,
): void {
  let ofTies = left;
  for (let i = 0; i < count; i++)
    if (remainders[i] > threshold + TIE) {
      sharesTenths[i]++;
      ofTies--;
    }
  for (let i = 0; i < count && ofTies > 0; i++)
    if (Math.abs(remainders[i] - threshold) <= TIE) {
      sharesTenths[i]++;
      ofTies--;
    }
}

/**
 * Splits by weight within capabilities: what a member cannot take is shared again among those with room, in full
 * precision, until nothing is left or nobody has room; then rounded by largest remainder (docs/model/allocation.md#shares, docs/model/allocation.md#delta-excess).
 *
 * @param capabilityTenths whole tenths each sharer can take, at least 0
 * @returns what nobody could take, in tenths
 */
export function fillByWeight(
  totalTenths: number,
  weights: Float64Array,
  capsTenths: Int32Array,
  count: number,
  sharesTenths: Int32Array,
): number {
  const full = new Uint8Array(count);
  let left = totalTenths;
  for (let changed = true; changed; ) {
    changed = false;
    let weightSum = 0;
    for (let i = 0; i < count; i++) if (full[i] === 0) weightSum += weights[i];
    if (weightSum === 0) break;
    const round = left;
    for (let i = 0; i < count; i++)
      if (full[i] === 0 && capsTenths[i] <= (round * weights[i]) / weightSum + TIE) {
        full[i] = 1;
        sharesTenths[i] = capsTenths[i];
        left -= capsTenths[i];
        changed = true;
      }
  }
  const open: number[] = [];
  for (let i = 0; i < count; i++) if (full[i] === 0) open.push(i);
  if (open.length === 0) return Math.max(0, left);
  const openWeights = Float64Array.from(open, (i) => weights[i]);
  const openShares = new Int32Array(open.length);
  splitByWeight(left, openWeights, open.length, openShares);
  open.forEach((i, k) => {
    sharesTenths[i] = openShares[k];
  });
  return 0;
}

/** The value that would stand at `place` if the first `count` were sorted, which they are in part when it is found. */
function nthSmallest(ranged: Float64Array, count: number, place: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = ranged[(low + high) >> 1];
    let i = low;
    let j = high;
    // Those below the pivot go to the front, those above to the back; the ones like it may go to either side.
    while (i <= j) {
      while (ranged[i] < pivot) i++;
      while (pivot < ranged[j]) j--;
      if (j < i) break;
      const value = ranged[i];
      ranged[i++] = ranged[j];
      ranged[j--] = value;
    }
    if (place <= j) high = j;
    else if (i <= place) low = i;
    else break;
  }
  return ranged[place];
}

/** Used again and again; nothing in it outlasts a call. */
let scratches = { remainders: new Float64Array(128), ranged: new Float64Array(128) };

function scratch(count: number): typeof scratches {
  if (scratches.ranged.length < count)
    scratches = { remainders: new Float64Array(2 * count), ranged: new Float64Array(2 * count) };
  return scratches;
}
