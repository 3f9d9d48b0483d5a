import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import type { KindTable } from "../../accounting/runRecord.ts";
import type { ComponentTableColumn } from "../../engine/site/components/tableFacet.ts";
import { type RowColumn, rowsToBlock } from "./rowsToBlock.ts";

type Row = KindTable["rows"][number];

/** The table that a kind of component adds to a report. */
export const kindTableBlock = ({ layout, rows }: KindTable): TableBlock =>
  rowsToBlock(rows, [{ name: "site", kind: "name", of: ({ site }) => site }, ...layout.columns.map(columnOf)]);

function columnOf({ name, kind }: ComponentTableColumn, k: number): RowColumn<Row> {
  if (kind === "text") return { name, kind, of: ({ cells }) => String(cells[k]) };
  return { name, kind, of: ({ cells }) => Number(cells[k]) };
}
