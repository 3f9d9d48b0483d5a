// `Math.min(...values)` exceeds the stack at some 120,000 values, and a call for each of a year of minutes takes longer than to read it.

/** Smallest of any number of values; `Infinity` of none, NaN where one of them is. */
export function smallestOf(values: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < values.length; k++) least = Math.min(least, values[k]);
  return least;
}

/** Largest of any number of values; `-Infinity` of none, NaN where one of them is. */
export function largestOf(values: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < values.length; k++) most = Math.max(most, values[k]);
  return most;
}
