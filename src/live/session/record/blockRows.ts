import type { TableBlock, TableColumn } from "../../../accounting/recorders/tableBlock.ts";
import { isoUtc } from "../../../base/time.ts";
import type { CsvRow } from "../../../report/tables/readTable.ts";

/** The rows of a block with the texts that a CSV file would have. */
export const blockRows = ({ rowCount, columns }: TableBlock): CsvRow[] =>
  Array.from({ length: rowCount }, (_, k) =>
    Object.fromEntries(columns.map((column) => [column.name, cellText(column, k)])),
  );

function cellText(column: TableColumn, row: number): string {
  if (column.kind === "text") return column.values[row] ?? "";
  const value = column.values[row];
  if (column.kind === "name") return value < 0 ? "" : column.names[value];
  if (Number.isNaN(value)) return "";
  if (column.kind === "instant") return isoUtc(value);
  return column.kind === "integer" ? String(value) : (value / 1000).toFixed(3);
}
