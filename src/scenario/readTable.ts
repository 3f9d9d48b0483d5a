import { type CsvError, parse } from "csv-parse/sync";
import { type InputError, inputError, listed } from "./inputError.ts";
import type { MapEntry, MapNode, Origin, SourceNode } from "./sourceNode.ts";

/** A row of a CSV file as a mapping: columns named by dotted path, empty cells left out (decisions.md 141). */
export interface TableRow {
  readonly node: MapNode;
  readonly origin: Origin;
}

/**
 * Reads a CSV file whose columns are keys of the scenario format: fleets, awards, instructions, events.
 *
 * @param knows whether a dotted path is a key that such a row may have; unknown columns are one error each
 */
export function readTable(
  file: string,
  text: string,
  knows: (path: readonly string[]) => string | null,
  errors: InputError[],
): TableRow[] {
  const refuse = (line: number, column: number, keyPath: string, found: string, allowed: string) => {
    errors.push(inputError({ file, line, column, keyPath, found, allowed }));
  };
  const records = recordsOf(text, (line, found) => refuse(line, 1, "", found, "a CSV table (RFC 4180)"));
  if (records === null) return [];
  if (records.length === 0) {
    refuse(1, 1, "", "an empty file", "a header line with column names");
    return [];
  }
  const header = records[0].cells.map((name) => name.trim());
  const columns = header.map((name) => name.split("."));
  const used = header.map((name, k) => {
    const twice = header.indexOf(name) < k;
    const unknown = knows(columns[k]);
    if (twice) refuse(1, cellColumn(text, 1, k), name, "a second column of this name", "each column once");
    else if (unknown !== null) refuse(1, cellColumn(text, 1, k), name, "an unknown column", unknown);
    return !twice && unknown === null;
  });
  const known = new Set<string>();
  const headerSet = new Set(header);
  const flat = columns.every((path) => path.length === 1);
  const rows: TableRow[] = [];
  for (const { cells, line } of records.slice(1)) {
    if (cells.length === 1 && cells[0].trim() === "") continue;
    if (cells.length !== header.length) {
      refuse(line, 1, "", `${cells.length} cells`, `${header.length}, as in the header (${listed(header, 8)})`);
      continue;
    }
    const origin: Origin = {
      file,
      place: (at) => ({ line, column: at < 0 ? 1 : cellColumn(text, line, at) }),
      missingColumn: (keyPath) => lackOf(keyPath, headerSet, known),
    };
    rows.push({ node: flat ? flatRow(header, used, cells) : nestedRow(columns, used, cells), origin });
  }
  return rows;
}

function lackOf(keyPath: string, header: ReadonlySet<string>, known: Set<string>): "cell" | "column" | "known" {
  if (header.has(keyPath)) return "cell";
  if (known.has(keyPath)) return "known";
  known.add(keyPath);
  return "column";
}

interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function recordsOf(text: string, refuse: (line: number, found: string) => void): CsvRecord[] | null {
  // Only quoted cells can hold line ends; without them the line of a record is its position.
  const quoted = text.includes('"');
  const options = { bom: true, relax_column_count: true, skip_empty_lines: false } as const;
  try {
    if (!quoted) return (parse(text, options) as string[][]).map((cells, k) => ({ cells, line: k + 1 }));
    const records = parse(text, { ...options, info: true }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    let line = 1;
    return records.map(({ record, info }) => {
      const start = line;
      line = info.lines + (record.length === 0 ? 0 : 1);
      return { cells: record, line: start };
    });
  } catch (error) {
    const { code, lines, message } = error as CsvError & { lines?: number };
    if (typeof code !== "string" || !code.startsWith("CSV_")) throw error;
    refuse(lines ?? 1, message);
    return null;
  }
}

function flatRow(header: readonly string[], used: readonly boolean[], cells: readonly string[]): MapNode {
  const entries = new Map<string, MapEntry>();
  for (let k = 0; k < cells.length; k++) {
    const value = cells[k].trim();
    if (value === "" || !used[k]) continue;
    entries.set(header[k], { keyAt: k, node: { kind: "scalar", at: k, value, untyped: true } });
  }
  return { kind: "map", at: -1, entries };
}

/** Mutable while a row is put together; numbered keys become a list. */
interface Branch {
  readonly at: number;
  readonly children: Map<string, Branch | SourceNode>;
}

function nestedRow(columns: readonly string[][], used: readonly boolean[], cells: readonly string[]): MapNode {
  const root: Branch = { at: -1, children: new Map() };
  for (let k = 0; k < cells.length; k++) {
    const value = cells[k].trim();
    if (value === "" || !used[k]) continue;
    let branch = root;
    for (const key of columns[k].slice(0, -1)) {
      let child = branch.children.get(key);
      if (child === undefined || !("children" in child))
        branch.children.set(key, (child = { at: k, children: new Map() }));
      branch = child;
    }
    branch.children.set(columns[k][columns[k].length - 1], { kind: "scalar", at: k, value, untyped: true });
  }
  return nodeOf(root, false) as MapNode;
}

function nodeOf(branch: Branch, mayBeList: boolean): SourceNode {
  const children = [...branch.children].map(([key, child]) => ({
    key,
    node: "children" in child ? nodeOf(child, true) : child,
  }));
  if (mayBeList && children.every(({ key }) => /^\d+$/.test(key))) {
    const items = children.sort((a, b) => Number(a.key) - Number(b.key)).map(({ node }) => node);
    return { kind: "list", at: branch.at, items };
  }
  const entries = new Map(children.map(({ key, node }) => [key, { keyAt: node.at, node }] as const));
  return { kind: "map", at: branch.at, entries };
}

/** Column (from 1) in which the k-th cell of the record starting at a line begins; only errors ask. */
function cellColumn(text: string, line: number, k: number): number {
  let at = 0;
  for (let n = 1; n < line; n++) at = text.indexOf("\n", at) + 1;
  if (line === 1 && text.charCodeAt(0) === 0xfeff) at = 1;
  let lineStart = at;
  let quoted = false;
  for (let cell = 0; at < text.length && cell < k; at++) {
    const char = text[at];
    if (char === '"') quoted = !quoted;
    else if (char === "," && !quoted) cell++;
    else if (char === "\n") lineStart = at + 1;
  }
  return at - lineStart + 1;
}
