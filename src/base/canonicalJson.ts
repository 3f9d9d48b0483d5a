/**
 * JSON with sorted keys and without white space: equal values give equal bytes.
 *
 * `undefined` members are left out, as in JSON. Numbers print as ECMAScript prints them.
 */
export const canonicalJson = (value: unknown): string => textOf(value, new KeyOrder(), asItIs);

/**
 * The same as a function that remembers the order of keys.
 *
 * @param replace  gives what is written in the place of each value
 */
export function canonicalWriter(replace: (value: unknown) => unknown): (value: unknown) => string {
  const order = new KeyOrder();
  return (value) => textOf(value, order, replace);
}

const asItIs = (value: unknown): unknown => value;

/** Characters of a piece of a list. */
const PIECE_LENGTH = 1 << 16;

/** Canonical JSON of a list, piece by piece: that of a year of awards is a long text. */
export function* canonicalPieces(items: readonly unknown[]): Iterable<string> {
  const order = new KeyOrder();
  let piece = "[";
  for (let k = 0; k < items.length; k++) {
    piece += (k === 0 ? "" : ",") + textOf(items[k], order, asItIs);
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}]`;
}

function textOf(given: unknown, order: KeyOrder, replace: (value: unknown) => unknown): string {
  const value = replace(given);
  // JSON.stringify prints a finite number alike, in more time.
  if (typeof value === "number" && Number.isFinite(value)) return `${value}`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === "" ? "" : ","}${textOf(item, order, replace)}`;
    return `[${text}]`;
  }
  const { keys, labels } = order.of(value);
  for (let k = 0; k < keys.length; k++) {
    const member = (value as Readonly<Record<string, unknown>>)[keys[k]];
    if (member !== undefined) text += `${text === "" ? "" : ","}${labels[k]}${textOf(member, order, replace)}`;
  }
  return `{${text}}`;
}

/** Sorted keys, remembered from one object to the next: a year of awards has the same keys in each. */
export class KeyOrder {
  private given: readonly string[] = [];
  private sorted: SortedKeys = { keys: [], labels: [] };

  of(value: object): SortedKeys {
    const keys = Object.keys(value);
    if (!this.isKnown(keys)) {
      const inOrder = [...keys].sort(byCodeUnits);
      this.given = keys;
      this.sorted = { keys: inOrder, labels: inOrder.map((key) => `${JSON.stringify(key)}:`) };
    }
    return this.sorted;
  }

  private isKnown(keys: readonly string[]): boolean {
    if (keys.length !== this.given.length) return false;
    for (let k = 0; k < keys.length; k++) if (keys[k] !== this.given[k]) return false;
    return true;
  }
}

interface SortedKeys {
  readonly keys: readonly string[];
  /** Each key as the text before its member. */
  readonly labels: readonly string[];
}

/** The members of an object that canonical JSON has, in its order. */
export const sortedEntries = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => byCodeUnits(a, b));

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : 1);
