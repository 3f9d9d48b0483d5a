// `Math.min(...values)` exceeds the stack at some 120,000 values.

/** Smallest of any number of values; `Infinity` of none. */
export const smallestOf = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);

/** Largest of any number of values; `-Infinity` of none. */
export const largestOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
