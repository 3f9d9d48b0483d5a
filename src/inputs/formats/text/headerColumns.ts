import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { ColumnSpec } from "../tableBuilder.ts";
import { normaliseName } from "./normaliseText.ts";
import { type AmountStyle, PLAIN_AMOUNTS, parseAmount, type UnitScale } from "./parseAmount.ts";
import type { TextTable } from "./textTable.ts";

const OCCURRENCE = /^(.+)#(\d+)$/;

/** The columns of a header row by name, compared without width and blanks; `Usage#2` is the second one of its name. */
export class HeaderColumns {
  readonly row: CsvRecord;
  /** Normalised. */
  readonly names: readonly string[];
  private readonly table: TextTable;

  constructor(table: TextTable, rowIndex: number) {
    this.table = table;
    this.row = table.rows[rowIndex];
    this.names = this.row.cells.map(normaliseName);
  }

  /** Index of a column; -1 after reporting that it is missing or occurs more than once. */
  require(name: string): number {
    const before = this.table.problems.count;
    const found = this.find(name);
    if (found < 0 && before === this.table.problems.count) {
      const names = this.names.filter((other) => other !== "").slice(0, 30);
      this.table.problems.add(name, () => ({
        line: this.row.line,
        column: 1,
        found: "no such column",
        allowed: `one of the columns ${names.join(", ")}`,
      }));
    }
    return found;
  }

  /** Index of a column; -1 if it is missing, or after reporting that it occurs more than once. */
  find(name: string): number {
    const wanted = normaliseName(name);
    const found = this.indexesOf(wanted);
    if (found.length === 1) return found[0];
    if (found.length > 1) {
      this.table.reportCell(this.row, found[1], name, `each column once, or ${wanted}#1 and ${wanted}#2 for the two`);
      return -1;
    }
    const [, stem = "", occurrence = ""] = OCCURRENCE.exec(wanted) ?? [];
    return this.indexesOf(stem)[Number(occurrence) - 1] ?? -1;
  }

  /** The name that only this column has. */
  uniqueName(index: number): string {
    const same = this.indexesOf(this.names[index]);
    return same.length === 1 ? this.names[index] : `${this.names[index]}#${1 + same.indexOf(index)}`;
  }

  private indexesOf(name: string): number[] {
    return this.names.flatMap((other, index) => (other === name && name !== "" ? [index] : []));
  }
}

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
