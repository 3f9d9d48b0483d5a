import { SERIES_REFERENCE_TITLE } from "../../../base/schemaBuilders.ts";
import { type JsonSchema, propertySchema } from "./jsonSchema.ts";
import { readScalar } from "./readScalar.ts";

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
