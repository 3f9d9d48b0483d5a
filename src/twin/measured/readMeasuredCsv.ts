import type { ErrorCollector } from "../../base/inputError.ts";
import { CsvFieldReader } from "../../engine/series/csv/csvFieldReader.ts";
import { expectedInstantFormat, parseInstantText } from "../../engine/series/csv/parseInstant.ts";
import { MEASURED_COLUMNS, type MeasuredColumn } from "./measuredSeries.ts";
import {
  type CellPlace,
  checkedNumber,
  type RawTable,
  reportCell,
  SITE_COLUMN,
  skuPosition,
  TIME_COLUMN,
} from "./rawTable.ts";

const FLAGS: ReadonlyMap<string, number> = new Map([
  ["true", 1],
  ["false", 0],
]);

/** Rows of a CSV file; cells that cannot be read are reported and NaN. */
export function readMeasuredCsv(file: string, content: Uint8Array, errors: ErrorCollector): RawTable {
  const fields = new CsvFieldReader(content);
  const header: string[] = [];
  fields.skipBlankLines();
  if (!fields.isAtEnd)
    do header.push(fields.readText());
    while (fields.nextField());
  const rows = new RowReader(file, header, fields, errors);
  for (fields.skipBlankLines(); !fields.isAtEnd && fields.quoteError === null; fields.skipBlankLines()) rows.readRow();
  if (fields.quoteError !== null)
    errors.report({
      file,
      line: fields.line,
      column: 1,
      keyPath: "",
      found: fields.quoteError,
      allowed: "a CSV table",
    });
  return rows.toTable();
}

class RowReader {
  private readonly file: string;
  private readonly header: readonly string[];
  private readonly fields: CsvFieldReader;
  private readonly errors: ErrorCollector;
  private readonly timesMs: number[] = [];
  private readonly lines: number[] = [];
  private readonly siteNames = new Map<string, number>();
  private readonly siteOfRow: number[] = [];
  private readonly columns: ReadonlyMap<MeasuredColumn, number[]>;

  constructor(file: string, header: readonly string[], fields: CsvFieldReader, errors: ErrorCollector) {
    this.file = file;
    this.header = header;
    this.fields = fields;
    this.errors = errors;
    this.columns = new Map(MEASURED_COLUMNS.filter((name) => header.includes(name)).map((name) => [name, []]));
  }

  readRow(): void {
    const { fields, header, file, errors } = this;
    const { line } = fields;
    let field = 0;
    this.lines.push(line);
    do {
      const name = field < header.length ? header[field] : "";
      const place = { file, line, header, name };
      const column = MEASURED_COLUMNS.find((known) => known === name);
      if (column !== undefined) this.columns.get(column)?.push(this.readValue(column, place));
      else if (name === TIME_COLUMN) this.timesMs.push(this.readTime(place));
      else if (name === SITE_COLUMN) this.siteOfRow.push(this.siteIndex(fields.readText()));
      else fields.skipField();
      field++;
    } while (fields.nextField());
    if (field === header.length) return;
    const allowed = `${header.length}, as in the header`;
    errors.add({ file, keyPath: "", what: "fields" }, () => {
      return { file, line, column: 1, keyPath: "", found: `${field} fields`, allowed };
    });
  }

  private readValue(name: MeasuredColumn, place: CellPlace): number {
    const { fields, errors } = this;
    if (name === "active_sku") return skuPosition(errors, place, fields.readText());
    const value = fields.readNumber();
    if (value !== Number.POSITIVE_INFINITY) return checkedNumber(errors, { ...place, name }, value);
    const text = fields.readText();
    const flag = FLAGS.get(text.toLowerCase());
    if (flag !== undefined) return checkedNumber(errors, { ...place, name }, flag);
    reportCell(errors, place, JSON.stringify(text), "a finite number, such as -12.5, or an empty cell");
    return Number.NaN;
  }

  private readTime(place: CellPlace): number {
    const text = this.fields.readText();
    const atMs = parseInstantText(text);
    if (Number.isNaN(atMs)) reportCell(this.errors, place, JSON.stringify(text), expectedInstantFormat(text));
    return atMs;
  }

  private siteIndex(name: string): number {
    const known = this.siteNames.get(name);
    if (known !== undefined) return known;
    this.siteNames.set(name, this.siteNames.size);
    return this.siteNames.size - 1;
  }

  toTable(): RawTable {
    const { file, header, siteNames } = this;
    return {
      file,
      header,
      timesMs: Float64Array.from(this.timesMs),
      sites: header.includes(SITE_COLUMN)
        ? { names: [...siteNames.keys()], ofRow: Int32Array.from(this.siteOfRow) }
        : null,
      columns: new Map([...this.columns].map(([name, values]) => [name, Float64Array.from(values)])),
      lines: Int32Array.from(this.lines),
    };
  }
}
