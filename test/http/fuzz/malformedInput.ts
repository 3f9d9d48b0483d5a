import type { SeededChooser } from "./seededChooser.ts";

/** Placeholder in a body for a number that `JSON.stringify` cannot write. */
const numeral = (text: string): string => `\u0001${text}\u0001`;

/** JSON text of a body, with its numerals as given. */
export const jsonText = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/"\\u0001([^"\\]*)\\u0001"/g, (_, text: string) => text);

const TEXTS: readonly string[] = [
  "",
  " ",
  "NaN",
  "Infinity",
  "null",
  "../../etc/passwd",
  "__proto__",
  "toString",
  "\u0000",
  "\ud800",
  "\u202egnp.exe",
  "日本語 '\"\\ # : {x} [y] & * ! | > % @ `",
  "\r\nX-Injected: 1",
  "a".repeat(65),
  "k".repeat(2_000),
  "<script>alert(1)</script>",
  "2026-04-01T00:00:00+09:00",
  "2026-02-30T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "2026-04-01",
  "0".repeat(32),
  "fcr",
  "compound",
  "immediate",
];

const NUMBERS: readonly unknown[] = [
  0,
  1,
  -1,
  0.04,
  -0.05,
  0.1 + 0.2,
  99.95,
  1e6,
  -1e6,
  999_999.9,
  -999_999.9,
  999_999.94,
  1e21,
  Number.MAX_SAFE_INTEGER + 2,
  5e-324,
  ...["-0", "-0.0", "1e999", "-1e999", "1E+2", "0.1e1", "12345678901234567890"].map(numeral),
];

/** Any JSON value, seldom a valid one. */
export function malformedValue(chooser: SeededChooser, depth = 0): unknown {
  switch (chooser.below(depth > 2 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return chooser.chance(0.5);
    case 2:
    case 3:
      return chooser.pick(NUMBERS);
    case 4:
      return chooser.pick(TEXTS);
    case 5:
      return Array.from({ length: chooser.below(4) }, () => malformedValue(chooser, depth + 1));
    case 6:
      return { [chooser.pick(TEXTS)]: malformedValue(chooser, depth + 1) };
    default:
      return {};
  }
}

type Node = Record<string, unknown> | unknown[];

/** A copy of a body with one error: a changed value, a missing key or an additional key. */
export function corruptBody(body: unknown, chooser: SeededChooser): unknown {
  const copy: unknown = structuredClone(body);
  if (copy === null || typeof copy !== "object" || chooser.chance(0.05)) return malformedValue(chooser);
  let node = copy as Node;
  for (;;) {
    const keys = Object.keys(node);
    if (keys.length === 0 || chooser.chance(0.15)) {
      if (!Array.isArray(node)) Object.assign(node, { [chooser.pick(TEXTS) || "extra"]: malformedValue(chooser) });
      return copy;
    }
    const key = chooser.pick(keys);
    const inner = (node as Record<string, unknown>)[key];
    if (inner !== null && typeof inner === "object" && chooser.chance(0.8)) {
      node = inner as Node;
      continue;
    }
    if (Array.isArray(node)) node.splice(Number(key), chooser.below(2), malformedValue(chooser));
    else if (chooser.chance(0.3)) delete node[key];
    else node[key] = malformedValue(chooser);
    return copy;
  }
}

/** Texts that are not valid bodies. */
export const malformedText = (text: string, chooser: SeededChooser): string =>
  chooser.pick([
    text.slice(0, chooser.below(text.length + 1)),
    `${text}}`,
    `\ufeff${text}`,
    `{"__proto__":{"polluted":1},${text.slice(1)}`,
    `{"constructor":{"prototype":{"polluted":1}},${text.slice(1)}`,
    "[".repeat(40) + "]".repeat(40),
    text.replace(/-?\d+(\.\d+)?/, chooser.pick(["NaN", "1e999", "01", ".5"])),
    text.replace(/"(\w+)":/, '"$1":null,"$1":'),
    "null",
    "[]",
    "",
  ]);

/** A path cannot contain a lone surrogate. */
export const withoutLoneSurrogates = (text: string): string => text.replaceAll("\ud800", "\ufffd");

/** Texts for a part of a path or query. */
export function malformedPathPart(chooser: SeededChooser): string {
  const raw = ["%", "%zz", "%00", "%2e%2e", "..", ".", "%2F", "%ff%fe", "a;b", "*", "a%20b", "~", "{ems_id}", ":id"];
  return chooser.chance(0.5) ? chooser.pick(raw) : encodeURIComponent(withoutLoneSurrogates(chooser.pick(TEXTS)));
}
