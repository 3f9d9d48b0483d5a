import { CAUSES, type Cause } from "./causes.ts";

export const CAUSE_INDEX = Object.fromEntries(CAUSES.map((cause, index) => [cause, index])) as Readonly<
  Record<Cause, number>
>;

/**
 * Splits a total over causes in proportion to what each cause lacks, so that the parts sum to the total.
 *
 * @param lacks one per cause, at least 0
 * @param parts one per cause; what is added to it sums to `total` exactly in real numbers
 */
export function addInProportion(total: number, lacks: Float64Array, parts: Float64Array): void {
  let sum = 0;
  for (let c = 0; c < lacks.length; c++) sum += lacks[c];
  if (total <= 0 || sum <= 0) return;
  const share = total / sum;
  for (let c = 0; c < lacks.length; c++) parts[c] += lacks[c] * share;
}
