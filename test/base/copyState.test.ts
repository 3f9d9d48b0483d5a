import { describe, expect, test } from "vitest";
import { BugError } from "../../src/base/assert.ts";
import { Copyable, copyState, reachableValues } from "../../src/base/copyState.ts";

const NOTHING = () => false;

class Counter extends Copyable {
  static made = 0;
  count = 0;
  private readonly step: number;
  friend: Counter | null = null;

  constructor(step: number) {
    super();
    this.step = step;
    Counter.made++;
  }

  next(): number {
    this.count += this.step;
    return this.count;
  }
}

class Named extends Counter {
  name = "";
}

describe("a copy", () => {
  test("continues independently of its original, without a constructor call", () => {
    const original = { counter: new Counter(2), list: [1, [2, { deep: 3 }]], map: new Map([["a", { kw: 1 }]]) };
    original.counter.next();
    const made = Counter.made;
    const copy = copyState(original, NOTHING);
    expect(Counter.made).toBe(made);
    expect(copy).toEqual(original);
    expect([copy.counter.next(), copy.counter.next(), original.counter.next()]).toEqual([4, 6, 4]);
    (copy.map.get("a") as { kw: number }).kw = 9;
    copy.list.push(4);
    expect(original.map.get("a")).toEqual({ kw: 1 });
    expect(original.list).toHaveLength(2);
  });

  test("is of the class of its original, one below another too, with its fields in their order", () => {
    const original = new Named(1);
    original.name = "n";
    const copy = copyState(original, NOTHING);
    expect(copy).toBeInstanceOf(Named);
    expect(Object.keys(copy)).toEqual(Object.keys(original));
    expect(copy.next()).toBe(1);
  });

  test("keeps the identity of shared objects, in cycles and as keys", () => {
    const a = new Counter(1);
    const b = new Counter(1);
    a.friend = b;
    b.friend = a;
    const original = { a, again: a, byCounter: new Map([[a, "a"]]), all: new Set([b, a]) };
    const copy = copyState(original, NOTHING);
    expect(copy.a).not.toBe(a);
    expect(copy.again).toBe(copy.a);
    expect(copy.a.friend?.friend).toBe(copy.a);
    expect(copy.byCounter.get(copy.a)).toBe("a");
    expect([...copy.all]).toEqual([copy.a.friend, copy.a]);
    expect(copy.byCounter.has(a)).toBe(false);
  });

  test("preserves absent items, and numbers bit by bit", () => {
    const original = { list: [Number.NaN, -0, undefined, null], holes: new Array<number>(3), none: undefined, big: 5n };
    const copy = copyState(original, NOTHING);
    expect(Object.is(copy.list[1], -0)).toBe(true);
    expect(copy).toStrictEqual(original);
    expect(0 in copy.holes).toBe(false);
  });

  test("shares the classes that it is given, functions too", () => {
    const input = { awards: [1, 2], act: () => 1 };
    const shared = reachableValues([input]);
    const original = { awards: input.awards, act: input.act, own: [input.awards] };
    const copy = copyState(original, (value) => shared.has(value));
    expect(copy.awards).toBe(input.awards);
    expect(copy.act).toBe(input.act);
    expect(copy.own).not.toBe(original.own);
    expect(copy.own[0]).toBe(input.awards);
  });

  test("of a chain that is longer than the stack is deep", () => {
    interface Link {
      readonly next: Link | null;
    }
    let chain: Link = { next: null };
    for (let k = 0; k < 300_000; k++) chain = { next: chain };
    let length = 0;
    for (let link: Link | null = copyState(chain, NOTHING); link !== null; link = link.next) length++;
    expect(length).toBe(300_001);
    expect(reachableValues([chain]).size).toBe(300_001);
  });

  test("contains each reachable object once", () => {
    const one = { x: 1 };
    const list: unknown[] = [one];
    list[2] = one;
    const found = reachableValues([new Map([[one, list]]), null, "text"]);
    expect([...found].filter((value) => !(value instanceof Map))).toEqual([list, one]);
  });
});

describe("typed arrays", () => {
  test("of every kind and size have their numbers, and memory of their own", () => {
    const original = [
      Float64Array.of(0.1, Number.NaN, -0),
      Int32Array.of(-1),
      Uint8Array.of(1, 2, 3),
      new Float64Array(0),
      Uint32Array.of(2 ** 32 - 1),
      Float64Array.from({ length: 10_000 }, (_, k) => k),
      Float64Array.of(7),
    ];
    const copy = copyState(original, NOTHING);
    expect(copy).toStrictEqual(original);
    copy.forEach((view) => view.fill(5));
    expect(original[0]).toStrictEqual(Float64Array.of(0.1, Number.NaN, -0));
    expect(original[2]).toStrictEqual(Uint8Array.of(1, 2, 3));
    expect(original[5][9_999]).toBe(9_999);
    expect(original[6]).toStrictEqual(Float64Array.of(7));
  });

  test("do not overlap when many are small", () => {
    const original = Array.from({ length: 5_000 }, (_, k) =>
      k % 2 === 0 ? Float64Array.of(k, k) : Uint8Array.of(k % 256, 1, 2),
    );
    const copy = copyState(original, NOTHING);
    expect(copy).toStrictEqual(original);
    // A copy's arrays may lie beside each other; those of its own copy do as well.
    const second = copyState(copy, NOTHING);
    copy.forEach((view) => view.fill(0));
    expect(second).toStrictEqual(original);
  });

  test.each([24, 10_000])("that share a buffer of %i bytes still share one", (bytes) => {
    const memory = new ArrayBuffer(bytes);
    const original = {
      front: new Float64Array(memory, 0, 2),
      rear: new Int32Array(memory, 8, 3),
      all: new Uint8Array(memory),
    };
    original.front[1] = 1.5;
    const copy = copyState(original, NOTHING);
    expect(copy).toStrictEqual(original);
    copy.front[1] = Number.NaN;
    expect(copy.rear[1]).not.toBe(original.rear[1]);
    expect(new Float64Array(copy.all.buffer, copy.all.byteOffset + 8, 1)[0]).toBeNaN();
    expect(original.front[1]).toBe(1.5);
  });
});

describe("a value that cannot be copied is named by its path", () => {
  class Plain {
    x = 1;
  }
  class Table extends Map<string, number> {}
  const later = () => 1;
  test.each<[string, object, string]>([
    ["a function", { orders: [{ x: later }] }, "run.orders[0].x is a function (later)"],
    ["a method kept as a value", Object.assign(new Counter(1), { call: () => 1 }), "run.call is a function (call)"],
    ["a weak map", { memo: new WeakMap() }, "run.memo is a WeakMap"],
    ["a promise", { a: { b: Promise.resolve() } }, "run.a.b is a Promise"],
    ["a generator", { walk: [1].values() }, "run.walk is a Array Iterator, which"],
    ["a date", { at: new Date(0) }, "run.at is a Date"],
    ["an object that is not Copyable", { map: new Map([["k", new Plain()]]) }, "run.map(k) is a Plain"],
    ["a map of a class of its own", { table: new Table() }, "run.table is a Table"],
    ["a key", { map: new Map([[later, 1]]) }, "run.map(a key) is a function (later)"],
    ["an item", { set: new Set([later]) }, "run.set(an item) is a function (later)"],
    ["memory of several threads", { view: new Int32Array(new SharedArrayBuffer(8)) }, "run.view is a Int32Array"],
    ["a view of mixed kinds", { view: new DataView(new ArrayBuffer(8)) }, "run.view is a DataView"],
  ])("%s", (_, root, message) => {
    const copy = () => copyState(root, NOTHING);
    expect(copy).toThrow(BugError);
    expect(copy).toThrow(message);
  });
});
