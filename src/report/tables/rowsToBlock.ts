import { BLOCK_ROWS, type TableBlock, type TableColumn } from "../../accounting/recorders/tableBlock.ts";
import { type Currency, moneyName } from "../../base/currency.ts";
import { toThousandths } from "../../base/rounding.ts";
import type { EpochMs } from "../../base/time.ts";

/** A column of a small table with its accessor; `null`: not applicable. */
export type RowColumn<Row> =
  | { readonly name: string; readonly kind: "instant"; readonly of: (row: Row) => EpochMs }
  | { readonly name: string; readonly kind: "optional instant"; readonly of: (row: Row) => EpochMs | null }
  | { readonly name: string; readonly kind: "name" | "text"; readonly of: (row: Row) => string | null }
  /** In the unit of the column, such as kW; `rowsToBlock` rounds half away from zero. */
  | { readonly name: string; readonly kind: "thousandths"; readonly of: (row: Row) => number | null }
  | { readonly name: string; readonly kind: "integer"; readonly of: (row: Row) => number | boolean | null };

/** What a cell of a field is when it is read again; `null`: not applicable. */
export interface CellValues {
  readonly instant: EpochMs;
  readonly "optional instant": EpochMs | null;
  readonly name: string | null;
  readonly text: string | null;
  /** In the unit of the column. */
  readonly thousandths: number | null;
}

/** A column that has the value of one field of a row, so that it can be read again. */
export interface Field<Kind extends keyof CellValues = keyof CellValues> {
  readonly name: string;
  readonly kind: Kind;
}

/** The columns of some fields of a row, by name of the field. */
export const fieldColumns = <Row>(fields: { readonly [Key in keyof Row]?: Field }): RowColumn<Row>[] =>
  partColumns<Row, Row>(fields, (row) => row);

/** The same of an object in each row; `null`: not applicable. */
export const partColumns = <Row, Part>(
  fields: { readonly [Key in keyof Part]?: Field },
  partOf: (row: Row) => Part | null,
): RowColumn<Row>[] =>
  (Object.entries(fields) as [keyof Part, Field][]).map(
    ([key, { name, kind }]) =>
      // A table by names of fields cannot say that each has a value of its kind.
      ({ name, kind, of: (row: Row) => partOf(row)?.[key] ?? null }) as RowColumn<Row>,
  );

/** Rows in the parts of a table: as one block, a long table would be in memory a second time. At least one part. */
export function* rowSlices<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from === 0 || from < rows.length; from += BLOCK_ROWS) yield rows.slice(from, from + BLOCK_ROWS);
}

/** Flags become 0 and 1. */
export function rowsToBlock<Row>(rows: readonly Row[], columns: readonly RowColumn<Row>[]): TableBlock {
  return { rowCount: rows.length, columns: columns.map((column) => columnOf(rows, column)) };
}

/** The table with the names of its amounts in a currency. */
export const inCurrency = ({ rowCount, columns }: TableBlock, currency: Currency): TableBlock => ({
  rowCount,
  columns: columns.map((column) => ({ ...column, name: moneyName(column.name, currency) })),
});

function columnOf<Row>(rows: readonly Row[], column: RowColumn<Row>): TableColumn {
  const { name, kind } = column;
  switch (kind) {
    case "instant":
      return { name, kind, values: numbers(rows, column.of, Number) };
    case "optional instant":
      return { name, kind: "instant", values: numbers(rows, column.of, Number), optional: true };
    case "name":
      return { name, kind, ...encodeNames(rows, column.of) };
    case "text":
      return { name, kind, values: rows.map(column.of) };
    case "thousandths":
      return { name, kind, values: numbers(rows, column.of, toThousandths) };
    case "integer":
      return { name, kind, values: numbers(rows, column.of, Number) };
  }
}

function numbers<Row, Cell>(
  rows: readonly Row[],
  of: (row: Row) => Cell | null,
  convert: (cell: Cell) => number,
): Float64Array {
  // `Float64Array.from` with a function takes ten times as long as a loop.
  const values = new Float64Array(rows.length);
  for (let k = 0; k < rows.length; k++) {
    const cell = of(rows[k]);
    values[k] = cell === null ? Number.NaN : convert(cell);
  }
  return values;
}

/** Codes in the order of first occurrence; -1: `null`. */
function encodeNames<Row>(
  rows: readonly Row[],
  of: (row: Row) => string | null,
): { values: Int32Array; names: string[] } {
  const codes = new Map<string, number>();
  const values = new Int32Array(rows.length);
  let last: string | null = null;
  let code = -1;
  for (let k = 0; k < rows.length; k++) {
    const text = of(rows[k]);
    // Mostly the same as in the row above.
    if (text !== last) {
      code = text === null ? -1 : (codes.get(text) ?? codes.size);
      if (text !== null) codes.set(text, code);
      last = text;
    }
    values[k] = code;
  }
  return { values, names: [...codes.keys()] };
}
