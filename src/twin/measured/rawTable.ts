import type { ErrorCollector } from "../../base/inputError.ts";
import { SKUS } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import { expectedInstantFormat, parseInstantText } from "../../engine/series/csv/parseInstant.ts";
import { isNumberColumn, MEASURED_COLUMNS, type MeasuredColumn, type NumberColumn, rangeOf } from "./measuredSeries.ts";

export const TIME_COLUMN = "timestamp";
export const SITE_COLUMN = "site";
export const KNOWN_COLUMNS: readonly string[] = [TIME_COLUMN, SITE_COLUMN, ...MEASURED_COLUMNS];

/** Reports an error of a file as a whole, or of one of its lines. */
export function reportFile(errors: ErrorCollector, file: string, found: string, allowed: string, line = 0): void {
  errors.report({ file, line, column: Math.min(1, line), keyPath: "", found, allowed });
}

/** A cell for an error; the column is counted in fields. */
interface CellPlace {
  readonly file: string;
  readonly line: number;
  readonly header: readonly string[];
  readonly name: string;
}

export function reportCell(
  errors: ErrorCollector,
  { file, line, header, name }: CellPlace,
  found: string,
  allowed: string,
): void {
  errors.add({ file, keyPath: name, what: allowed }, () => ({
    file,
    line,
    column: 1 + Math.max(0, header.indexOf(name)),
    keyPath: name,
    found,
    allowed,
  }));
}

/** Rows of a file of any format, in its order. Cells that are not allowed are reported, and NaN. */
export class RawTable {
  readonly file: string;
  readonly header: readonly string[];
  readonly timesMs: EpochMs[] = [];
  /** Empty without such a column. */
  readonly sites: string[] = [];
  readonly columns: ReadonlyMap<MeasuredColumn, number[]>;
  /** Line, or number of the row in a file without lines. */
  readonly lines: number[] = [];
  private readonly errors: ErrorCollector;

  constructor(file: string, header: readonly string[], errors: ErrorCollector) {
    this.file = file;
    this.header = header;
    this.errors = errors;
    this.columns = new Map(MEASURED_COLUMNS.filter((name) => header.includes(name)).map((name) => [name, []]));
  }

  /** @param cells  in the order of the header: numbers, texts, dates; null, undefined, NaN or an empty text: no value */
  add(line: number, cells: readonly unknown[]): void {
    const { file, header } = this;
    this.lines.push(line);
    for (const [k, name] of header.entries()) {
      const place = { file, header, line, name };
      if (name === TIME_COLUMN) this.timesMs.push(this.timeOf(place, cells[k]));
      else if (name === SITE_COLUMN) this.sites.push(String(cells[k] ?? ""));
      else if (name === "active_sku") this.columns.get(name)?.push(this.skuPosition(place, String(cells[k] ?? "")));
      else if (isNumberColumn(name)) this.columns.get(name)?.push(this.numberOf({ ...place, name }, cells[k]));
    }
  }

  private timeOf(place: CellPlace, cell: unknown): EpochMs {
    const text = String(cell ?? "");
    const atMs = cell instanceof Date ? cell.getTime() : parseInstantText(text);
    if (Number.isNaN(atMs)) reportCell(this.errors, place, JSON.stringify(text), expectedInstantFormat(text));
    return atMs;
  }

  private skuPosition(place: CellPlace, text: string): number {
    const position = PRODUCTS.indexOf(text);
    if (position >= 0) return position;
    if (text !== "")
      reportCell(this.errors, place, JSON.stringify(text), `one of ${PRODUCTS.join(", ")}, or an empty cell`);
    return Number.NaN;
  }

  private numberOf(place: CellPlace & { readonly name: NumberColumn }, cell: unknown): number {
    if (cell === null || cell === undefined || cell === "") return Number.NaN;
    const value = typeof cell === "string" ? FLAGS.get(cell.toLowerCase()) : Number(cell);
    const { min, max, unit } = rangeOf(place.name);
    if (value === undefined)
      reportCell(this.errors, place, JSON.stringify(cell), "a finite number, such as -12.5, or an empty cell");
    else if (value < min || max < value) reportCell(this.errors, place, `${value}`, `${min} to ${max} (${unit})`);
    else return value;
    return Number.NaN;
  }
}

/** Of several products at once the history says `mixed`. */
const PRODUCTS: readonly string[] = [...SKUS, "mixed"];

const FLAGS: ReadonlyMap<string, number> = new Map([
  ["true", 1],
  ["false", 0],
]);
