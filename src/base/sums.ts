export function sumOf(values: Iterable<number>): number;
export function sumOf<T>(items: Iterable<T>, quantityOf: (item: T) => number): number;
/** The sum in the order of the items, so that it is the same in every run; 0 of none. */
export function sumOf<T>(items: Iterable<T>, quantityOf: (item: T) => number = Number): number {
  let sum = 0;
  for (const item of items) sum += quantityOf(item);
  return sum;
}

/** NaN of none. */
export const meanOf = (values: readonly number[] | Float64Array): number => sumOf(values) / values.length;
