import { pow } from "../../../base/elementary.ts";
import { ownValue } from "../../../base/ownValue.ts";
import { MS_PER_HOUR } from "../../../base/time.ts";
import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, SeriesColumn, SeriesTable } from "../fileFormat.ts";
import { FormatProblems } from "../formatProblem.ts";
import { seriesTable, TableBuilder } from "../tableBuilder.ts";
import { decimalSign } from "../text/decimalSign.ts";
import { type AmountColumn, checkWidth, readAmounts } from "../text/headerColumns.ts";
import { normaliseText, structureOf } from "../text/normaliseText.ts";
import { type AmountStyle, parseAmount } from "../text/parseAmount.ts";
import { detectDelimiter, TextTable } from "../text/textTable.ts";
import { withoutAffixes } from "./affixes.ts";
import { chooseRows, differingColumns } from "./chooseRows.ts";
import { looksLikeRegister, readRegister } from "./registers.ts";
import { findLayout, HEADER_ROWS, type TableLayout } from "./tableLayout.ts";
import { TABLE_OPTIONS, TABLE_TERMS } from "./tableOptions.ts";
import { readTimes, type TimedRow } from "./tableTimes.ts";
import { conversionOf, isUnclearUnit, meanPowerScale, printedUnitOf, UNIT_NAMES, unitOfCell } from "./units.ts";

/** Any table of numbers by time, as spreadsheets save them. */
export const genericTable: FileFormat = {
  id: "table",
  title: "Any table with a time column, as saved by a spreadsheet",
  terms: TABLE_TERMS,
  options: [...TABLE_OPTIONS, "label", "registers", "where", "header_row", "time_columns"],
  detect: ({ text }) => detectTable(text),
  read: readTable,
};

const LIKELY = 0.3;
/** More columns whose headers are times of day are intervals of a day. */
const CLOCK_COLUMNS_MAX = 6;

function detectTable(text: string): number {
  if (structureOf(text) !== null) return 0;
  const start = text
    .slice(0, 20_000)
    .split(/\r?\n/, HEADER_ROWS + 1)
    .join("\n");
  const table = TextTable.parse(start, new FormatProblems(), detectDelimiter(text));
  return table === null || findLayout(table, {}) === null ? 0 : LIKELY;
}

function readTable(file: FileContent): SeriesTable | null {
  const { options, problems } = file;
  const structure = structureOf(file.text);
  if (structure !== null) {
    problems.refuse(`${structure}, which is no table`, "a table with a time column: CSV, or a sheet saved as CSV");
    return null;
  }
  const table = TextTable.parse(file.text, problems, options.delimiter ?? detectDelimiter(file.text));
  const layout = table === null ? null : findLayout(table, options);
  if (table === null || layout === null) {
    if (problems.count === 0)
      problems.refuse(
        "no header row with a time column",
        "a row of names above times; the options header_row and time_columns",
      );
    return null;
  }
  if (layout.clockColumns > CLOCK_COLUMNS_MAX) {
    const allowed =
      "a table with one row for each interval: unpivot the sheet, or use meter_days for 0:00～0:30 to 23:30～24:00";
    problems.refuse(`${layout.clockColumns} columns of times of day, as in a sheet with one row a day`, allowed);
    return null;
  }
  const width = layout.header.names.findLastIndex((name) => name !== "") + 1;
  const chosenRows = chooseRows(file, layout)?.filter((row) => checkWidth(table, row, width)) ?? [];
  const { rows, unitOfIndex } = withoutAffixes(chosenRows, valueIndexes(layout));
  if (rows.length === 0 && problems.count === 0)
    problems.refuse("no rows with times", "at least one row with a time and a value");
  const source = problems.count > 0 ? null : columnSource(file, table, { layout, rows, unitOfIndex });
  const chosen = source === null ? null : chooseColumns(file, source);
  if (source === null || chosen === null) return null;
  const { columns, notes } = chosen;
  const means = columns.filter(({ role }) => !isRegister(file, role));
  const timed = readTimes(file, table, layout, rows, means.length > 0 ? "intervals" : "readings");
  if (timed === null) return null;
  if (options.registers === undefined) checkRegisters(file, source, timed.rows, means);
  const readings = columns.filter(({ role }) => isRegister(file, role));
  const registers = readings.map((column) => readRegister(table, timed.rows, column, source.style));
  const others = means.length === 0 ? null : meansOf(file, table, source, timed.rows, means);
  if (problems.count > 0) return null;
  const made = [...registers, ...(others?.columns ?? [])];
  const inOrder = columns.flatMap(({ role }): SeriesColumn[] => made.filter((column) => column.role === role));
  const steps = lengthsOf(timed.rows);
  const conversions = means.flatMap((column) => conversionNote(column, steps));
  const all = [...timed.notes, ...source.notes, ...conversions, ...registerNotes(readings), ...notes];
  return seriesTable(inOrder.map(signed(options.negate ?? [])), [...all, ...(others?.notes ?? [])]);
}

const isRegister = ({ options }: FileContent, role: string): boolean => options.registers?.includes(role) === true;

/** The rows of a table, and how their cells are read. */
interface ColumnSource {
  readonly layout: TableLayout;
  readonly rows: readonly CsvRecord[];
  /** Units behind the numbers. */
  readonly unitOfIndex: ReadonlyMap<number, string>;
  readonly style: AmountStyle;
  readonly notes: readonly string[];
}

/** `null` after asking for the decimal sign. */
function columnSource(
  file: FileContent,
  table: TextTable,
  content: Pick<ColumnSource, "layout" | "rows" | "unitOfIndex">,
): ColumnSource | null {
  const { options } = file;
  const read = decimalSign(table, options, () => valueCells(file, content.layout, content.rows));
  if (read === null) return null;
  const style = { decimal: read.decimal, missing: new Set((options.missing ?? []).map(normaliseText)) };
  return { ...content, style, notes: read.notes };
}

/** Cells of the mapped columns, else of all columns but those of times. */
function* valueCells({ options }: FileContent, layout: TableLayout, rows: readonly CsvRecord[]): Generator<string> {
  const { header } = layout;
  const mapped = Object.values(options.columns ?? {}).map((name) => header.find(name));
  const indexes = mapped.length > 0 ? mapped : valueIndexes(layout);
  for (const { cells } of rows) for (const index of indexes) yield cells[index] ?? "";
}

const valueIndexes = ({ header, times }: TableLayout): number[] =>
  header.names.flatMap((name, index) => (name === "" || Object.values(times).includes(index) ? [] : [index]));

/** A column of numbers; an energy becomes the mean power of the interval of each row. */
interface ValueColumn extends AmountColumn {
  readonly isEnergy: boolean;
}

interface ChosenColumns {
  readonly columns: readonly ValueColumn[];
  readonly notes: readonly string[];
}

function chooseColumns(file: FileContent, source: ColumnSource): ChosenColumns | null {
  const { options, problems } = file;
  const chosen = options.columns === undefined ? numericColumns(file, source) : mappedColumns(file, source);
  const roles = chosen.columns.map(({ role }) => role);
  const optionRoles = [...Object.keys(options.units ?? {}), ...(options.negate ?? [])];
  const registers = (options.registers ?? []).filter((role) => role !== NO_REGISTER);
  for (const role of [...optionRoles, ...registers])
    if (problems.count === 0 && !roles.includes(role))
      problems.refuse(
        `the role ${role}`,
        `one of the roles ${roles.join(", ")}`,
        registers.includes(role) ? "registers" : "columns",
      );
  const unnamed = chosen.columns.filter(({ role, unit }) => unit === "" && ownValue(options.units, role) === undefined);
  const titleUnit = unnamed.length === 0 ? null : source.layout.titleUnit;
  if (titleUnit !== null)
    problems.refuse(
      `a title with the unit ${titleUnit}, and ${unnamed.map(({ source: name }) => name).join(", ")} without one`,
      `the option units: {${unnamed[0].role}: ${titleUnit}}, or none for numbers as printed`,
      "units",
    );
  return problems.count > 0 ? null : chosen;
}

const NO_REGISTER = "none";

function mappedColumns(file: FileContent, source: ColumnSource): ChosenColumns {
  const columns = Object.entries(file.options.columns ?? {}).flatMap(([role, name]) => {
    const index = source.layout.header.require(name);
    return index < 0 ? [] : [columnOf(file, source, { role, index })];
  });
  const notes = columns
    .filter(({ unit }) => unit === "")
    .map(({ role, source: name }) => `${role}: no unit in ${name}; numbers as printed`);
  return { columns, notes };
}

/**
 * Without a mapping: every column whose cells are numbers, or whose header has a unit of power or energy, by its own name with the
 * unit of its values.
 */
function numericColumns(file: FileContent, source: ColumnSource): ChosenColumns {
  const { layout, rows, style } = source;
  const ignored: string[] = [];
  const roles = new Map<string, number>();
  const columns = valueIndexes(layout).flatMap((index): ValueColumn[] => {
    const amounts = rows.map(({ cells }) => parseAmount(cells[index] ?? "", style));
    const unit = unitOf(source, index);
    const conversion = unit === null ? null : conversionOf(unit);
    const hasUnit = conversion !== null;
    // A name says the unit that its values have.
    const name = layout.header.uniqueName(index);
    const plain = unit !== null && conversion?.unit === "kW" ? name.replace(unit, "kW") : name;
    const wrongCount = amounts.filter((value) => value === null).length;
    const hasNumber = amounts.some((value) => value !== null && !Number.isNaN(value));
    // If the header has a unit, a column with other text is a column of numbers with errors.
    if (!(hasUnit ? hasNumber || wrongCount > 0 : hasNumber && 2 * wrongCount < amounts.length)) {
      ignored.push(name);
      return [];
    }
    const count = 1 + (roles.get(plain) ?? 0);
    roles.set(plain, count);
    return [columnOf(file, source, { role: count === 1 ? plain : `${plain}#${count}`, index })];
  });
  if (columns.length === 0)
    file.problems.refuse(
      `no column of numbers in ${ignored.join(", ") || "the header"}`,
      "a column of numbers such as 1,450.5; the option decimal for decimal commas, columns and units for others",
      "columns",
    );
  const unnamed = columns.filter(({ unit }) => unit === "").map(({ role }) => role);
  const noUnit = unnamed.length === 0 ? [] : [`no unit is known for ${unnamed.join(", ")}; numbers as printed`];
  const left = ignored.length === 0 ? [] : [`columns without numbers are not read: ${ignored.join(", ")}`];
  return { columns, notes: [...noUnit, ...left] };
}

/** The unit in the header, in a row below it, behind the numbers, or in the next column, where all rows have the same one. */
function unitOf({ layout, rows, unitOfIndex }: ColumnSource, index: number): string | null {
  const { header, cellsBesideHeader } = layout;
  const printed = printedUnitOf(header.row.cells[index]);
  if (printed !== null && conversionOf(printed) !== null) return printed;
  const below = cellsBesideHeader(index)
    .map((cell) => printedUnitOf(cell))
    .find((unit) => unit !== null && (conversionOf(unit) !== null || isUnclearUnit(unit)));
  const near = unitOfIndex.get(index) ?? below ?? null;
  if (near !== null) return near;
  const beside = [...new Set(rows.map(({ cells }) => unitOfCell(cells[index + 1] ?? "")))];
  return beside.length === 0 || beside.includes(null) ? printed : beside.join(" and ");
}

/** Converts by the option, else by the printed unit; without either the numbers stay as they are. */
function columnOf(
  { options, problems }: FileContent,
  source: ColumnSource,
  { role, index }: { readonly role: string; readonly index: number },
): ValueColumn {
  const { header } = source.layout;
  const given = ownValue(options.units, role);
  const printed = given ?? unitOf(source, index);
  const conversion = printed === null ? null : conversionOf(printed);
  if (given !== undefined && conversion === null)
    problems.refuse(JSON.stringify(given), `a unit such as ${UNIT_NAMES.join(", ")}`, "units");
  const isUnclear = printed !== null && /kw$/i.test(role) && isUnclearUnit(printed);
  if (conversion === null && (isUnclear || printed?.includes(" and ") === true))
    problems.refuse(
      `the header ${header.row.cells[index].trim()} with the unit ${printed}`,
      `the option units: {${role}: …}, with one of ${UNIT_NAMES.join(", ")}`,
      "units",
    );
  const column = { role, index, source: header.row.cells[index].trim() };
  return conversion === null ? { ...column, unit: printed ?? "", isEnergy: false } : { ...column, ...conversion };
}

/** Refuses energies that are the readings of a counter. */
function checkRegisters(
  { problems }: FileContent,
  { style }: ColumnSource,
  rows: readonly TimedRow[],
  columns: readonly ValueColumn[],
): void {
  for (const { role, index, isEnergy, source } of columns) {
    const values = isEnergy ? rows.map(({ row }) => parseAmount(row.cells[index] ?? "", style)) : [];
    const spanMs = rows.length === 0 ? 0 : rows[rows.length - 1].startMs - rows[0].startMs;
    if (!looksLikeRegister(values, spanMs)) continue;
    problems.add("registers", () => ({
      line: rows[0].row.line,
      column: 1,
      found: `${source}, which never falls from ${values[0]} to ${values[values.length - 1]}, as a counter does`,
      allowed: `the option registers: [${role}] (--register ${role}) for its differences, or --register ${NO_REGISTER} for energies`,
    }));
  }
}

function meansOf(
  { problems }: FileContent,
  table: TextTable,
  { layout, style }: ColumnSource,
  rows: readonly TimedRow[],
  columns: readonly ValueColumn[],
): SeriesTable | null {
  const used = new Set(columns.map(({ index }) => index));
  const builder = new TableBuilder(columns, (lines) => oneRowText(layout, used, rows, lines));
  for (const { row, startMs, endMs } of rows) {
    const scaled = columns.map((column) =>
      column.isEnergy && column.scale !== undefined
        ? { ...column, scale: meanPowerScale(column.scale, endMs - startMs) }
        : column,
    );
    builder.add(startMs, readAmounts(table, row, scaled, style), row.line, endMs);
  }
  return builder.build(problems);
}

/** What is right in the place of two rows of one time: names the columns in which they differ. */
function oneRowText(
  layout: TableLayout,
  used: ReadonlySet<number>,
  rows: readonly TimedRow[],
  lines: readonly [number, number],
): string {
  const records = lines.map((line) => rows.find(({ row }) => row.line === line)?.row);
  const { header, times } = layout;
  const names = [times.date, times.clock, times.slot].filter((index) => index >= 0).map((index) => header.names[index]);
  const keys = differingColumns(layout, used, records);
  const where = keys.length === 0 ? "" : `; the rows differ in ${keys.join(", ")}: the option where (--where)`;
  return `one row for each interval${where}; times are read from ${names.join(" and ")} (option time_columns)`;
}

const lengthsOf = (rows: readonly TimedRow[]): ReadonlySet<number> =>
  new Set(rows.map(({ startMs, endMs }) => endMs - startMs));

function conversionNote({ role, unit, scale, isEnergy }: ValueColumn, lengthsMs: ReadonlySet<number>): string[] {
  if (scale === undefined) return [];
  const [lengthMs] = lengthsMs;
  if (isEnergy && lengthsMs.size > 1) return [`${role}: printed energy / length of its interval = ${unit}`];
  const factor = pow(10, scale.exponent) * (isEnergy ? MS_PER_HOUR / lengthMs : 1);
  return factor === 1 ? [] : [`${role}: printed value × ${factor} = ${unit}`];
}

const registerNotes = (columns: readonly ValueColumn[]): string[] =>
  columns.map(({ role }) => `${role}: mean power between the readings of a counter`);

const signed =
  (negated: readonly string[]) =>
  (column: SeriesColumn): SeriesColumn =>
    negated.includes(column.role) ? { ...column, values: column.values.map((value) => 0 - value) } : column;
