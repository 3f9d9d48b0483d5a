import type { CsvRecord } from "../../series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesTable } from "../fileFormat.ts";
import { FormatProblems } from "../formatProblem.ts";
import { TableBuilder } from "../tableBuilder.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../text/amountColumns.ts";
import { HeaderColumns } from "../text/headerColumns.ts";
import { normaliseText } from "../text/normaliseText.ts";
import { type AmountStyle, parseAmount } from "../text/parseAmount.ts";
import { detectDelimiter, isBlankRow, TextTable } from "../text/textTable.ts";
import { TABLE_OPTIONS, TABLE_TERMS } from "./tableOptions.ts";
import { findTimeColumns, HEADER_ROWS, readTimes, type TimeColumns } from "./tableTimes.ts";
import { conversionOf, printedUnitOf, UNIT_NAMES } from "./units.ts";

/** Any table of numbers by time, as spreadsheets save them. */
export const genericTable: FileFormat = {
  id: "table",
  title: "Any table with a time column, as saved by a spreadsheet",
  terms: TABLE_TERMS,
  options: [...TABLE_OPTIONS, "label"],
  detect: ({ text }) => detectTable(text),
  read: readTable,
};

const LIKELY = 0.3;

function detectTable(text: string): number {
  if (text.includes("<?xml") || /^\s*[[{]/.test(text)) return 0;
  const start = text
    .slice(0, 20_000)
    .split(/\r?\n/, HEADER_ROWS + 1)
    .join("\n");
  const table = TextTable.parse(start, new FormatProblems(), detectDelimiter(text));
  return table === null || findTimeColumns(table) === null ? 0 : LIKELY;
}

function readTable(file: FileContent): SeriesTable | null {
  const { options, problems } = file;
  const table = TextTable.parse(file.text, problems, options.delimiter ?? detectDelimiter(file.text));
  if (table === null) return null;
  const times = findTimeColumns(table);
  if (times === null) {
    problems.refuse("no header row with a time column", "a row with a header such as 日時, 年月日, timestamp or date");
    return null;
  }
  const header = new HeaderColumns(table, times.headerRow);
  const width = header.names.findLastIndex((name) => name !== "") + 1;
  const style = { decimal: options.decimal ?? ".", missing: new Set((options.missing ?? []).map(normaliseText)) };
  const rows = table.rows.slice(times.headerRow + 1).filter((row) => !isBlankRow(row) && checkWidth(table, row, width));
  const timed = readTimes(file, table, times, rows);
  if (timed === null) return null;
  const chosen = { header, times, rows, style, resolutionMs: timed.resolutionMs };
  const { columns, notes } = options.columns === undefined ? numericColumns(file, chosen) : mappedColumns(file, chosen);
  if (problems.count > 0) return null;
  const builder = new TableBuilder(columns);
  const signs = columns.map(({ role }) => (options.negate?.includes(role) === true ? -1 : 1));
  for (const { row, startMs } of timed.rows) {
    const values = readAmounts(table, row, columns, style);
    builder.add(
      startMs,
      values.map((value, k) => signs[k] * value + 0),
      row.line,
    );
  }
  builder.notes.push(...timed.notes, ...notes);
  return builder.build(problems, timed.resolutionMs);
}

interface ColumnSource {
  readonly header: HeaderColumns;
  readonly times: TimeColumns;
  readonly rows: readonly CsvRecord[];
  readonly style: AmountStyle;
  readonly resolutionMs: number;
}

interface ChosenColumns {
  readonly columns: readonly AmountColumn[];
  readonly notes: readonly string[];
}

function mappedColumns(file: FileContent, source: ColumnSource): ChosenColumns {
  const { options, problems } = file;
  const roles = Object.keys(options.columns ?? {});
  for (const role of [...Object.keys(options.units ?? {}), ...(options.negate ?? [])])
    if (!roles.includes(role)) problems.refuse(`the role ${role}`, `one of the roles ${roles.join(", ")}`, "columns");
  const columns = Object.entries(options.columns ?? {}).flatMap(([role, name]) => {
    const index = source.header.require(name);
    return index < 0 ? [] : [columnOf(file, source, { role, index })];
  });
  return { columns, notes: columns.flatMap(conversionNote) };
}

/** Without a mapping: every column whose cells are numbers, or whose header has a unit of power or energy, by its own name. */
function numericColumns(file: FileContent, source: ColumnSource): ChosenColumns {
  const { header, times, rows, style, resolutionMs } = source;
  const ignored: string[] = [];
  const columns = header.names.flatMap((name, index): AmountColumn[] => {
    if (name === "" || [times.date, times.clock, times.slot].includes(index)) return [];
    const amounts = rows.map(({ cells }) => parseAmount(cells[index] ?? "", style));
    const unit = printedUnitOf(name);
    const hasUnit = unit !== null && conversionOf(unit, resolutionMs) !== null;
    const wrongCount = amounts.filter((value) => value === null).length;
    const hasNumber = amounts.some((value) => value !== null && !Number.isNaN(value));
    // If the header has a unit, a column with other text is a column of numbers with errors.
    if (hasUnit ? hasNumber || wrongCount > 0 : hasNumber && 2 * wrongCount < amounts.length)
      return [columnOf(file, source, { role: name, index })];
    ignored.push(name);
    return [];
  });
  if (columns.length === 0)
    file.problems.refuse(
      `no column of numbers in ${ignored.join(", ") || "the header"}`,
      "a column of numbers such as 1,450.5; the option decimal for decimal commas, columns and units for others",
      "columns",
    );
  const notes = ignored.length === 0 ? [] : [`columns without numbers are not read: ${ignored.join(", ")}`];
  return { columns, notes: [...columns.flatMap(conversionNote), ...notes] };
}

/** Converts by the option, else by the unit in the header; without either the numbers stay as they are. */
function columnOf(
  { options, problems }: FileContent,
  { header, resolutionMs }: ColumnSource,
  { role, index }: { readonly role: string; readonly index: number },
): AmountColumn {
  const name = header.names[index];
  const given = options.units?.[role];
  const printed = given ?? printedUnitOf(name);
  const conversion = printed === null ? null : conversionOf(printed, resolutionMs);
  if (given !== undefined && conversion === null)
    problems.refuse(JSON.stringify(given), `a unit such as ${UNIT_NAMES.join(", ")}`, "units");
  const source = header.row.cells[index].trim();
  return conversion === null ? { role, index, source, unit: printed ?? "" } : { role, index, source, ...conversion };
}

function conversionNote({ role, unit, scale }: AmountColumn): string[] {
  if (scale === undefined || (scale.exponent === 0 && scale.factor === scale.divisor)) return [];
  return [`${role}: printed value × ${(10 ** scale.exponent * scale.factor) / scale.divisor} = ${unit}`];
}
