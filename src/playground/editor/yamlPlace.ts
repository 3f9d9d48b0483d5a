import { isMap, isPair, isScalar, isSeq, type Node, type Pair, parseDocument, visit } from "yaml";
import type { YamlPath } from "./schemaAt.ts";

/** A place in a YAML text. */
interface YamlPlace {
  /** Of the mapping or the list around a key, or of a value itself. */
  readonly path: YamlPath;
  readonly root: Node | null;
  readonly kind: "key" | "value";
  /** Of the mapping around it, without the one at the place. */
  readonly siblings: readonly string[];
  /** Where the word at the place begins. */
  readonly from: number;
}

/** Stands for the word that is typed: what is incomplete does not parse. */
const MARK = "cursor_here";
const WORD_BEFORE = /[\p{L}\p{N}_.-]*$/u;
const WORD_AFTER = /^[\p{L}\p{N}_.-]*/u;

/** The place that is typed at; `null` in comments, quoted texts and other places without a key or a value. */
export function typedPlace(text: string, at: number): YamlPlace | null {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  if (/(^|\s)#|["'][^"']*$/.test(line)) return null;
  const word = WORD_BEFORE.exec(line)?.[0] ?? "";
  const from = at - word.length;
  const rest = text.slice(at + (WORD_AFTER.exec(text.slice(at))?.[0].length ?? 0));
  const before = line.slice(0, line.length - word.length);
  if (before !== "" && !/[\s{[]$/.test(before)) return null;
  const isKey = /(^|[{,]|(^|\s)-)$/.test(before.trimEnd());
  const mark = isKey && !/^\s*:/.test(rest) ? `${MARK}: ` : MARK;
  return markedPlace(`${text.slice(0, from)}${mark}${rest}`, from);
}

function markedPlace(text: string, from: number): YamlPlace | null {
  const root = parseDocument(text).contents;
  let found: YamlPlace | null = null;
  visit(root, {
    Scalar(role, node, ancestors) {
      if (node.value !== MARK) return undefined;
      const path = pathOf(ancestors, node);
      const map = ancestors.findLast(isMap);
      const siblings = map?.items.map(({ key }) => (isScalar(key) ? String(key.value) : "")) ?? [];
      found = {
        path,
        root,
        kind: role === "key" ? "key" : "value",
        siblings: siblings.filter((key) => key !== MARK),
        from,
      };
      return visit.BREAK;
    },
  });
  return found;
}

/** The key at a position, by its path. */
export function keyAt(
  text: string,
  at: number,
): { readonly path: YamlPath; readonly root: Node | null; readonly from: number; readonly to: number } | null {
  const root = parseDocument(text).contents;
  let found: { path: YamlPath; root: Node | null; from: number; to: number } | null = null;
  visit(root, {
    Pair(_, pair, ancestors) {
      const range = isScalar(pair.key) ? pair.key.range : null;
      if (!isScalar(pair.key) || !range || at < range[0] || at > range[1]) return undefined;
      found = {
        path: [...pathOf([...ancestors, pair], pair.key), String(pair.key.value)],
        root,
        from: range[0],
        to: range[1],
      };
      return visit.BREAK;
    },
  });
  return found;
}

/** Keys and places of a node's ancestors; a key belongs to the mapping around it. */
function pathOf(ancestors: readonly (Node | Pair | object)[], node: Node): YamlPath {
  const path: (string | number)[] = [];
  ancestors.forEach((ancestor, k) => {
    const child = ancestors[k + 1] ?? node;
    if (isSeq(ancestor)) path.push(ancestor.items.indexOf(child));
    if (isPair(ancestor) && isScalar(ancestor.key) && ancestor.key !== child) path.push(String(ancestor.key.value));
  });
  return path;
}
