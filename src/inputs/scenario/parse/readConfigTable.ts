import { type ErrorCollector, formatNameList, formatValue, truncateText } from "../../../base/inputError.ts";
import {
  type CsvRecord,
  columnOfCell,
  lineStartsOf,
  parseCsvRecords,
} from "../../../engine/series/csv/parseCsvRecords.ts";
import type { RemarkCollector } from "../checks/remark.ts";
import type { ColumnError } from "./jsonSchema.ts";
import type { MapEntry, MapNode, SourceLocation, SourceNode, SourceOrigin } from "./sourceNode.ts";

/** Rows of a CSV file as mappings: columns named by dotted path, empty cells left out (docs/model/scenario-format.md#names). */
interface ConfigTable {
  readonly rows: readonly RowNode[];
  /** Path of each column; `null` for a faulty column. */
  readonly columns: readonly (readonly string[] | null)[];
  readonly origin: SourceOrigin;
}

interface ConfigTableSource {
  readonly file: string;
  readonly text: string;
  /** Called once for each column; `null` where rows may have it. */
  readonly findColumnError: (path: readonly string[]) => ColumnError | null;
  readonly errors: ErrorCollector;
  readonly remarks: RemarkCollector;
}

/**
 * Reads a CSV file whose columns are keys of the scenario format: fleets, awards, instructions, events. Columns of other
 * names and blank rows are left out with a note (docs/model/scenario-format.md#csv).
 */
export function readConfigTable(source: ConfigTableSource): ConfigTable | null {
  const { file, text, errors } = source;
  const refuse = (line: number, found: string, allowed: string) => {
    errors.report({ file, line, column: 1, keyPath: "", found, allowed });
  };
  const records = parseCsvRecords(text, (line, found) => refuse(line, found, "a CSV table (RFC 4180)"));
  if (records === null) return null;
  if (records.length === 0) {
    refuse(1, "an empty file", "a header line with column names");
    return null;
  }
  const header = records[0].cells.map((name) => name.trim());
  const origin = new TableOrigin(file, text, records, header);
  const columns = readHeader(source, header, origin);
  const rows: RowNode[] = [];
  for (let k = 1; k < records.length; k++) {
    const { cells, line } = records[k];
    if (cells.every((cell) => cell.trim() === "")) {
      if (cells.length > 1) noteBlankRow(source, line);
      continue;
    }
    const row = withoutExtraCells(cells, header.length);
    if (row.length === header.length) rows.push(new RowNode(columns, row, k * POSITIONS_PER_ROW));
    else
      errors.add({ file, keyPath: "", what: "numbers of cells" }, () => {
        const allowed = `${header.length}, as in the header (${formatNameList(header, 8)})`;
        return { file, line, column: 1, keyPath: "", found: `${cells.length} cells`, allowed };
      });
  }
  return { rows, columns, origin };
}

/** @returns the path of each column; `null` for one that is faulty or left out */
function readHeader(
  { file, findColumnError, errors, remarks }: ConfigTableSource,
  header: readonly string[],
  origin: TableOrigin,
): (readonly string[] | null)[] {
  const known = new Set<string>();
  const placeOf = (k: number) => ({ file, ...origin.locate(k + 1), keyPath: truncateText(header[k]) });
  return header.map((name, k) => {
    const path = name.split(".");
    const isRepeated = name !== "" && known.has(name);
    known.add(name);
    if (isRepeated) {
      errors.add({ file, keyPath: "", what: "repeated columns" }, () => {
        return { ...placeOf(k), found: "a second column of this name", allowed: "each column once" };
      });
      return null;
    }
    const error = findColumnError(path);
    if (error === null) return path;
    if (name !== "" && error.isMistyped)
      errors.add({ file, keyPath: "", what: "unknown columns" }, () => {
        return { ...placeOf(k), found: "an unknown column", allowed: error.allowed };
      });
    else
      remarks.add("ignored-column", () => {
        const column = name === "" ? `column ${k + 1} without a name` : `column ${formatValue(name)}`;
        return { ...placeOf(k), message: `${column} is no key of the format and is not read` };
      });
    return null;
  });
}

/** Spreadsheets write empty cells behind the last column. */
const withoutExtraCells = (cells: readonly string[], count: number): readonly string[] =>
  cells.length > count && cells.slice(count).every((cell) => cell.trim() === "") ? cells.slice(0, count) : cells;

function noteBlankRow({ file, remarks }: ConfigTableSource, line: number): void {
  remarks.add("blank-row", () => {
    return { file, line, column: 1, message: `the row on line ${line} has only empty cells and is not read` };
  });
}

/** Within a row, offset 0 is the row itself and offset k + 1 its cell k. */
const POSITIONS_PER_ROW = 0x100000;

class TableOrigin implements SourceOrigin {
  readonly file: string;
  private readonly text: string;
  /** Position of each line; created by the first error. */
  private lineStarts: readonly number[] | null = null;
  private readonly records: readonly CsvRecord[];
  private readonly header: ReadonlySet<string>;
  private readonly reportedColumns = new Set<string>();

  constructor(file: string, text: string, records: readonly CsvRecord[], header: readonly string[]) {
    this.file = file;
    this.text = text;
    this.records = records;
    this.header = new Set(header);
  }

  locate(at: number): SourceLocation {
    const { line } = this.records[Math.floor(at / POSITIONS_PER_ROW)];
    const place = at % POSITIONS_PER_ROW;
    if (place === 0) return { line, column: 1 };
    this.lineStarts ??= lineStartsOf(this.text);
    return { line, column: columnOfCell(this.text, this.lineStarts[line - 1], place - 1) };
  }

  classifyMissingKey(keyPath: string): "cell" | "column" | "known" {
    if (this.header.has(keyPath)) return "cell";
    if (this.reportedColumns.has(keyPath)) return "known";
    this.reportedColumns.add(keyPath);
    return "column";
  }
}

/** A row. Its entries are created on each access, because storing them for a year of rows takes much memory. */
class RowNode implements MapNode {
  readonly kind = "map";
  readonly position: number;
  private readonly columns: readonly (readonly string[] | null)[];
  readonly cells: readonly string[];

  constructor(columns: readonly (readonly string[] | null)[], cells: readonly string[], at: number) {
    this.columns = columns;
    this.cells = cells;
    this.position = at;
  }

  get entries(): ReadonlyMap<string, MapEntry> {
    const root: RowBranch = { position: this.position, children: new Map() };
    const { cells } = this;
    for (let k = 0; k < cells.length; k++) {
      const path = this.columns[k];
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
