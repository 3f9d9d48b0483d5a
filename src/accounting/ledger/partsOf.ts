import { roundByLargestRemainder } from "../../base/roundByLargestRemainder.ts";
import { toThousandths } from "../../base/rounding.ts";

/**
 * Amounts of either sign as printed, with three decimals, so that they add up to a printed total.
 *
 * @param exact  summing to about `total`
 */
export function partsOf(total: number, exact: Float64Array): Float64Array {
  // Shifted by whole numbers, because only amounts of at least 0 can be rounded.
  const shifts = exact.map((amount) => Math.max(0, -Math.floor(1000 * amount)));
  const parts = exact.map((amount, k) => 1000 * amount + shifts[k]);
  const sum = toThousandths(total) + shifts.reduce((all, shift) => all + shift, 0);
  roundByLargestRemainder(sum, parts, parts);
  return parts.map((part, k) => (part - shifts[k]) / 1000 || 0);
}
