import { type CellStyle, type CellValue, type ColumnDef, writeXlsx, writeXlsxStream } from "hucre/xlsx";
import { type BlockSink, copyBlock, type TableBlock } from "../../accounting/recorders/tableBlock.ts";
import type { StagingFiles } from "../../platform/files.ts";
import { formatFixed } from "../html/page/format.ts";
import { SUMMARY_OTHERS, SUMMARY_SHEET } from "./summarySheet.ts";
import { type ClosedTables, ColumnCheck, TableFile } from "./tableFile.ts";
import {
  instantParts,
  instantText,
  offsetOf,
  type ShownColumn,
  showInstants,
  type TableLayout,
} from "./tableLayout.ts";

const BOOK_FILE = "report.xlsx";

/** Numbers of rows without the head. */
interface RowLimits {
  /** Of a sheet of the book; a larger table is a file of its own, written row by row. */
  readonly book: number;
  /** Of any sheet. */
  readonly sheet: number;
}
const LIMITS: RowLimits = { book: 100_000, sheet: 1_048_575 };

/** Characters of a cell that a spreadsheet takes. */
const CELL_CHARACTERS_MAX = 32_767;

const NUMBER_FORMAT = "#,##0.000";
const TIME_FORMAT = "yyyy-mm-dd hh:mm";
const BOLD = { style: { font: { bold: true } } };
const COUNT = { style: { numFmt: "#,##0" } };
const TIME = { style: { numFmt: TIME_FORMAT } };

/** Of the file's properties, which must not have the wall clock. */
const MODIFIED = new Date(Date.UTC(1980, 0, 1));

/**
 * The tables of a report for a spreadsheet (docs/model/report-files.md#xlsx): one file with a sheet a table, beside files of
 * large tables. Rows are kept until all tables are complete, because only then their number is known.
 */
export class XlsxBook {
  private readonly staging: StagingFiles;
  private readonly layout: TableLayout;
  private readonly limits: RowLimits;
  private readonly tables: SheetTable[] = [];
  private readonly files: TableFile[] = [];

  constructor(staging: StagingFiles, layout: TableLayout, limits = LIMITS) {
    this.staging = staging;
    this.layout = layout;
    this.limits = limits;
  }

  open(stem: string): BlockSink {
    const table = new SheetTable(stem, this.layout, this.limits.sheet);
    this.tables.push(table);
    return table;
  }

  /** Writes all files. @throws TableWriteError */
  async close(): Promise<ClosedTables> {
    const inBook = this.tables.filter(({ rowCount }) => rowCount <= this.limits.book);
    const sheets = [
      ...inBook.filter(({ stem }) => stem === SUMMARY_SHEET),
      ...inBook.filter(({ stem }) => stem !== SUMMARY_SHEET),
    ].map((table) => table.toSheet());
    if (sheets.length > 0)
      await this.write(BOOK_FILE, [await writeXlsx({ sheets, properties: { modified: MODIFIED } })]);
    const notes: string[] = [];
    for (const table of this.tables)
      if (this.limits.sheet < table.rowCount) notes.push(table.describeExcess());
      else if (this.limits.book < table.rowCount) await this.write(`${table.stem}.xlsx`, table.toStream());
    return { digests: this.files.map(({ digest }) => digest), notes };
  }

  abort(): void {
    for (const file of this.files) file.abort();
  }

  private async write(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const file = new TableFile(this.staging, name);
    this.files.push(file);
    for await (const piece of pieces) file.write(piece);
    file.close();
  }
}

/** The rows of one table. */
class SheetTable implements BlockSink {
  readonly stem: string;
  rowCount = 0;
  private readonly layout: TableLayout;
  private readonly rowsMax: number;
  private readonly columnCheck = new ColumnCheck();
  private blocks: TableBlock[] = [];

  constructor(stem: string, layout: TableLayout, rowsMax: number) {
    this.stem = stem;
    this.layout = layout;
    this.rowsMax = rowsMax;
  }

  write(block: TableBlock): void {
    this.columnCheck.acceptBlock(block);
    this.rowCount += block.rowCount;
    // No sheet holds more; the rest is only counted.
    if (this.rowsMax < this.rowCount) this.blocks = [];
    else this.blocks.push(copyBlock(block));
  }

  describeExcess(): string {
    const [rows, most] = [this.rowCount, this.rowsMax].map((count) => formatFixed(count, 0));
    return `${this.stem} has ${rows} rows and a sheet holds ${most}: use parquet`;
  }

  toSheet() {
    const columns = this.columns();
    const rows = [...this.rows()];
    const head = columns.map(({ header }) => header ?? "");
    const last = `${columnLetters(columns.length - 1)}${rows.length + 1}`;
    const cells = new Map<string, { style: CellStyle }>(head.map((_, k) => [`0,${k}`, BOLD]));
    if (this.stem === SUMMARY_SHEET)
      rows.forEach(([, value, unit], k) => {
        if (value instanceof Date) cells.set(`${k + 1},1`, TIME);
        else if (Number.isInteger(value) && !unit) cells.set(`${k + 1},1`, COUNT);
      });
    return {
      name: this.stem,
      columns: columns.map(({ width, numFmt }) => ({ width, numFmt })),
      rows: [head, ...rows],
      cells,
      freezePane: { rows: 1 },
      autoFilter: { range: `A1:${last}` },
    };
  }

  toStream(): AsyncIterable<Uint8Array> {
    return writeXlsxStream(this.rows(), { name: this.stem, columns: this.columns(), freezePane: { rows: 1 } });
  }

  private columns(): (ColumnDef & { readonly width: number })[] {
    const widths: number[] = [];
    for (const { columns, rowCount } of this.shownBlocks())
      columns.forEach((column, k) => {
        widths[k] = Math.max(widths[k] ?? 0, contentWidth(column, rowCount));
      });
    const [{ columns }] = this.shownBlocks();
    if (this.stem === SUMMARY_SHEET) widths.splice(1, columns.length - 2, Math.max(...widths.slice(1, -1)));
    return columns
      .filter(({ name }) => !this.isMerged(name))
      .map((column, k) => {
        const isTime = column.kind === "instant" && column.shows !== "offset";
        const header = isTime ? `${column.name} (${this.zone})` : column.name;
        const numFmt = isTime ? TIME_FORMAT : column.kind === "thousandths" ? NUMBER_FORMAT : undefined;
        const width = Math.min(WIDTH_MAX, Math.max(widths[k], textWidth(header) + FILTER_WIDTH) + 1);
        return { header, width, ...(numFmt === undefined ? {} : { numFmt }) };
      });
  }

  private *rows(): Generator<CellValue[]> {
    const offsetAt = offsetOf(this.layout);
    for (const { columns, rowCount } of this.shownBlocks()) {
      const readers = columns.map((column) => cellReader(column, offsetAt));
      for (let row = 0; row < rowCount; row++) {
        const cells = readers.map((read) => read(row));
        yield this.stem === SUMMARY_SHEET ? this.merged(cells) : cells;
      }
    }
  }

  private get zone(): string {
    return this.layout.times === "utc" ? "UTC" : this.layout.timezone;
  }

  /** Key figures that are no numbers stand in the column of the others. */
  private isMerged(name: string): boolean {
    return this.stem === SUMMARY_SHEET && name.startsWith(SUMMARY_OTHERS);
  }

  /** The unit of an instant is its zone, with the offset where that changes in the run. */
  private merged([name, ...cells]: readonly CellValue[]): CellValue[] {
    const values = cells.slice(0, -1);
    const value = values.find((cell) => cell !== null) ?? null;
    const offset = values[values.length - 1];
    if (!(value instanceof Date)) return [name, value, cells[cells.length - 1]];
    return [name, value, typeof offset === "string" ? `${this.zone} ${offset}` : this.zone];
  }

  private shownBlocks() {
    const parts = instantParts(this.layout, "xlsx");
    return this.blocks.map((block) => showInstants(withFlagTexts(block), parts));
  }
}

/** A block with the words of its flags beside them. */
const withFlagTexts = ({ rowCount, columns }: TableBlock): TableBlock => ({
  rowCount,
  columns: columns.flatMap((column) => {
    if (column.kind !== "integer" || column.words === undefined) return [column];
    const { name, values, words } = column;
    const codes = Int32Array.from(values, (flag) => (Number.isNaN(flag) ? -1 : flag));
    return [column, { name: `${name}_text`, kind: "name" as const, values: codes, names: words }];
  }),
});

function cellReader(column: ShownColumn, offsetAt: ReturnType<typeof offsetOf>): (row: number) => CellValue {
  const { kind, values } = column;
  if (kind === "text") return (row) => cutText(values[row]);
  if (kind === "name") {
    const texts = column.names.map(cutText);
    return (row) => (values[row] === -1 ? null : texts[values[row]]);
  }
  const orNull = (read: (value: number) => CellValue) => (row: number) =>
    Number.isNaN(values[row]) ? null : read(values[row]);
  if (kind === "thousandths") return orNull((value) => value / 1000 + 0);
  if (kind === "integer") return orNull((value) => value);
  const { shows } = column;
  if (shows === "offset") return orNull((atMs) => instantText(atMs, shows, offsetAt));
  return orNull((atMs) => new Date(atMs + (shows === "local" ? offsetAt(atMs) : 0)));
}

const cutText = (text: string | null): string | null => text?.slice(0, CELL_CHARACTERS_MAX) ?? null;

const WIDTH_MAX = 60;
/** The button of a filter. */
const FILTER_WIDTH = 2;

/** Characters of the widest cell. */
function contentWidth(column: ShownColumn, rowCount: number): number {
  const { kind, values } = column;
  if (kind === "instant") return TIME_FORMAT.length;
  let widest = 0;
  if (kind === "text") for (let k = 0; k < rowCount; k++) widest = Math.max(widest, textWidth(values[k] ?? ""));
  else if (kind === "name") for (const name of column.names) widest = Math.max(widest, textWidth(name));
  else {
    let most = 0;
    for (let k = 0; k < rowCount; k++) if (Math.abs(values[k]) > most) most = Math.abs(values[k]);
    const digits = String(Math.trunc(kind === "thousandths" ? most / 1000 : most)).length;
    widest = 1 + digits + Math.floor((digits - 1) / 3) + (kind === "thousandths" ? 4 : 0);
  }
  return widest;
}

/** Characters of other scripts than Latin, Greek and Cyrillic are twice as wide. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text.slice(0, WIDTH_MAX)) width += character > "\u1100" ? 2 : 1;
  return width;
}

/** `A` to `Z`, `AA` and so on. */
const columnLetters = (index: number): string =>
  (index < 26 ? "" : columnLetters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
