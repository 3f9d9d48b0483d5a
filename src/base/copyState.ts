import { BugError } from "./assert.ts";

/**
 * Base class of the state of a run, which `copyState` can copy.
 *
 * A copy must have the same hidden class as its original; otherwise code that reads both becomes several times slower. The
 * engine assigns the hidden class in the constructor, which must not run for a copy. With a base class, it is enough to run the
 * base constructor, and this one is empty.
 */
export class Copyable {}

/**
 * Deep copy of an object. The copy and the original have only shared values in common. Object identity is preserved: in cycles,
 * as map keys, and as the buffer of several typed arrays.
 *
 * It copies plain objects, arrays, maps, sets, typed arrays and `Copyable` objects, and throws for any other value. A function or
 * a `#private` field may have state that cannot be copied; a `Copyable` therefore has no `#private` fields.
 *
 * @param isShared  true for immutable values and code, which are not copied
 */
export function copyState<Root extends object>(root: Root, isShared: (value: object) => boolean): Root {
  const copying = new StateCopier(isShared);
  try {
    const copy = copying.copyOf(root);
    copying.fillAll();
    // A copy has the class of its original.
    return copy as Root;
  } catch (error) {
    if (!(error instanceof CannotCopy)) throw error;
    throw new BugError(`a run cannot be copied: ${pathTo(root, error.value, isShared)} is ${kindOf(error.value)}`);
  }
}

/** All objects and functions that are reachable from some values, without the keys of plain objects. */
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

/** The values inside an object, each with its name in a path. */
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
  readonly value: object;

  constructor(value: object) {
    super("");
    this.value = value;
  }
}

/** Copies with explicit lists instead of recursion: a chain of objects may exceed the call stack. */
class StateCopier {
  private readonly isShared: (value: object) => boolean;
  private readonly copies = new Map<object, object>();
  private readonly memory = new BufferArena();
  private readonly places = new Map<ArrayBuffer, BufferSlice>();
  /** Copies to be filled, and their originals at the same indices. */
  private readonly originals: object[] = [];
  private readonly begun: object[] = [];

  constructor(isShared: (value: object) => boolean) {
    this.isShared = isShared;
  }

  /** The copy of a value; its content is filled later. */
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

  /** Several views may share one buffer. */
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

  /** Sets each field once, in the order of the original, as a constructor does: the hidden class stays the same. */
  private fillObject(original: Fields, copy: Fields): void {
    for (const key of Object.keys(original)) copy[key] = this.copyOf(original[key]);
  }

  /** Copies the objects of an array; primitive items are copied already. */
  private fillArray(copy: unknown[]): void {
    for (let k = 0; k < copy.length; k++) {
      const item = copy[k];
      if (typeof item === "object" || typeof item === "function") copy[k] = this.copyOf(item);
    }
  }
}

/** Position of a copied buffer. */
interface BufferSlice {
  readonly buffer: ArrayBuffer;
  readonly offset: number;
}

/** Size of a block for small buffers, and maximum size of a small buffer, in bytes. */
const BLOCK_BYTES = 1 << 15;
const SMALL_BUFFER_BYTES = 1 << 12;

/** Memory for a copy. A run has about a thousand small arrays; allocating each one separately is slow. */
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
    // 8-byte numbers must be aligned to multiples of 8.
    this.used = Math.ceil((offset + bytes.byteLength) / 8) * 8;
    return { buffer: this.block.buffer, offset };
  }
}

type Fields = Record<string, unknown>;

const TYPED_ARRAYS = [Float64Array, Int32Array, Uint8Array, Uint32Array, Int8Array, Int16Array, Uint16Array] as const;

/** An object of the same class without content. Arrays and plain objects keep the content, which preserves their representation. */
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

const NOT_COPYABLE = "which is neither plain nor Copyable";

function kindOf(value: object): string {
  if (typeof value === "function") return `a function (${value.name || "without a name"})`;
  const { name = "Object" } = value.constructor ?? {};
  // Built-in iterators have no constructor of their own, but a tag.
  if (name === "Object" || name === "Iterator")
    return `a ${Object.prototype.toString.call(value).slice("[object ".length, -1)}, ${NOT_COPYABLE}`;
  return `a ${name}, ${NOT_COPYABLE}`;
}

/** The shortest path to a value. */
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
