import { stringify } from "csv-stringify/sync";
import { writeThousandths } from "./numberEncoding.ts";
import { type TextDialect, TextTableWriter } from "./textTableWriter.ts";

const UNQUOTED_PATTERN = /^[\w.:;+ -]*$/;

/** A CSV cell; csv-stringify formats every text that may need quotes. */
const quoteCsv = (text: string): string => (UNQUOTED_PATTERN.test(text) ? text : stringify([[text]], { eof: false }));

const CSV_DIALECT: TextDialect = {
  renderHeader: (columnNames) => `${columnNames.map(quoteCsv).join(",")}\n`,
  cellPrefix: (_, index) => (index === 0 ? "" : ","),
  rowEnd: "\n",
  missingText: "",
  quoteText: quoteCsv,
  instantQuote: "",
  writeThousandths,
};

/**
 * CSV (docs/model/report-files.md#formats): UTF-8, LF, UTC instants with Z, three decimals, empty for not applicable.
 *
 * Numbers and instants never need quotes and are written directly as bytes, because a year of records has tens of
 * millions of them. A test compares whole tables with csv-stringify.
 */
export class CsvTableWriter extends TextTableWriter {
  constructor(path: string, chunkBytes?: number) {
    super(path, CSV_DIALECT, chunkBytes);
  }
}
