/** The value of a key from a file or a request; a plain object also answers to `constructor` and `__proto__`. */
export const ownValue = <T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
