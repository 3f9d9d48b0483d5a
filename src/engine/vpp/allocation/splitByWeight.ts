import { assert } from "../../../base/assert.ts";
import { TIE_TOLERANCE } from "../../../base/roundByLargestRemainder.ts";

/** Arrays for the remainders of at least as many participants; their values do not outlast a call. */
interface SplitScratch {
  readonly remainders: Float64Array;
  readonly sortedRemainders: Float64Array;
}

/**
 * Splits a whole number of tenths of kW by weight, by largest remainder.
 *
 * @param totalTenths  whole, at least 0
 * @param weights      one per participant, in order of registration, above 0
 * @param sharesTenths output: whole tenths, same order; they sum to the total
 */
export function splitByWeight(
  totalTenths: number,
  weights: Float64Array,
  count: number,
  sharesTenths: Int32Array,
  { remainders, sortedRemainders: sorted }: SplitScratch,
): void {
  let weightSum = 0;
  for (let i = 0; i < count; i++) weightSum += weights[i];
  assert(count > 0 && weightSum > 0, "at least one participant has a weight above 0");
  let remaining = totalTenths;
  let floor = 0;
  let remainder = 0;
  for (let i = 0; i < count; i++) {
    // Equal weights mostly follow each other.
    if (i === 0 || weights[i] !== weights[i - 1]) {
      const exact = (totalTenths * weights[i]) / weightSum;
      floor = Math.floor(exact + TIE_TOLERANCE);
      remainder = exact - floor;
    }
    sharesTenths[i] = floor;
    remainders[i] = remainder;
    sorted[i] = remainder;
    remaining -= floor;
  }
  assert(0 <= remaining && remaining < count, "fewer tenths remain than there are participants");
  if (remaining > 0)
    addToLargestRemainders(remainders, nthSmallest(sorted, count, count - remaining), count, remaining, sharesTenths);
}

/** Adds one tenth to each of the `remaining` largest remainders, ties in order. @param threshold  the smallest of them */
function addToLargestRemainders(
  remainders: Float64Array,
  threshold: number,
  count: number,
  remaining: number,
  sharesTenths: Int32Array,
): void {
  let tieCount = remaining;
  for (let i = 0; i < count; i++)
    if (remainders[i] > threshold + TIE_TOLERANCE) {
      sharesTenths[i]++;
      tieCount--;
    }
  for (let i = 0; i < count && tieCount > 0; i++)
    if (Math.abs(remainders[i] - threshold) <= TIE_TOLERANCE) {
      sharesTenths[i]++;
      tieCount--;
    }
}

/**
 * Splits by weight within capabilities. Shares above a capability are cut, and the excess is split again among the other
 * participants, without rounding, until no share exceeds a capability. The result is rounded by largest remainder
 * (docs/model/allocation.md#shares, docs/model/allocation.md#delta-excess).
 *
 * @param capsTenths capability of each participant in whole tenths, at least 0
 * @returns the excess beyond all capabilities, in tenths
 */
export function fillByWeight(
  totalTenths: number,
  weights: Float64Array,
  capsTenths: Int32Array,
  count: number,
  sharesTenths: Int32Array,
  scratch: SplitScratch,
): number {
  const isFull = new Uint8Array(count);
  let remaining = totalTenths;
  for (let changed = true; changed; ) {
    changed = false;
    let weightSum = 0;
    for (let i = 0; i < count; i++) if (isFull[i] === 0) weightSum += weights[i];
    if (weightSum === 0) break;
    const roundTenths = remaining;
    for (let i = 0; i < count; i++)
      if (isFull[i] === 0 && capsTenths[i] <= (roundTenths * weights[i]) / weightSum + TIE_TOLERANCE) {
        isFull[i] = 1;
        sharesTenths[i] = capsTenths[i];
        remaining -= capsTenths[i];
        changed = true;
      }
  }
  const openIndices: number[] = [];
  for (let i = 0; i < count; i++) if (isFull[i] === 0) openIndices.push(i);
  if (openIndices.length === 0) return Math.max(0, remaining);
  const openWeights = Float64Array.from(openIndices, (i) => weights[i]);
  const openShares = new Int32Array(openIndices.length);
  splitByWeight(remaining, openWeights, openIndices.length, openShares, scratch);
  openIndices.forEach((i, k) => {
    sharesTenths[i] = openShares[k];
  });
  return 0;
}

/** Quickselect: the value at index `place` of the first `count` values in ascending order. Reorders `sorted`. */
function nthSmallest(sorted: Float64Array, count: number, place: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = sorted[(low + high) >> 1];
    let i = low;
    let j = high;
    // Values below the pivot move to the front, values above to the back; equal values may be on either side.
    while (i <= j) {
      while (sorted[i] < pivot) i++;
      while (pivot < sorted[j]) j--;
      if (j < i) break;
      const value = sorted[i];
      sorted[i++] = sorted[j];
      sorted[j--] = value;
    }
    if (place <= j) high = j;
    else if (i <= place) low = i;
    else break;
  }
  return sorted[place];
}
