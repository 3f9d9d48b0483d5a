import { MS_PER_HALF_HOUR } from "../../../base/time.ts";
import type { FileContent, SeriesTable } from "../fileFormat.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, HeaderColumns, readAmounts } from "../text/headerColumns.ts";
import { normaliseText } from "../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../text/textTable.ts";
import { JST } from "../time/localTime.ts";
import { parseDate } from "../time/parseDate.ts";

const SLOTS_PER_DAY = 48;

/** A file with a row for each day and slot code 1 to 48 of Japan Standard Time. */
interface SlotLayout {
  /** Possible headers of the date column. */
  readonly dateNames: readonly string[];
  readonly slotName: string;
  /** `null` after reporting problems. */
  columnsOf(header: HeaderColumns): readonly AmountColumn[] | null;
}

/** Reads such a file; code k is the half hour that starts 30·(k − 1) min after midnight. */
export function readSlotRows(file: FileContent, layout: SlotLayout): SeriesTable | null {
  const table = TextTable.parse(file.text, file.problems);
  if (table === null) return null;
  const place = findHeader(table, layout);
  if (place === null) return null;
  const header = new HeaderColumns(table, place.row);
  const columns = layout.columnsOf(header);
  if (columns === null || file.problems.count > 0) return null;
  const dateIndex = header.require(place.dateName);
  const slotIndex = header.require(layout.slotName);
  const builder = new TableBuilder(columns);
  const width = header.names.findLastIndex((name) => name !== "") + 1;
  for (const row of table.rows.slice(place.row + 1)) {
    if (isBlankRow(row) || !checkWidth(table, row, width)) continue;
    const dayMs = parseDate(row.cells[dateIndex]);
    const slot = parseSlot(row.cells[slotIndex]);
    if (dayMs === null) table.reportCell(row, dateIndex, place.dateName, "a date such as 2026/04/01");
    if (slot === null) table.reportCell(row, slotIndex, layout.slotName, "a slot code from 1 to 48");
    const values = readAmounts(table, row, columns);
    if (dayMs === null || slot === null) continue;
    const [atMs] = JST.instantsOf(dayMs + (slot - 1) * MS_PER_HALF_HOUR);
    builder.add(atMs, values, row.line);
  }
  return builder.build(file.problems, MS_PER_HALF_HOUR);
}

function findHeader(table: TextTable, { dateNames, slotName }: SlotLayout) {
  for (const dateName of dateNames) {
    const row = table.findHeader([dateName, slotName]);
    if (row >= 0) return { row, dateName };
  }
  table.problems.refuse("no header row", `a row with the columns ${dateNames.join(" or ")} and ${slotName}`);
  return null;
}

/** `null` for anything but a whole number from 1 to 48. */
export function parseSlot(cell: string): number | null {
  const text = normaliseText(cell);
  const slot = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return 1 <= slot && slot <= SLOTS_PER_DAY ? slot : null;
}
