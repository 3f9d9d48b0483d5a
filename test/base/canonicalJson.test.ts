import fc from "fast-check";
import { expect, test } from "vitest";
import { assert, BugError } from "../../src/base/assert.ts";
import { canonicalJson, canonicalPieces } from "../../src/base/canonicalJson.ts";
import { hexId, sha256Hex, sha256OfPieces } from "../../src/base/ids.ts";

test.each<[unknown, string]>([
  [{ b: 1, a: [2, { d: null, c: "x" }] }, '{"a":[2,{"c":"x","d":null}],"b":1}'],
  // Integer-like keys come first in objects; sorted as text, "10" stands before "9".
  [{ 9: 0, 10: 0, z: 0 }, '{"10":0,"9":0,"z":0}'],
  [{ gone: undefined, kept: 0 }, '{"kept":0}'],
  [[undefined, Number.NaN], "[null,null]"],
  [-0, "0"],
  ['"\n', '"\\"\\n"'],
])("canonical JSON of %j", (value, expected) => {
  expect(canonicalJson(value)).toBe(expected);
});

test("canonical JSON parses to the same value as plain JSON, and does not depend on the order of keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
      const entries = Object.entries(members).filter(([key]) => key !== "__proto__");
      const text = canonicalJson(Object.fromEntries(entries));
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(entries))));
      expect(canonicalJson(Object.fromEntries(entries.toReversed()))).toBe(text);
    }),
    { seed: 7 },
  );
});

test.each([0, 1, 3, 5_000])("the pieces of a list of %i items are its canonical JSON", (count) => {
  const items = Array.from({ length: count }, (_, k) => ({
    name: `電 ${k}`,
    b: k / 7,
    a: k % 3 === 0 ? undefined : null,
  }));
  const pieces = [...canonicalPieces(items)];
  expect(pieces.join("")).toBe(canonicalJson(items));
  expect(sha256OfPieces(pieces)).toBe(sha256Hex(canonicalJson(items)));
  expect(pieces.length > 1).toBe(count === 5_000);
});

test("hashes are SHA-256", () => {
  // FIPS 180-4, example "abc".
  const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(sha256Hex("abc")).toBe(abc);
  expect(sha256Hex(new Uint8Array([97, 98, 99]))).toBe(abc);
  expect(hexId("abc")).toBe(abc.slice(0, 32));
});

test("an assertion builds its text only when it fails", () => {
  assert(true, () => {
    throw new Error("built");
  });
  expect(() => assert(false, () => "at 5 kW")).toThrow(new BugError("at 5 kW"));
  expect(() => assert(false, "plain")).toThrow(BugError);
});
