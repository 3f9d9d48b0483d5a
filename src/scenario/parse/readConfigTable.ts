import { formatNameList, type InputError, inputError } from "./inputError.ts";
import { type CsvRecord, columnOfCell, parseCsvRecords } from "./parseCsvRecords.ts";
import type { MapEntry, MapNode, SourceLocation, SourceNode, SourceOrigin } from "./sourceNode.ts";

/** Rows of a CSV file as mappings: columns named by dotted path, empty cells left out (docs/model/scenario-format.md#names). */
export interface ConfigTable {
  readonly rows: readonly RowNode[];
  /** Path of each column; `null` for a faulty column. */
  readonly columns: readonly (readonly string[] | null)[];
  readonly origin: SourceOrigin;
}

/**
 * Reads a CSV file whose columns are keys of the scenario format: fleets, awards, instructions, events.
 *
 * @param refusalOf why a row may not have a column of this dotted path, `null` when it may; once for each column
 */
export function readConfigTable(
  file: string,
  text: string,
  refusalOf: (path: readonly string[]) => string | null,
  errors: InputError[],
): ConfigTable | null {
  const refuse = (line: number, column: number, keyPath: string, found: string, allowed: string) => {
    errors.push(inputError({ file, line, column, keyPath, found, allowed }));
  };
  const records = parseCsvRecords(text, (line, found) => refuse(line, 1, "", found, "a CSV table (RFC 4180)"));
  if (records === null) return null;
  if (records.length === 0) {
    refuse(1, 1, "", "an empty file", "a header line with column names");
    return null;
  }
  const header = records[0].cells.map((name) => name.trim());
  const columns = header.map((name, k) => {
    const path = name.split(".");
    const unknown = refusalOf(path);
    const again = header.indexOf(name) < k;
    if (again) refuse(1, columnOfCell(text, 1, k), name, "a second column of this name", "each column once");
    else if (unknown !== null) refuse(1, columnOfCell(text, 1, k), name, "an unknown column", unknown);
    return again || unknown !== null ? null : path;
  });
  const origin = new TableOrigin(file, text, records, header);
  const rows: RowNode[] = [];
  for (let k = 1; k < records.length; k++) {
    const { cells, line } = records[k];
    if (cells.length === 1 && cells[0].trim() === "") continue;
    if (cells.length === header.length) rows.push(new RowNode(columns, cells, k * POSITIONS_PER_ROW));
    else
      refuse(line, 1, "", `${cells.length} cells`, `${header.length}, as in the header (${formatNameList(header, 8)})`);
  }
  return { rows, columns, origin };
}

/** Within a row, offset 0 is the row itself and offset k + 1 its cell k. */
const POSITIONS_PER_ROW = 2 ** 20;

class TableOrigin implements SourceOrigin {
  readonly file: string;
  readonly #text: string;
  readonly #records: readonly CsvRecord[];
  readonly #header: ReadonlySet<string>;
  readonly #reportedColumns = new Set<string>();

  constructor(file: string, text: string, records: readonly CsvRecord[], header: readonly string[]) {
    this.file = file;
    this.#text = text;
    this.#records = records;
    this.#header = new Set(header);
  }

  locate(at: number): SourceLocation {
    const { line } = this.#records[Math.floor(at / POSITIONS_PER_ROW)];
    const place = at % POSITIONS_PER_ROW;
    return { line, column: place === 0 ? 1 : columnOfCell(this.#text, line, place - 1) };
  }

  classifyMissingKey(keyPath: string): "cell" | "column" | "known" {
    if (this.#header.has(keyPath)) return "cell";
    if (this.#reportedColumns.has(keyPath)) return "known";
    this.#reportedColumns.add(keyPath);
    return "column";
  }
}

/** A row. Its entries are created on each access, because storing them for a year of rows takes much memory. */
export class RowNode implements MapNode {
  readonly kind = "map";
  readonly position: number;
  readonly #columns: readonly (readonly string[] | null)[];
  readonly cells: readonly string[];

  constructor(columns: readonly (readonly string[] | null)[], cells: readonly string[], at: number) {
    this.#columns = columns;
    this.cells = cells;
    this.position = at;
  }

  get entries(): ReadonlyMap<string, MapEntry> {
    const root: RowBranch = { position: this.position, children: new Map() };
    const { cells } = this;
    for (let k = 0; k < cells.length; k++) {
      const path = this.#columns[k];
      const value = path === null ? "" : cells[k].trim();
      if (path === null || value === "") continue;
      const leaf: SourceNode = { kind: "scalar", position: this.position + k + 1, value, isUntyped: true };
      branchFor(root, path).children.set(path[path.length - 1], leaf);
    }
    return entriesOf(root);
  }
}

/** Mutable during construction; numbered keys become a list. */
interface RowBranch {
  readonly position: number;
  readonly children: Map<string, RowBranch | SourceNode>;
}

function branchFor(root: RowBranch, path: readonly string[]): RowBranch {
  let branch = root;
  for (let k = 0; k + 1 < path.length; k++) {
    let child = branch.children.get(path[k]);
    if (child === undefined || !("children" in child)) {
      branch.children.set(path[k], (child = { position: root.position, children: new Map() }));
    }
    branch = child;
  }
  return branch;
}

function entriesOf({ children }: RowBranch): Map<string, MapEntry> {
  const entries = new Map<string, MapEntry>();
  for (const [key, child] of children) {
    const node = "children" in child ? nodeOf(child) : child;
    entries.set(key, { keyPosition: node.position, node });
  }
  return entries;
}

function nodeOf(branch: RowBranch): SourceNode {
  const entries = entriesOf(branch);
  if (![...entries.keys()].every((key) => /^\d+$/.test(key)))
    return { kind: "map", position: branch.position, entries };
  const items = [...entries].sort(([a], [b]) => Number(a) - Number(b)).map(([, { node }]) => node);
  return { kind: "list", position: branch.position, items };
}
