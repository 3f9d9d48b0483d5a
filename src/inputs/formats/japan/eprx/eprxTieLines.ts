import { groupBy } from "../../../../base/lists.ts";
import type { FileContent, FileFormat, SeriesTable } from "../../fileFormat.ts";
import { TableBuilder } from "../../tableBuilder.ts";
import { readAmounts } from "../../text/headerColumns.ts";
import { areaOf } from "../areas.ts";
import { EPRX_TERMS, type EprxFile, type EprxRow, parseEprxFile, requireColumns } from "./eprxFile.ts";

/** Ends of the column names; the text before them names the market. */
const QUANTITIES = [
  { source: "連系線確保量上限値(順方向)[MW]", stem: "forward_limit_mw" },
  { source: "連系線確保量上限値(逆方向)[MW]", stem: "reverse_limit_mw" },
  { source: "連系線確保量(順方向)[MW]", stem: "forward_reserved_mw" },
  { source: "連系線確保量(逆方向)[MW]", stem: "reverse_reserved_mw" },
] as const;

/** Columns of the areas that a tie line joins. */
const ENDS = ["順方向元エリア", "逆方向元エリア"];

/** Reserved capacity of the tie lines: `YYYYMM_tieline_<market>_….csv`. */
export const eprxTieLines: FileFormat = {
  id: "eprx_tie_lines",
  title: "EPRX reserved capacity of tie lines (YYYYMM_tieline_<market>_prompt.csv)",
  terms: EPRX_TERMS,
  options: ["encoding"],
  detect: ({ head }) => (/^T,順方向元エリア,逆方向元エリア/m.test(head) ? 1 : 0),
  read: readTieLines,
};

function readTieLines(content: FileContent): SeriesTable | null {
  const file = parseEprxFile(content);
  if (file === null) return null;
  if (!requireColumns(file, ENDS)) return null;
  const columns = QUANTITIES.map((quantity) => {
    const index = file.names.findIndex((name) => name.endsWith(quantity.source));
    if (index < 0) content.problems.refuse("no such column", "a column whose name ends so", quantity.source);
    return { ...quantity, index, role: quantity.stem, unit: "MW", minimum: 0 };
  });
  const rows = rowsOfSpan(content.name, file.rows);
  const lines = [...new Set(rows.map((row) => lineOf(file, row.record.cells)))];
  const builder = new TableBuilder(
    lines.flatMap((line) => columns.map(({ stem, source }) => ({ role: `${line}_${stem}`, unit: "MW", source }))),
  );
  for (const block of groupBy(rows, ({ key }) => key).values()) {
    const byLine = new Map(
      block.map(({ record }) => [lineOf(file, record.cells), readAmounts(file.table, record, columns)] as const),
    );
    if (byLine.size < block.length)
      file.table.reportRow(
        block[0].record,
        `a tie line twice in block ${block[0].key}`,
        "each tie line once in a block",
      );
    const values = lines.flatMap((line) => byLine.get(line) ?? columns.map(() => Number.NaN));
    builder.add(block[0].atMs, values, block[0].record.line);
  }
  const outside = file.rows.length - rows.length;
  if (outside > 0) builder.notes.push(`${outside} rows outside the days of the file name are left out`);
  return builder.build(content.problems, file.blockMs);
}

/** The file of a part of a month, as in 202603_tieline_DAM_0314-0331_result.csv, repeats the whole month with zeros. */
function rowsOfSpan(name: string, rows: readonly EprxRow[]): readonly EprxRow[] {
  const [, from, to] = /_(\d{4})-(\d{4})_/.exec(name) ?? [];
  const monthAndDay = ({ key }: EprxRow) => key.slice(4, 8);
  return from === undefined ? rows : rows.filter((row) => from <= monthAndDay(row) && monthAndDay(row) <= to);
}

/** "hokkaido_tohoku": the forward direction. */
function lineOf({ names }: EprxFile, cells: readonly string[]): string {
  const end = (name: string) => {
    const text = (cells[names.indexOf(name)] ?? "").trim();
    return areaOf(text) ?? text.replaceAll(/\s/g, "");
  };
  return ENDS.map(end).join("_");
}
