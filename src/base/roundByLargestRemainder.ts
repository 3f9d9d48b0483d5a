import { largestOf } from "./lists.ts";

/** Remainders that differ by at most this are ties (docs/model/time.md#largest-remainder). */
export const TIE_TOLERANCE = 1e-9;

/**
 * Rounds numbers to integers with a given sum, by the largest remainder method; ties in order.
 *
 * @param parts at least 0, summing to about `total`
 * @param whole output, same order; may be `parts` itself
 */
export function roundByLargestRemainder(total: number, parts: Float64Array, whole: Float64Array): void {
  let left = total;
  const remainders = new Float64Array(parts.length);
  for (let k = 0; k < parts.length; k++) {
    const floor = Math.floor(parts[k] + TIE_TOLERANCE);
    remainders[k] = parts[k] - floor;
    whole[k] = floor;
    left -= floor;
  }
  if (left === 0) return;
  if (left === 1) {
    const first = firstLargest(remainders);
    if (first >= 0) whole[first]++;
    return;
  }
  const order = byRemainder(remainders, left);
  // Rounding errors of the parts can leave more than one unit per part, or a negative rest.
  for (let k = 0; left > 0 && order.length > 0; k = (k + 1) % order.length, left--) whole[order[k]]++;
  for (let k = order.length - 1; left < 0 && 0 <= k; k--)
    if (whole[order[k]] > 0) {
      whole[order[k]]--;
      left++;
    }
}

/** The first index whose remainder ties with the largest; -1 where there is none. */
function firstLargest(remainders: Float64Array): number {
  const largest = largestOf(remainders);
  return remainders.findIndex((remainder) => Math.abs(remainder - largest) <= TIE_TOLERANCE);
}

/** Indices with the largest remainders first. Those that tie with the last one to be rounded up are in their own order. */
function byRemainder(remainders: Float64Array, count: number): number[] {
  const order = Array.from(remainders.keys()).sort((a, b) => remainders[b] - remainders[a] || a - b);
  if (count < 1 || order.length < count) return order;
  const threshold = remainders[order[count - 1]];
  const isTie = (k: number): boolean => Math.abs(remainders[k] - threshold) <= TIE_TOLERANCE;
  const larger = order.filter((k) => threshold + TIE_TOLERANCE < remainders[k]);
  const smaller = order.filter((k) => remainders[k] < threshold - TIE_TOLERANCE);
  return [...larger, ...order.filter(isTie).sort((a, b) => a - b), ...smaller];
}
