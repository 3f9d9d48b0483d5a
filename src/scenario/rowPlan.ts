import { scalarOf } from "./readScalar.ts";
import { SERIES_ROLE } from "./schema/shapes.ts";
import { ownMember, type Schema } from "./schemaShape.ts";

/**
 * Reads rows without mistakes straight from their cells: a year of awards in a third of the checker's time.
 *
 * Knows plain columns of one form only, and gives up on anything else; the checker then finds the words for it.
 */
export class RowPlan {
  readonly #columns: readonly (Column | null)[];
  readonly #defaults: Readonly<Record<string, unknown>>;
  readonly #required: readonly string[];

  constructor(columns: readonly (Column | null)[], defaults: Record<string, unknown>, required: readonly string[]) {
    this.#columns = columns;
    this.#defaults = defaults;
    this.#required = required;
  }

  /**
   * @param columns paths, `null` for those that are left out
   * @param given values for keys that have no column or an empty cell
   * @returns `null` where the rows are not plain enough
   */
  static of(schema: Schema, columns: readonly (readonly string[] | null)[], given: object): RowPlan | null {
    const { properties } = schema;
    if (properties === undefined) return null;
    const plain = columns.map((path) => (path === null ? null : columnOf(properties, path)));
    if (plain.some((column) => column?.branches === null)) return null;
    const defaults: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(properties)) {
      if (member.default === undefined) continue;
      // A default that has to be read first (an instant, a mapping) is the checker's business.
      if (typeof member.default === "string" || (member.default !== null && typeof member.default === "object"))
        return null;
      defaults[key] = member.default;
    }
    return new RowPlan(plain as (Column | null)[], { ...defaults, ...given }, schema.required ?? []);
  }

  /** The row's value, or `null` where the checker has to look at it. */
  read(cells: readonly string[]): Record<string, unknown> | null {
    const value: Record<string, unknown> = { ...this.#defaults };
    for (let k = 0; k < cells.length; k++) {
      const column = this.#columns[k];
      const cell = column === null ? "" : cells[k].trim();
      if (column === null || cell === "") continue;
      const read = cellValue(column.branches, cell);
      if (read === undefined) return null;
      value[column.key] = read;
    }
    for (const key of this.#required) if (value[key] === undefined) return null;
    return value;
  }
}

interface Column {
  readonly key: string;
  readonly branches: readonly Schema[];
}

/** `branches: null`: not a plain column. Names of series are left to the checker, which collects them. */
function columnOf(properties: Readonly<Record<string, Schema>>, path: readonly string[]) {
  const member = path.length === 1 ? ownMember(properties, path[0]) : undefined;
  const branches = member?.anyOf ?? (member === undefined ? [] : [member]);
  const scalar =
    branches.length > 0 && branches.every(({ type, anyOf }) => type !== "object" && type !== "array" && !anyOf);
  return { key: path[0], branches: scalar ? branches.filter(({ title }) => title !== SERIES_ROLE) : null };
}

function cellValue(branches: readonly Schema[], value: string): unknown {
  const cell = { kind: "scalar", at: 0, value, untyped: true } as const;
  for (const branch of branches) {
    const read = scalarOf(branch, cell);
    if (read !== undefined) return read;
  }
  return undefined;
}
