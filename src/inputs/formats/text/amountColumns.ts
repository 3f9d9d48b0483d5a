import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { ColumnSpec } from "../tableBuilder.ts";
import { type AmountStyle, PLAIN_AMOUNTS, parseAmount, type UnitScale } from "./parseAmount.ts";
import type { TextTable } from "./textTable.ts";

/** A numeric column of a text file: its position, its meaning and its permitted values. */
export interface AmountColumn extends ColumnSpec {
  readonly index: number;
  readonly scale?: UnitScale;
  /** In the unit of the column, after scaling. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The amounts of a row; a cell that is no number or outside its limits is reported and read as missing. */
export function readAmounts(
  table: TextTable,
  row: CsvRecord,
  columns: readonly AmountColumn[],
  style: AmountStyle = PLAIN_AMOUNTS,
): number[] {
  return columns.map((column) => {
    const value = parseAmount(row.cells[column.index] ?? "", style, column.scale);
    if (value !== null && (Number.isNaN(value) || isWithin(value, column))) return value;
    table.reportCell(row, column.index, column.source, allowedAmounts(column));
    return Number.NaN;
  });
}

const isWithin = (value: number, { minimum, maximum }: AmountColumn): boolean =>
  (minimum === undefined || minimum <= value) && (maximum === undefined || value <= maximum);

function allowedAmounts({ minimum, maximum, unit }: AmountColumn): string {
  const inUnit = unit === "" ? "" : ` in ${unit}`;
  if (minimum !== undefined && maximum !== undefined)
    return `a number from ${minimum} to ${maximum}${inUnit}, or an empty cell`;
  if (minimum !== undefined) return `a number of at least ${minimum}${inUnit}, or an empty cell`;
  return `a number${inUnit}, or an empty cell`;
}

/** Whether the row has the cells of its header; more cells are allowed when they are empty. */
export function checkWidth(table: TextTable, row: CsvRecord, width: number): boolean {
  const extra = row.cells.slice(width).some((cell) => cell.trim() !== "");
  if (row.cells.length >= width && !extra) return true;
  table.reportRow(row, `${row.cells.length} cells`, `${width} cells, as in the header`);
  return false;
}
