/**
 * Whole numbers that sum to a whole total and are as near as can be to given parts: each is rounded down, what is left
 * goes to the largest remainders, ties in order.
 *
 * @param parts at least 0, summing to about `total`
 * @param whole filled, same order; may be `parts` itself
 */
export function roundByLargestRemainder(total: number, parts: Float64Array, whole: Float64Array): void {
  let left = total;
  const remainders = new Float64Array(parts.length);
  for (let k = 0; k < parts.length; k++) {
    const floor = Math.floor(parts[k]);
    remainders[k] = parts[k] - floor;
    whole[k] = floor;
    left -= floor;
  }
  if (left === 0) return;
  const order = Array.from(whole.keys()).sort((a, b) => remainders[b] - remainders[a] || a - b);
  // Rounding errors of the parts can leave a little more, or less, than one for each.
  for (let k = 0; left > 0 && order.length > 0; k = (k + 1) % order.length, left--) whole[order[k]]++;
  for (let k = order.length - 1; left < 0 && 0 <= k; k--)
    if (whole[order[k]] > 0) {
      whole[order[k]]--;
      left++;
    }
}
