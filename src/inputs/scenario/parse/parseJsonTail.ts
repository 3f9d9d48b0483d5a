import { Lexer } from "yaml";
import type { ListNode, MapEntry, SourceNode } from "./sourceNode.ts";

/** Levels of a document; a scenario has about ten. */
export const DEPTH_MAX = 64;
/** Each level of block nesting takes at least one column. */
const INDENT_MAX = 400;

/**
 * Whether a text nests so deeply that the recursive parser would overflow the stack.
 *
 * Counts the tokens that open a level: brackets, and indicators and indentation within a line.
 */
export function isNestedTooDeeply(text: string): boolean {
  let brackets = 0;
  let indicators = 0;
  let atLineStart = true;
  for (const token of new Lexer().lex(text)) {
    const first = token[0];
    if (first === "[" || first === "{") brackets++;
    else if (first === "]" || first === "}") brackets--;
    else if (token === "-" || token === "?") indicators++;
    else if (first === "\n" || first === "\r") indicators = 0;
    else if (atLineStart && first === " " && token.length > INDENT_MAX) return true;
    if (brackets > DEPTH_MAX || indicators > DEPTH_MAX) return true;
    atLineStart = first === "\n" || first === "\r";
  }
  return false;
}

/** Events at the end of a file, one JSON object per line, as in exported sessions. */
interface JsonTail {
  /** Start of the key; the text before it is parsed as YAML. */
  readonly keyPosition: number;
  readonly list: ListNode;
}

const EVENTS_KEY = "events:\n";
const ITEM_PREFIX = "  - {";

/**
 * Parses the events at the end of a file separately, ten times as fast as YAML and with a fifth of the memory: the
 * export of a long session has hundreds of thousands of events. All values of one line have the position of its start.
 *
 * @returns `null` for any other file ending
 */
export function parseJsonTail(text: string): JsonTail | null {
  const found = text.lastIndexOf(`\n${EVENTS_KEY}`);
  const keyPosition = found < 0 && text.startsWith(EVENTS_KEY) ? 0 : found + 1;
  if (keyPosition === 0 && !text.startsWith(EVENTS_KEY)) return null;
  const items: SourceNode[] = [];
  for (let at = keyPosition + EVENTS_KEY.length; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const item = text.startsWith(ITEM_PREFIX, at) ? readLine(text.slice(at + ITEM_PREFIX.length - 1, end), at) : null;
    if (item === null) return null;
    items.push(item);
    at = end + 1;
  }
  return items.length === 0 ? null : { keyPosition, list: { kind: "list", position: keyPosition, items } };
}

function readLine(json: string, at: number): SourceNode | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  return nodeOf(value, at, DEPTH_MAX);
}

/** @returns `null` for deeper nesting than `levels` */
function nodeOf(value: unknown, position: number, levels: number): SourceNode | null {
  if (levels === 0) return null;
  if (Array.isArray(value)) {
    const items: SourceNode[] = [];
    for (const item of value) {
      const node = nodeOf(item, position, levels - 1);
      if (node === null) return null;
      items.push(node);
    }
    return { kind: "list", position, items };
  }
  if (typeof value === "object" && value !== null) {
    const entries = new Map<string, MapEntry>();
    for (const [key, inner] of Object.entries(value)) {
      const node = nodeOf(inner, position, levels - 1);
      if (node === null) return null;
      entries.set(key, { keyPosition: position, node });
    }
    return { kind: "map", position, entries };
  }
  return { kind: "scalar", position, value: value as string | number | boolean | null, isUntyped: false };
}
