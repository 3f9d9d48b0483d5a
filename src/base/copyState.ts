import { BugError } from "./assert.ts";

/**
 * Base of all classes whose objects are the state of a run, and can therefore be copied by `copyState`.
 *
 * A copy has to have the hidden class that the engine gave its original, or everything that reads both becomes several
 * times as slow. That comes with the constructor, which a copy must not run; but that of a class with a base can be had
 * by running the base's alone, and this base does nothing.
 */
export class Copyable {}

/**
 * Copies an object with everything that can be reached from it. The copy and the original have nothing in common but
 * what is shared, and what was one object stays one: in cycles, as a key, or as the memory of several typed arrays.
 *
 * Copied are plain objects, arrays, maps, sets, typed arrays and `Copyable` objects. Whatever else is found is a bug: a
 * function may hold state that nobody can see, as may a `#private` field, which therefore no `Copyable` has.
 *
 * @param isShared  what never changes, or is code
 */
export function copyState<Root extends object>(root: Root, isShared: (value: object) => boolean): Root {
  const copying = new Copying(isShared);
  try {
    const copy = copying.copyOf(root);
    copying.fillAll();
    // A copy is of the kind of its original.
    return copy as Root;
  } catch (error) {
    if (!(error instanceof CannotCopy)) throw error;
    throw new BugError(`a run cannot be copied: ${pathTo(root, error.value, isShared)} is ${kindOf(error.value)}`);
  }
}

/** Everything that can be reached from some values and has an identity, functions too; not the keys of objects. */
export function everythingIn(roots: readonly unknown[]): Set<unknown> {
  const found = new Set<unknown>();
  const waiting = [...roots];
  for (;;) {
    if (waiting.length === 0) return found;
    const value = waiting.pop();
    if (isPrimitive(value) || found.has(value)) continue;
    found.add(value);
    for (const [, part] of partsOf(value as object)) waiting.push(part);
  }
}

const isPrimitive = (value: unknown): boolean =>
  value === null || (typeof value !== "object" && typeof value !== "function");

/** Each makes what a path calls it. */
function partsOf(value: object): [string, unknown][] {
  if (ArrayBuffer.isView(value)) return [];
  if (value instanceof Map)
    return [...value].flatMap(([key, item]) => [
      ["(a key)", key],
      [`(${String(key)})`, item],
    ]);
  if (value instanceof Set) return [...value].map((item) => ["(an item)", item]);
  if (Array.isArray(value)) return value.map((item, k) => [`[${k}]`, item]);
  return Object.entries(value).map(([key, item]) => [`.${key}`, item]);
}

class CannotCopy extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super("");
    this.value = value;
  }
}

/** By lists of what waits, not by calls: a chain may be longer than the stack is deep. */
class Copying {
  private readonly isShared: (value: object) => boolean;
  private readonly copies = new Map<object, object>();
  /** Begun copies to be filled from their originals, which stand at the same places. */
  private readonly originals: object[] = [];
  private readonly begun: object[] = [];

  constructor(isShared: (value: object) => boolean) {
    this.isShared = isShared;
  }

  /** What stands for a value in the copy; what it consists of comes later. */
  copyOf(value: unknown): unknown {
    if (typeof value !== "object" || value === null) {
      if (typeof value === "function" && !this.isShared(value)) throw new CannotCopy(value);
      return value;
    }
    const known = this.copies.get(value);
    if (known !== undefined) return known;
    if (this.isShared(value)) return value;
    const copy = ArrayBuffer.isView(value) ? this.viewOf(value) : this.begin(value);
    this.copies.set(value, copy);
    return copy;
  }

  private begin(original: object): object {
    const copy = emptyCopy(original);
    this.originals.push(original);
    this.begun.push(copy);
    return copy;
  }

  /** Several may look at one piece of memory. */
  private viewOf(view: ArrayBufferView): ArrayBufferView {
    const { buffer, byteOffset } = view;
    let memory = this.copies.get(buffer);
    if (memory === undefined) this.copies.set(buffer, (memory = buffer.slice(0)));
    if (!(memory instanceof ArrayBuffer)) throw new CannotCopy(view);
    for (const Kind of TYPED_ARRAYS) if (view instanceof Kind) return new Kind(memory, byteOffset, view.length);
    throw new CannotCopy(view);
  }

  fillAll(): void {
    for (;;) {
      const original = this.originals.pop();
      const copy = this.begun.pop();
      if (original === undefined || copy === undefined) return;
      this.fill(original, copy);
    }
  }

  private fill(original: object, copy: object): void {
    if (Array.isArray(copy)) this.fillArray(copy);
    else if (copy instanceof Map)
      for (const [key, item] of original as Map<unknown, unknown>) copy.set(this.copyOf(key), this.copyOf(item));
    else if (copy instanceof Set) for (const item of original as Set<unknown>) copy.add(this.copyOf(item));
    else this.fillObject(original as Fields, copy as Fields);
  }

  /** In the order of the original, and each once, as a constructor does: so the engine sees no difference. */
  private fillObject(original: Fields, copy: Fields): void {
    for (const key of Object.keys(original)) copy[key] = this.copyOf(original[key]);
  }

  /** Of numbers and texts it is a copy already. */
  private fillArray(copy: unknown[]): void {
    for (let k = 0; k < copy.length; k++) {
      const item = copy[k];
      if (typeof item === "object" || typeof item === "function") copy[k] = this.copyOf(item);
    }
  }
}

type Fields = Record<string, unknown>;

const TYPED_ARRAYS = [Float64Array, Int32Array, Uint8Array, Uint32Array, Int8Array, Int16Array, Uint16Array] as const;

/** Of the same kind, still without content, or with that of the original where this keeps the engine's way of holding it. */
function emptyCopy(original: object): object {
  if (original instanceof Copyable) return Reflect.construct(Copyable, [], original.constructor);
  if (Array.isArray(original)) return original.slice();
  switch (Object.getPrototypeOf(original)) {
    case Object.prototype:
      return { ...original };
    case Map.prototype:
      return new Map();
    case Set.prototype:
      return new Set();
    default:
      throw new CannotCopy(original);
  }
}

function kindOf(value: unknown): string {
  if (typeof value === "function") return `a function (${value.name || "without a name"})`;
  return `a ${(value as object).constructor?.name ?? "thing without a constructor"}, which is neither plain nor Copyable`;
}

/** How a value is reached, by the shortest way. */
function pathTo(root: object, wanted: unknown, isShared: (value: object) => boolean): string {
  const seen = new Set<unknown>([root]);
  const waiting: { readonly value: object; readonly path: string }[] = [{ value: root, path: "run" }];
  for (let k = 0; k < waiting.length; k++) {
    const { value, path } = waiting[k];
    for (const [name, part] of partsOf(value)) {
      if (part === wanted) return path + name;
      if (isPrimitive(part) || seen.has(part) || isShared(part as object)) continue;
      seen.add(part);
      waiting.push({ value: part as object, path: path + name });
    }
  }
  return "something in it";
}
