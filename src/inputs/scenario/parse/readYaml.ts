import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import type { ErrorCollector } from "../../../base/inputError.ts";
import { DEPTH_MAX, isNestedTooDeeply, parseJsonTail } from "./parseJsonTail.ts";
import type { MapEntry, SourceLocation, SourceNode, SourceOrigin } from "./sourceNode.ts";

/** Largest scenario file in characters; large fleets and award lists belong in CSV files. */
const TEXT_MAX = 8_000_000;
/** In longer files, a JSON list of events at the end is parsed separately and does not count towards the limits. */
const JSON_TAIL_MIN = 1_000_000;
/** Largest number of values after alias expansion: far above any handwritten file, far below an alias bomb. */
const NODES_MAX = 500_000;

/** Characters that a message repeats of a key. */
const KEY_CHARS_SHOWN = 64;

/** A YAML document with positions and expanded aliases. */
interface YamlDocument {
  readonly root: SourceNode;
  readonly origin: SourceOrigin;
}

/** Parses YAML 1.2, which includes JSON. `null` and at least one error for invalid or too large documents. */
export function readYaml(file: string, text: string, errors: ErrorCollector): YamlDocument | null {
  const tail = text.length > JSON_TAIL_MIN ? parseJsonTail(text) : null;
  if (tail === null) return readWholeYaml(file, text, errors);
  const head = readWholeYaml(file, text.slice(0, tail.keyPosition), errors);
  if (head === null) return null;
  const locate = (at: number): SourceLocation =>
    at < tail.keyPosition ? head.origin.locate(at) : locateInText(text, at);
  const origin = { file, locate };
  const entries = head.root.kind === "map" ? head.root.entries : null;
  if (entries === null || entries.has("events")) {
    const found = entries === null ? "a list or a value" : "a second list of events";
    errors.report({ file, ...locate(tail.keyPosition), keyPath: "events", found, allowed: "a mapping of keys" });
    return null;
  }
  const events = { keyPosition: tail.keyPosition, node: tail.list };
  return { root: { kind: "map", position: 0, entries: new Map([...entries, ["events", events]]) }, origin };
}

/** Counts lines; used for errors only. */
function locateInText(text: string, at: number): SourceLocation {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf("\n"); 0 <= next && next < at; next = text.indexOf("\n", next + 1)) {
    line++;
    start = next + 1;
  }
  return { line, column: at - start + 1 };
}

function readWholeYaml(file: string, text: string, errors: ErrorCollector): YamlDocument | null {
  const lines = new LineCounter();
  const locate = (at: number) => {
    const { line, col } = lines.linePos(at);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refuse = (at: number, keyPath: string, found: string, allowed: string): null => {
    errors.report({ file, ...locate(at), keyPath, found, allowed });
    return null;
  };
  if (text.length > TEXT_MAX) {
    return refuse(0, "", `${text.length} characters`, `at most ${TEXT_MAX}; put fleets and awards into CSV files`);
  }
  if (isNestedTooDeeply(text)) return refuse(0, "", "collections nested too deeply", `at most ${DEPTH_MAX} levels`);
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  // A tab makes errors of the lines around it.
  const tabAt = tabPosition(text, document.errors);
  if (tabAt !== null) return refuse(tabAt, "", "a tab as indentation", "spaces in place of all tabs of the file");
  for (const { code, pos, message } of document.errors) {
    if (code === "MULTIPLE_DOCS")
      refuse(pos[0], "", "a second YAML document", "one document in a file, so no further ---");
    else refuse(pos[0], "", firstLine(message), "well-formed YAML");
  }
  if (document.errors.length > 0) return null;
  if (document.contents === null) return refuse(0, "", "an empty file", "a mapping of keys");
  const { root, problem, repeatedKeys } = convertDocument(document);
  if (problem !== null) return refuse(problem.at, "", problem.found, problem.allowed);
  for (const [at, name] of repeatedKeys) refuse(at, "", `a second key ${name}`, "each key once in a mapping");
  if (repeatedKeys.size > 0) return null;
  return { root, origin: { file, locate } };
}

/** The tab before the content of the line with the first error; `null` where none is. */
function tabPosition(text: string, [first]: Document["errors"]): number | null {
  if (first === undefined) return null;
  const lineAt = text.lastIndexOf("\n", first.pos[0] - 1) + 1;
  const blanks = /^[ -]*\t/.exec(text.slice(lineAt, lineAt + INDENTATION_MAX))?.[0];
  return blanks === undefined ? null : lineAt + blanks.length - 1;
}
const INDENTATION_MAX = 1000;

/** The first reason why a document cannot be converted, and its position. */
interface ConversionProblem {
  readonly at: number;
  readonly found: string;
  readonly allowed: string;
}

interface ConvertedDocument {
  readonly root: SourceNode;
  readonly problem: ConversionProblem | null;
  /** Keys that a mapping has already, by position, because an alias converts its mapping again. */
  readonly repeatedKeys: ReadonlyMap<number, string>;
}

/** The node that each alias stands for: the last one with its anchor above it. */
function aliasTargets(document: Document.Parsed): ReadonlyMap<Node, Node> {
  // The parser's own resolution walks the document for each alias.
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** Converts a document to source nodes, with aliases expanded. */
function convertDocument(document: Document.Parsed): ConvertedDocument {
  let nodes = 0;
  let problem: ConversionProblem | null = null;
  const within: Node[] = [];
  const targets = aliasTargets(document);
  const repeated = new Map<number, string>();
  const converted = (node: Node | null, fallbackAt: number): SourceNode => {
    const position = node?.range?.[0] ?? fallbackAt;
    const empty: SourceNode = { kind: "scalar", position, value: null, isUntyped: false };
    if (problem !== null) return empty;
    const stop = (found: string, allowed: string) => {
      problem = { at: position, found, allowed };
      return empty;
    };
    if (++nodes > NODES_MAX) return stop("too many values", `at most ${NODES_MAX} once aliases are written out`);
    if (within.length > DEPTH_MAX) return stop("collections nested too deeply", `at most ${DEPTH_MAX} levels`);
    if (node === null) return empty;
    if (isAlias(node)) {
      const target = targets.get(node);
      if (target === undefined) return stop(`alias *${node.source} without its anchor`, "an anchor further up");
      if (within.includes(target))
        return stop(`alias *${node.source} inside its own anchor`, "a document without cycles");
      return converted(target, position);
    }
    if (isScalar(node)) return { kind: "scalar", position, value: scalarValue(node.value), isUntyped: false };
    within.push(node);
    const collection = isSeq(node)
      ? list(node.items as Node[], position)
      : isMap(node)
        ? map(node.items, position)
        : empty;
    within.pop();
    return collection;
  };
  const list = (items: readonly (Node | null)[], position: number): SourceNode => ({
    kind: "list",
    position,
    items: items.map((item) => converted(item, position)),
  });
  const map = (items: readonly { key: unknown; value: unknown }[], position: number): SourceNode => {
    const entries = new Map<string, MapEntry>();
    for (const { key, value } of items) {
      const keyPosition = (key as Node | null)?.range?.[0] ?? position;
      const name = isScalar(key) ? String(key.value) : String(key);
      // The parser's own check compares every key with every other one.
      if (entries.has(name)) repeated.set(keyPosition, name.slice(0, KEY_CHARS_SHOWN));
      entries.set(name, { keyPosition, node: converted(value as Node | null, keyPosition) });
    }
    return { kind: "map", position, entries };
  };
  const root = converted(document.contents, 0);
  return { root, problem, repeatedKeys: repeated };
}

const firstLine = (message: string) => message.split("\n")[0];

function scalarValue(value: unknown): string | number | boolean | bigint | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return value;
  return String(value);
}
