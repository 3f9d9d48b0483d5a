/** The length of the intervals of a file: the shortest, since an interval over a clock change may seem longer. */
export const shortestLengthMs = (lengths: readonly number[]): number | undefined =>
  lengths.length === 0 ? undefined : lengths.reduce((a, b) => Math.min(a, b));
