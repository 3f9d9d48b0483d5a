import { formatValue, NO_SUCH_FILE } from "../../../base/inputError.ts";
import { SERIES_REFERENCE_TITLE } from "../../../base/schemaBuilders.ts";
import { decodeText } from "./decodeText.ts";
import { describeColumnError, type JsonSchema, propertySchema } from "./jsonSchema.ts";
import { displayPathBeside, type LoadContext, resolveBeside } from "./loadContext.ts";
import { readConfigTable } from "./readConfigTable.ts";
import { readScalar } from "./readScalar.ts";
import type { MapNode } from "./sourceNode.ts";

interface FileEntry {
  readonly file: string;
  readonly vpp?: string;
}

const isFileEntry = (entry: object): entry is FileEntry => "file" in entry;

/**
 * The entries of a list, with references to CSV files replaced by the rows of the file, in order.
 *
 * @param schema of one entry and of one row
 */
export function readEntries<T extends object>(
  loadContext: LoadContext,
  entries: readonly object[] | undefined,
  schema: object,
): T[] {
  const rows: T[] = [];
  for (const entry of entries ?? []) {
    if (isFileEntry(entry))
      for (const row of readFileEntry<T>(loadContext, entry, schema as JsonSchema)) rows.push(row);
    else rows.push(entry as T);
  }
  return rows;
}

function readFileEntry<T extends object>(loadContext: LoadContext, entry: FileEntry, schema: JsonSchema): T[] {
  const { checker, files, file: scenarioFile } = loadContext;
  const content = files.read(resolveBeside(scenarioFile, entry.file));
  if (content === null) {
    checker.reportError(
      entry,
      "file",
      `${NO_SUCH_FILE}: ${formatValue(entry.file)}`,
      "a readable CSV file, relative to the scenario file",
    );
    return [];
  }
  const shownFile = displayPathBeside(loadContext.displayPath, entry.file);
  const text = decodeText(shownFile, content, checker.errors);
  if (text === null) return [];
  const findColumnError = (path: readonly string[]) => describeColumnError(schema, path);
  const { errors } = checker;
  const table = readConfigTable({ file: shownFile, text, findColumnError, errors, remarks: loadContext.remarks });
  if (table === null) return [];
  const { columns, origin } = table;
  if (table.rows.length === 0)
    loadContext.remarks.add("empty-table", () => ({
      ...checker.placeOf(entry, "file"),
      message: "a table with a header alone: nothing is read from it",
    }));
  const given = entry.vpp === undefined ? {} : { vpp: entry.vpp };
  checker.setSource(given, { node: table.rows[0], origin, path: "", schema });
  const plan = FastRowParser.create(schema, columns, given);
  const values: T[] = [];
  for (const node of table.rows) {
    const quick = plan?.parse(node.cells) ?? null;
    if (quick !== null) checker.setSource(quick, { node, origin, path: "", schema });
    const value = quick ?? checker.check(schema, withVpp(node, entry.vpp), origin, "");
    if (value !== undefined) values.push(value as T);
  }
  return values;
}

/** A `vpp` column overrides the entry's key (docs/model/scenario-format.md#names). */
function withVpp(node: MapNode, vpp: string | undefined): MapNode {
  if (vpp === undefined) return node;
  const { position, entries } = node;
  if (entries.has("vpp")) return node;
  const vppKey = { keyPosition: position, node: { kind: "scalar", position, value: vpp, isUntyped: true } as const };
  return { kind: "map", position, entries: new Map([["vpp", vppKey], ...entries]) };
}

/**
 * Parses valid rows directly from their cells, in a third of the checker's time for a year of awards.
 *
 * Handles plain columns of one form only. All other rows are left to the checker, which also reports errors.
 */
export class FastRowParser {
  private readonly columns: readonly (Column | null)[];
  /** Last cell of each column and its value: many are the same as in the row before. */
  private readonly lastCells: string[];
  private readonly lastValues: unknown[];
  private readonly defaults: Readonly<Record<string, unknown>>;
  private readonly required: readonly string[];

  constructor(columns: readonly (Column | null)[], defaults: Record<string, unknown>, required: readonly string[]) {
    this.columns = columns;
    this.lastCells = columns.map(() => "");
    this.lastValues = columns.map(() => undefined);
    this.defaults = defaults;
    this.required = required;
  }

  /**
   * @param columns paths, `null` for ignored columns
   * @param given values of keys without a column or with an empty cell
   * @returns `null` where the columns are not plain
   */
  static create(
    schema: JsonSchema,
    columns: readonly (readonly string[] | null)[],
    given: object,
  ): FastRowParser | null {
    const { properties } = schema;
    if (properties === undefined) return null;
    const plain = columns.map((path) => (path === null ? null : columnOf(properties, path)));
    if (plain.some((column) => column?.branches === null)) return null;
    const defaults: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(properties)) {
      if (member.default === undefined) continue;
      // A default that must be parsed (an instant, a mapping) is left to the checker.
      if (typeof member.default === "string" || (member.default !== null && typeof member.default === "object"))
        return null;
      defaults[key] = member.default;
    }
    const template = templateOf(Object.keys(properties), Object.assign(defaults, given));
    return new FastRowParser(plain as (Column | null)[], template, schema.required ?? []);
  }

  /** The row's value, or `null` where the checker must read it. */
  parse(cells: readonly string[]): Record<string, unknown> | null {
    const value: Record<string, unknown> = { ...this.defaults };
    for (let k = 0; k < cells.length; k++) {
      const column = this.columns[k];
      const cell = column === null ? "" : cells[k].trim();
      if (column === null || cell === "") continue;
      if (cell !== this.lastCells[k]) {
        this.lastCells[k] = cell;
        this.lastValues[k] = cellValue(column.branches, cell);
      }
      const read = this.lastValues[k];
      if (read === undefined) return null;
      value[column.key] = read;
    }
    for (const key of this.required) if (value[key] === undefined) return null;
    return value;
  }
}

/**
 * An object with all keys, undefined without a value. Copies share its hidden class. Objects assembled key by key would
 * become dictionary objects, which are slow to read; JSON.parse creates none.
 */
function templateOf(keys: readonly string[], values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const template = JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:null`).join()}}`);
  for (const key of keys) template[key] = values[key];
  // Symbols are included, so that copies have the source property.
  return Object.assign(template, values);
}

interface Column {
  readonly key: string;
  readonly branches: readonly JsonSchema[];
}

/** `branches: null`: not a plain column. Series references are left to the checker, which collects them. */
function columnOf(properties: Readonly<Record<string, JsonSchema>>, path: readonly string[]) {
  const member = path.length === 1 ? propertySchema(properties, path[0]) : undefined;
  const branches = member?.anyOf ?? (member === undefined ? [] : [member]);
  const scalar =
    branches.length > 0 && branches.every(({ type, anyOf }) => type !== "object" && type !== "array" && !anyOf);
  return { key: path[0], branches: scalar ? branches.filter(({ title }) => title !== SERIES_REFERENCE_TITLE) : null };
}

function cellValue(branches: readonly JsonSchema[], value: string): unknown {
  const cell = { kind: "scalar", position: 0, value, isUntyped: true } as const;
  for (const branch of branches) {
    const read = readScalar(branch, cell);
    if (read !== undefined) return read;
  }
  return undefined;
}
