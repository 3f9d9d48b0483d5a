import { isoUtc } from "../../../base/time.ts";
import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import type { FileContent, FileFormat, RecordTable } from "../fileFormat.ts";
import { checkWidth, HeaderColumns } from "../text/headerColumns.ts";
import { normaliseText } from "../text/normaliseText.ts";
import { AS_PRINTED, parseAmount, type UnitScale } from "../text/parseAmount.ts";
import { detectDelimiter, isBlankRow, TextTable } from "../text/textTable.ts";
import { DEFAULT_TIMEZONE, zoneClock } from "../time/localTime.ts";
import { parseClockRange, parseStamp } from "../time/parseDate.ts";
import {
  AWARD_LAYOUT,
  EVENT_LAYOUT,
  MEMBER_LAYOUT,
  PRODUCT_NAMES,
  productOf,
  type RecordKey,
  type RecordLayout,
  signNotes,
} from "./recordKeys.ts";
import { findLayout, type TableLayout } from "./tableLayout.ts";
import { TABLE_OPTIONS, TABLE_TERMS } from "./tableOptions.ts";
import { readTimes } from "./tableTimes.ts";
import { conversionOf, printedUnitOf } from "./units.ts";

/** Awards of one seller in a table of the user; exchanges do not publish them. */
export const awardRecords = recordFormat("awards", "Awards in a table of your own", AWARD_LAYOUT);
export const eventRecords = recordFormat(
  "events",
  "Events (outages, maintenance, …) in a table of your own",
  EVENT_LAYOUT,
);
export const memberRecords = recordFormat("members", "Members of a VPP in a table of your own", MEMBER_LAYOUT);

/** Such tables are never detected, because nothing in them identifies the format. */
function recordFormat(id: string, title: string, layout: RecordLayout): FileFormat {
  return {
    id,
    title,
    terms: TABLE_TERMS,
    options: TABLE_OPTIONS,
    detect: () => 0,
    read: (file) => readRecords(file, layout),
  };
}

/** A key with the column that it is read from. */
interface KeyColumn {
  readonly key: string;
  readonly what: RecordKey;
  readonly index: number;
}

/** Reads rows with the keys of a scenario (docs/model/formats.md#records). */
function readRecords(file: FileContent, layout: RecordLayout): RecordTable | null {
  const { options, problems } = file;
  const table = TextTable.parse(file.text, problems, options.delimiter ?? detectDelimiter(file.text));
  if (table === null) return null;
  const headerRow = findHeaderRow(file, table, layout);
  if (headerRow < 0) {
    problems.refuse(
      "no header row",
      `a row with columns such as ${Object.keys(layout.keys).join(", ")}, or the option columns`,
    );
    return null;
  }
  const header = new HeaderColumns(table, headerRow);
  const columns = keyColumns(file, layout, header);
  const slots = slotLayout(table, headerRow, columns);
  const keys = [...(slots === null ? [] : ["start", "end"]), ...columns.map(({ key }) => key)];
  for (const key of layout.required)
    if (!keys.includes(key)) problems.refuse("no such column", `a column ${key}, or the option columns`, key);
  const unread = unreadColumns(header, columns, slots);
  const { oneOf } = layout;
  if (oneOf !== undefined && !oneOf.some((key) => keys.includes(key)))
    problems.refuse(
      unread.length === 0 ? "no such column" : `no such column; ${unread.join(", ")} are not known`,
      `a column ${oneOf.join(" or ")}, or the option columns, as in ${oneOf[0]}: 約定量(MW)`,
      "columns",
    );
  for (const key of [...Object.keys(options.units ?? {}), ...(options.negate ?? [])])
    if (!keys.includes(key))
      problems.refuse(`the key ${key}, which is not read`, `one of ${keys.join(", ")}`, "columns");
  const width = header.names.findLastIndex((name) => name !== "") + 1;
  const reader = new CellReader(file, table, header);
  const rows = table.rows.slice(headerRow + 1).filter((row) => !isBlankRow(row) && checkWidth(table, row, width));
  if (rows.length === 0) problems.refuse("no rows", "at least one row");
  if (problems.count > 0) return null;
  const periods = slots === null ? null : slotPeriods(file, table, slots, rows);
  const texts = rows.map((row) => [
    ...(periods?.get(row) ?? []),
    ...columns.map((column) =>
      layout.required.includes(column.key) ? reader.readRequired(row, column) : reader.read(row, column),
    ),
  ]);
  const notes = unread.length === 0 ? [] : [`columns that are not read: ${unread.join(", ")}`];
  return problems.count > 0
    ? null
    : { kind: "records", keys, rows: texts, notes: [...notes, ...signNotes(keys, texts)] };
}

/** Headers of columns without a key and without a time. */
function unreadColumns(header: HeaderColumns, columns: readonly KeyColumn[], slots: TableLayout | null): string[] {
  const read = new Set([...columns.map(({ index }) => index), ...Object.values(slots?.times ?? {})]);
  return header.names.filter((name, index) => name !== "" && !read.has(index));
}

/** The first row that has a mapped header, or two known ones, or a known one beside times. */
function findHeaderRow({ options }: FileContent, table: TextTable, layout: RecordLayout): number {
  const mapped = Object.values(options.columns ?? {});
  if (mapped.length > 0) return table.findHeader([mapped[0]]);
  const timesRow = findLayout(table, {})?.headerRow ?? -1;
  return table.rows.findIndex(({ cells }, k) => {
    const names = cells.map((cell) => normaliseText(cell).toLowerCase());
    const known = Object.keys(layout.keys).filter((key) => indexOfKey(names, key, layout.keys[key]) >= 0);
    return known.length + (k === timesRow ? 1 : 0) >= 2;
  });
}

function indexOfKey(names: readonly string[], key: string, { headers = [] }: RecordKey): number {
  return names.findIndex((name) => {
    const plain = name.replace(/[([][^()[\]]*[)\]]$/, "").trim();
    return name === key || plain === key || headers.includes(name) || headers.includes(plain);
  });
}

/** The columns of `columns`, and those of the other keys by their own headers. */
function keyColumns({ options, problems }: FileContent, layout: RecordLayout, header: HeaderColumns): KeyColumn[] {
  const known = Object.keys(layout.keys);
  const mapped = Object.entries(options.columns ?? {}).flatMap(([key, name]): KeyColumn[] => {
    if (known.includes(key)) return [{ key, what: layout.keys[key], index: header.require(name) }];
    problems.refuse(`the key ${key}`, `one of ${known.join(", ")}`, "columns");
    return [];
  });
  const isMapped = (key: string, index: number) => mapped.some((own) => own.key === key || own.index === index);
  const names = header.row.cells.map((cell) => normaliseText(cell).toLowerCase());
  const others = known.flatMap((key): KeyColumn[] => {
    const index = indexOfKey(names, key, layout.keys[key]);
    return index < 0 || isMapped(key, index) ? [] : [{ key, what: layout.keys[key], index }];
  });
  return [...mapped, ...others];
}

/** The columns of a date with a slot code or a range, where no column has the start; `null`: none. */
function slotLayout(table: TextTable, headerRow: number, columns: readonly KeyColumn[]): TableLayout | null {
  if (columns.some(({ key }) => key === "start" || key === "at")) return null;
  const layout = findLayout(table, {});
  if (layout === null || layout.headerRow !== headerRow) return null;
  const { slot, clock } = layout.times;
  return slot < 0 && clock < 0 ? null : layout;
}

/** Texts of start and end by row; rows are missing after reporting a problem. */
function slotPeriods(
  file: FileContent,
  table: TextTable,
  layout: TableLayout,
  rows: readonly CsvRecord[],
): ReadonlyMap<CsvRecord, readonly [string, string]> {
  const { slot, clock, end } = layout.times;
  if (slot < 0 && end < 0)
    for (const row of rows)
      if (parseClockRange(row.cells[clock] ?? "") === null)
        table.reportCell(row, clock, "time", "a range such as 9:00～9:30");
  const timed = file.problems.count > 0 ? null : readTimes(file, table, layout, rows, "intervals");
  return new Map(timed?.rows.map(({ row, startMs, endMs }) => [row, [isoUtc(startMs), isoUtc(endMs)]]));
}

/** Reads cells as texts of a scenario; empty after reporting a problem. */
class CellReader {
  private readonly file: FileContent;
  private readonly table: TextTable;
  private readonly header: HeaderColumns;
  private readonly missing: ReadonlySet<string>;

  constructor(file: FileContent, table: TextTable, header: HeaderColumns) {
    this.file = file;
    this.table = table;
    this.header = header;
    this.missing = new Set((file.options.missing ?? []).map(normaliseText));
  }

  readRequired(row: CsvRecord, column: KeyColumn): string {
    if (this.textOf(row, column) === "") this.table.reportCell(row, column.index, column.key, "a value");
    return this.read(row, column);
  }

  /** Empty for a missing value. */
  read(row: CsvRecord, column: KeyColumn): string {
    const text = this.textOf(row, column);
    if (text === "") return "";
    const { key, what, index } = column;
    const value = this.convert(text, key, what, index);
    if (typeof value === "string") return value;
    this.table.reportCell(row, index, key, value.allowed);
    return "";
  }

  private textOf({ cells }: CsvRecord, { index }: KeyColumn): string {
    const text = normaliseText(cells[index] ?? "");
    return this.missing.has(text) ? "" : text;
  }

  private convert(
    text: string,
    key: string,
    { kind }: RecordKey,
    index: number,
  ): string | { readonly allowed: string } {
    if (kind === "text") return text;
    if (kind === "product") return productOf(text) ?? { allowed: PRODUCT_NAMES };
    if (kind === "time") return this.time(text);
    if (kind === "duration") return this.duration(text, index);
    // A price or an activation may be a series of the scenario, as in prices.spot.
    if (kind === "number" && /^[A-Za-z][^\s.]*\.\S+$/.test(text)) return text;
    return this.amount(text, key, kind, index);
  }

  private time(text: string): string | { readonly allowed: string } {
    const { options } = this.file;
    const stamp = parseStamp(text, options.date_order ?? "ymd");
    const clock = zoneClock(options.timezone ?? options.fallback_timezone ?? DEFAULT_TIMEZONE);
    const atMs = stamp?.isUtc === true ? stamp.atMs : stamp === null ? undefined : clock?.instantsOf(stamp.atMs)[0];
    return atMs !== undefined ? isoUtc(atMs) : { allowed: "a time such as 2026/4/1 9:00" };
  }

  private amount(
    text: string,
    key: string,
    kind: "power" | "number",
    index: number,
  ): string | { readonly allowed: string } {
    const { options } = this.file;
    const scale = this.scale(key, kind, options.units?.[key] ?? printedUnitOf(this.header.row.cells[index]));
    if (scale === null) return { allowed: "a column in kW or MW, or the option units" };
    const style = { decimal: options.decimal ?? ".", missing: this.missing } as const;
    const value = parseAmount(text, style, scale);
    if (value === null) return { allowed: "a number" };
    if (Number.isNaN(value)) return "";
    return String(options.negate?.includes(key) === true ? 0 - value : value);
  }

  /** Powers in kW, prices per kWh; `null` for another unit of a power. */
  private scale(key: string, kind: "power" | "number", unit: string | null): UnitScale | null {
    if (kind === "number")
      return key.endsWith("_per_kwh") && unit !== null && /\/MWh$/i.test(unit)
        ? { ...AS_PRINTED, exponent: -3 }
        : AS_PRINTED;
    const conversion = conversionOf(unit ?? "kW");
    return conversion === null || conversion.isEnergy ? null : conversion.scale;
  }

  /** ISO 8601, or a number of minutes or hours as the header says. */
  private duration(text: string, index: number): string | { readonly allowed: string } {
    if (/^P/.test(text)) return text;
    const value = parseAmount(text, { decimal: this.file.options.decimal ?? ".", missing: this.missing });
    const unit = printedUnitOf(this.header.names[index]);
    const seconds = unit === "分" || unit === "min" ? 60 : unit === "時間" || unit === "h" ? 3600 : null;
    if (value === null || Number.isNaN(value) || value < 0 || seconds === null)
      return {
        allowed: "an ISO 8601 duration such as PT30M, or a number in a column with the unit (分), (min), (時間) or (h)",
      };
    return `PT${Math.round(value * seconds)}S`;
  }
}
