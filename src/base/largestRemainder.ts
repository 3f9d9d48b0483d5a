/**
 * Whole numbers that sum to a whole total and are as near as can be to given parts: each is rounded down, what is left
 * goes to the largest remainders, ties in order.
 *
 * @param parts at least 0, summing to about `total`
 */
export function wholeParts(total: number, parts: ArrayLike<number>): Float64Array {
  const whole = Float64Array.from(parts, Math.floor);
  let left = total - whole.reduce((sum, part) => sum + part, 0);
  const order = Array.from(whole.keys()).sort((a, b) => parts[b] - whole[b] - (parts[a] - whole[a]) || a - b);
  // Rounding errors of the parts can leave a little more, or less, than one for each.
  for (let k = 0; left > 0 && order.length > 0; k = (k + 1) % order.length, left--) whole[order[k]]++;
  for (let k = order.length - 1; left < 0 && 0 <= k; k--)
    if (whole[order[k]] > 0) {
      whole[order[k]]--;
      left++;
    }
  return whole;
}
