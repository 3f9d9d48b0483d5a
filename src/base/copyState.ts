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
 * @param isDeliveryShared  what never changes, or is code
 */
export function copyState<Root extends object>(root: Root, isShared: (value: object) => boolean): Root {
  const copying = new StateCopier(isShared);
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
export function reachableValues(roots: readonly unknown[]): Set<unknown> {
  const found = new Set<unknown>();
  const waiting = [...roots];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (isPrimitive(value) || found.has(value)) continue;
    found.add(value);
    for (const [, part] of partsOf(value as object)) waiting.push(part);
  }
  return found;
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
  if (Array.isArray(value)) return Array.from(value, (item: unknown, k) => [`[${k}]`, item]);
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
class StateCopier {
  private readonly isShared: (value: object) => boolean;
  private readonly copies = new Map<object, object>();
  private readonly memory = new BufferArena();
  private readonly places = new Map<ArrayBuffer, BufferSlice>();
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
    if (!(buffer instanceof ArrayBuffer)) throw new CannotCopy(view);
    let place = this.places.get(buffer);
    if (place === undefined) this.places.set(buffer, (place = this.memory.copyOf(buffer)));
    const offset = place.offset + byteOffset;
    for (const Kind of TYPED_ARRAYS) if (view instanceof Kind) return new Kind(place.buffer, offset, view.length);
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
    if (copy instanceof Copyable) this.fillObject(original as Fields, copy as Fields);
    else if (Array.isArray(copy)) this.fillArray(copy);
    else if (copy instanceof Map) this.fillMap(original as Map<unknown, unknown>, copy);
    else if (copy instanceof Set) for (const item of original as Set<unknown>) copy.add(this.copyOf(item));
    else this.fillObject(original as Fields, copy as Fields);
  }

  private fillMap(original: Map<unknown, unknown>, copy: Map<unknown, unknown>): void {
    for (const [key, item] of original) copy.set(this.copyOf(key), this.copyOf(item));
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

/** Where the bytes of a buffer begin in the memory of a copy. */
interface BufferSlice {
  readonly buffer: ArrayBuffer;
  readonly offset: number;
}

/** Bytes of a block that small buffers are put into, and of the largest of them. */
const BLOCK_BYTES = 1 << 15;
const SMALL_BUFFER_BYTES = 1 << 12;

/** Memory for a copy. A run has a thousand small arrays: each by itself would cost a call to the system's memory. */
class BufferArena {
  private block = new Uint8Array(0);
  private used = 0;

  copyOf(bytes: ArrayBuffer): BufferSlice {
    if (SMALL_BUFFER_BYTES < bytes.byteLength) return { buffer: bytes.slice(0), offset: 0 };
    if (this.block.length < this.used + bytes.byteLength) {
      this.block = new Uint8Array(BLOCK_BYTES);
      this.used = 0;
    }
    const offset = this.used;
    this.block.set(new Uint8Array(bytes), offset);
    // Numbers of 8 bytes begin at whole multiples of 8.
    this.used = Math.ceil((offset + bytes.byteLength) / 8) * 8;
    return { buffer: this.block.buffer, offset };
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
  const name = (value as object).constructor?.name ?? "Object";
  return `a ${name === "Object" ? Object.prototype.toString.call(value) : name}, which is neither plain nor Copyable`;
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
