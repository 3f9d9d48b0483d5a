import type { BlockSink, TableBlock, TableColumn } from "../../src/accounting/recorders/tableBlock.ts";

export type Row = Readonly<Record<string, number | string | null>>;

/** A sink that collects the rows of one table as objects: kW and kWh as numbers, not applicable as null. */
export class RowCollector implements BlockSink {
  readonly rows: Row[] = [];

  write({ rowCount, columns }: TableBlock): void {
    for (let k = 0; k < rowCount; k++)
      this.rows.push(Object.fromEntries(columns.map((column) => [column.name, cell(column, k)])));
  }
}

function cell(column: TableColumn, k: number): number | string | null {
  if (column.kind === "name") return column.values[k] < 0 ? null : column.names[column.values[k]];
  if (column.kind === "text") return column.values[k];
  const value = column.values[k];
  if (Number.isNaN(value)) return null;
  return column.kind === "thousandths" ? value / 1000 : value;
}
