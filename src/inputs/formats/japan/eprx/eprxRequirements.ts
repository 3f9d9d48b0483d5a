import { MS_PER_DAY, MS_PER_HALF_HOUR } from "../../../../base/time.ts";
import type { CsvRecord } from "../../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesTable } from "../../fileFormat.ts";
import { TableBuilder } from "../../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../../text/headerColumns.ts";
import { normaliseName } from "../../text/normaliseText.ts";
import { isBlankRow, TextTable } from "../../text/textTable.ts";
import { JST } from "../../time/localTime.ts";
import { parseClockRange } from "../../time/parseDate.ts";
import { type Area, areaOf, chosenArea } from "../areas.ts";
import { EPRX_TERMS } from "./eprxFile.ts";

const MONTH = /^(\d{4})\/(\d{1,2})_$/;
const SLOTS = 48;

/** Requirements of the products by area and half hour, months side by side: `YYYY_Requirement_….csv`. */
export const eprxRequirements: FileFormat = {
  id: "eprx_requirements",
  title: "EPRX requirements by area and half hour of the day (YYYY_Requirement_….csv)",
  terms: EPRX_TERMS,
  options: ["area", "encoding"],
  detect: ({ head }) => (/^\d{4}\/\d{1,2}_,北海道/m.test(head) ? 1 : 0),
  read: readRequirements,
};

/** The columns of one month: a range of times, then the areas. */
interface MonthBlock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly index: number;
  readonly areas: readonly { readonly area: Area; readonly index: number }[];
}

function readRequirements(file: FileContent): SeriesTable | null {
  const { problems } = file;
  const table = TextTable.parse(file.text, problems);
  if (table === null) return null;
  const start = table.rows.findIndex(({ cells }) => MONTH.test(normaliseName(cells[0])));
  if (start < 0) {
    problems.refuse("no header row", "a row of months and areas, as in 2026/4_,北海道,東北");
    return null;
  }
  const title = normaliseName(table.rows[start - 1]?.cells[0] ?? "");
  if (!title.includes("[MW]")) problems.refuse("no title with the unit", "a line such as Compound_Requirement_[MW]");
  const header = table.rows[start];
  const blocks = monthBlocks(header);
  const known = [...new Set(blocks.flatMap(({ areas }) => areas.map(({ area }) => area)))];
  const area = chosenArea(file, known);
  if (area === undefined || problems.count > 0) return null;
  const areas = area === null ? known : [area];
  const roleOf = (name: Area): string => (area === null ? `requirement_${name}_mw` : "requirement_mw");
  const rows = table.rows.slice(start + 1).filter((row) => !isBlankRow(row));
  if (rows.length !== SLOTS)
    table.reportRow(header, `${rows.length} half hours`, `${SLOTS} rows, from 00:00～00:30 to 23:30～24:00`);
  const builder = new TableBuilder(areas.map((name) => ({ role: roleOf(name), unit: "MW", source: name })));
  const known48 = rows.filter((row, slot) => checkSlot(table, row, slot, { blocks, width: header.cells.length }));
  const empty: string[] = [];
  for (const block of blocks) {
    const columns = areas.map((name): AmountColumn => {
      const index = block.areas.find((candidate) => candidate.area === name)?.index ?? -1;
      return { index, role: roleOf(name), unit: "MW", source: name, minimum: 0 };
    });
    const values = known48.map((row) => readAmounts(table, row, columns));
    if (values.every((row) => row.every(Number.isNaN))) empty.push(`${block.year}/${block.month}`);
    else if (problems.count === 0) addMonth(builder, block, { rows: known48, values });
  }
  builder.notes.push(`${title}: a half hour has the same value on every day of its month`);
  if (empty.length > 0) builder.notes.push(`months without values are left out: ${empty.join(", ")}`);
  return builder.build(problems, MS_PER_HALF_HOUR);
}

function monthBlocks({ cells }: CsvRecord): MonthBlock[] {
  const starts = cells.flatMap((cell, index) => {
    const match = MONTH.exec(normaliseName(cell));
    return match === null ? [] : [{ index, year: Number(match[1]), month: Number(match[2]) }];
  });
  return starts.map((start, k) => {
    const until = starts[k + 1]?.index ?? cells.length;
    const areas = cells.slice(start.index + 1, until).flatMap((cell, offset) => {
      const area = areaOf(normaliseName(cell));
      return area === null ? [] : [{ area, index: start.index + 1 + offset }];
    });
    return { ...start, areas };
  });
}

/** Whether a row is the half hour of its place in every month; a problem is reported. */
function checkSlot(
  table: TextTable,
  row: CsvRecord,
  slot: number,
  { blocks, width }: { readonly blocks: readonly MonthBlock[]; readonly width: number },
): boolean {
  if (!checkWidth(table, row, width)) return false;
  const startMs = slot * MS_PER_HALF_HOUR;
  const wrong = blocks.find(({ index }) => {
    const range = parseClockRange(row.cells[index]);
    return range?.startMs !== startMs || range.endMs !== startMs + MS_PER_HALF_HOUR;
  });
  if (wrong === undefined) return true;
  table.reportCell(row, wrong.index, "time", `half hour ${slot + 1} of the day, as in 00:00～00:30`);
  return false;
}

function addMonth(
  builder: TableBuilder,
  { year, month }: MonthBlock,
  { rows, values }: { readonly rows: readonly CsvRecord[]; readonly values: readonly (readonly number[])[] },
): void {
  for (let dayMs = Date.UTC(year, month - 1); dayMs < Date.UTC(year, month); dayMs += MS_PER_DAY)
    rows.forEach(({ line }, slot) =>
      builder.add(JST.instantsOf(dayMs + slot * MS_PER_HALF_HOUR)[0], values[slot], line),
    );
}
