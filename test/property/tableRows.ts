import type { BlockSink, TableBlock, TableColumn } from "../../src/accounting/recorders/tableBlock.ts";

export type Row = Readonly<Record<string, number | string | null>>;

/** Keeps the rows of one bulk table as plain objects: instants in ms, thousandths as kW or kWh, not applicable as null. */
export function createRowRecorder(): { readonly sink: BlockSink; readonly rows: Row[] } {
  const rows: Row[] = [];
  const write = ({ rowCount, columns }: TableBlock): void => {
    for (let k = 0; k < rowCount; k++) {
      rows.push(Object.fromEntries(columns.map((column) => [column.name, cell(column, k)])));
    }
  };
  return { sink: { write }, rows };
}

function cell(column: TableColumn, k: number): number | string | null {
  if (column.kind === "name") return column.values[k] < 0 ? null : column.names[column.values[k]];
  const value = column.values[k];
  if (value === null || typeof value === "string") return value;
  if (Number.isNaN(value)) return null;
  return column.kind === "thousandths" ? value / 1000 : value;
}
