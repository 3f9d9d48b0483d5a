import type { ErrorCollector } from "../../base/inputError.ts";
import { CsvFieldReader } from "../../engine/series/csv/csvFieldReader.ts";
import { isNumberColumn } from "./measuredSeries.ts";
import { RawTable, reportFile } from "./rawTable.ts";

/** Rows of a CSV file. */
export function readMeasuredCsv(file: string, content: Uint8Array, errors: ErrorCollector): RawTable {
  const fields = new CsvFieldReader(content);
  const header: string[] = [];
  fields.skipBlankLines();
  if (!fields.isAtEnd)
    do header.push(fields.readText());
    while (fields.nextField());
  const table = new RawTable(file, header, errors);
  for (fields.skipBlankLines(); !fields.isAtEnd && fields.quoteError === null; fields.skipBlankLines()) {
    const { line } = fields;
    const cells: unknown[] = [];
    do cells.push(readCell(fields, header[cells.length] ?? ""));
    while (fields.nextField());
    table.add(line, cells);
    if (cells.length === header.length) continue;
    const [found, allowed] = [`${cells.length} fields`, `${header.length}, as in the header`];
    errors.add({ file, keyPath: "", what: "fields" }, () => {
      return { file, line, column: 1, keyPath: "", found, allowed };
    });
  }
  if (fields.quoteError !== null) reportFile(errors, file, fields.quoteError, "a CSV table", fields.line);
  return table;
}

/** A number where the column has numbers; the text where it is none. */
function readCell(fields: CsvFieldReader, name: string): string | number {
  const value = isNumberColumn(name) ? fields.readNumber() : Number.POSITIVE_INFINITY;
  return value === Number.POSITIVE_INFINITY ? fields.readText() : value;
}
