import { writeThousandths } from "./digits.ts";
import { type TextDialect, TextTable } from "./textTable.ts";

const NEEDS_QUOTES = /[",\r\n]/;

/** A CSV cell as RFC 4180 wants it. */
export const quoteCsv = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const CSV: TextDialect = {
  head: (columnNames) => `${columnNames.map(quoteCsv).join(",")}\n`,
  cellPrefix: (_, index) => (index === 0 ? "" : ","),
  rowEnd: "\n",
  missing: "",
  quote: quoteCsv,
  instantQuote: "",
  writeThousandths,
};

/**
 * Bulk CSV (accounting.md §4): UTF-8, LF, UTC instants with Z, three decimals, empty for not applicable.
 *
 * Held to csv-stringify by a test; a table of hundreds of millions of cells would take minutes there.
 */
export class CsvTable extends TextTable {
  constructor(path: string, chunkBytes?: number) {
    super(path, CSV, chunkBytes);
  }
}
