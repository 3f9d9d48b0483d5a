import { describe, expect, test } from "vitest";
import { append, removeItem } from "../../src/base/lists.ts";

describe("short lists", () => {
  test("grow at the end", () => {
    const list: string[] = [];
    for (const item of ["a", "b", "a"]) append(list, item);
    expect(list).toEqual(["a", "b", "a"]);
  });

  test.each(["a", "b", "c"])("lose an item and keep the order of the others: %s", (item) => {
    const list = ["a", "b", "c"];
    removeItem(list, item);
    expect(list).toEqual(["a", "b", "c"].filter((left) => left !== item));
  });

  test("lose the first of equal items", () => {
    const list = [1, 2, 1];
    removeItem(list, 1);
    expect(list).toEqual([2, 1]);
  });

  test("cannot lose an item that they do not contain", () => {
    expect(() => removeItem(["a"], "b")).toThrow("a removed item must be in the list");
  });
});
