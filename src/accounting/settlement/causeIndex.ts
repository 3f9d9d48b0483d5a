import { CAUSES, type Cause } from "./causes.ts";

export const CAUSE_INDEX = Object.fromEntries(CAUSES.map((cause, index) => [cause, index])) as Readonly<
  Record<Cause, number>
>;

/**
 * Splits a total over causes in proportion to weights.
 *
 * @param weights one per cause, at least 0
 * @param parts one per cause; the parts of `total` are added to it and sum to `total` up to rounding
 */
export function addInProportion(total: number, weights: Float64Array, parts: Float64Array): void {
  let sum = 0;
  for (let c = 0; c < weights.length; c++) sum += weights[c];
  if (total <= 0 || sum <= 0) return;
  const share = total / sum;
  for (let c = 0; c < weights.length; c++) parts[c] += weights[c] * share;
}
