import { stringify } from "csv-stringify/sync";
import { writeThousandths } from "./digits.ts";
import { type TextDialect, TextTable } from "./textTable.ts";

const PLAIN = /^[\w.:;+ -]*$/;

/** A CSV cell as csv-stringify writes it, which is asked wherever a text may need quotes. */
const quoteCsv = (text: string): string => (PLAIN.test(text) ? text : stringify([[text]], { eof: false }));

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
 * CSV (accounting.md §4): UTF-8, LF, UTC instants with Z, three decimals, empty for not applicable.
 *
 * Texts are csv-stringify's; numbers and instants, which never need quotes, go straight into bytes: a year of records
 * has tens of millions of them. A test holds whole tables to csv-stringify.
 */
export class CsvTable extends TextTable {
  constructor(path: string, chunkBytes?: number) {
    super(path, CSV, chunkBytes);
  }
}
