import { stringify } from "csv-stringify/sync";
import type { TableBlock } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";
import type { ReportFormat } from "../../inputs/scenario/scenario.ts";
import { writeShortThousandths, writeThousandths } from "./numberEncoding.ts";
import type { TableFile, TableWriter } from "./tableFile.ts";
import { instantParts, offsetOf, PLAIN_LAYOUT, type TableLayout } from "./tableLayout.ts";
import { type TakeBytes, type TextDialect, TextRows } from "./textRows.ts";

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

/** What a spreadsheet runs as a formula, or reads as a number or a date. */
const FORMULA_LIKE = /^(?:[=+\-@\t\r]|\d[\d.,:/-]*(?:[eE]\d+)?$)/;

const CSV_DIALECT_EXCEL: TextDialect = {
  ...CSV_DIALECT,
  renderHeader: (columnNames) => `\uFEFF${columnNames.map(quoteCsv).join(",")}\r\n`,
  rowEnd: "\r\n",
  quoteText: (text) => quoteCsv(FORMULA_LIKE.test(text) ? `="${text.replaceAll('"', '""')}"` : text),
};

const JSON_LINES_DIALECT: TextDialect = {
  renderHeader: () => "",
  cellPrefix: (name, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
  rowEnd: "}\n",
  missingText: "null",
  quoteText: JSON.stringify,
  instantQuote: '"',
  writeThousandths: writeShortThousandths,
};

/** Formats whose rows are text, in the order of the files of a table. */
const TEXT_FORMATS = ["csv", "json"] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

export const textFormats = (formats: readonly ReportFormat[]): readonly TextFormat[] =>
  TEXT_FORMATS.filter((format) => formats.includes(format));

/** The rows of a table in a text format. */
export function textRows(format: TextFormat, layout: TableLayout, take: TakeBytes, chunkBytes?: number): TextRows {
  const csv = layout.csv === "excel" ? CSV_DIALECT_EXCEL : CSV_DIALECT;
  const instants = { parts: instantParts(layout, format), offsetAt: offsetOf(layout) };
  return new TextRows(take, format === "csv" ? csv : JSON_LINES_DIALECT, instants, chunkBytes);
}

/** A table as a file of text. */
export class TextTableWriter implements TableWriter {
  private readonly file: TableFile;
  private readonly rows: TextRows;
  private hasBlock = false;

  constructor(format: TextFormat, file: TableFile, layout = PLAIN_LAYOUT, chunkBytes?: number) {
    this.file = file;
    this.rows = textRows(format, layout, (bytes) => file.write(bytes), chunkBytes);
  }

  write(block: TableBlock): void {
    this.hasBlock = true;
    this.rows.write(block);
  }

  /** Writes rows of `textRows`, the first of them with their header. The table has no other rows. */
  writeEncoded(bytes: Uint8Array): void {
    this.hasBlock = true;
    this.rows.writeEncoded(bytes);
  }

  close(): void {
    assert(this.hasBlock, () => `table ${this.file.name} has had at least one block, which defines its columns`);
    this.rows.flush();
    this.file.close();
  }

  get digests(): readonly (readonly [string, string])[] {
    return [this.file.digest];
  }

  abort(): void {
    this.file.abort();
  }
}

/**
 * CSV (docs/model/report-files.md#formats): UTF-8, LF, UTC instants with Z, three decimals, empty for not applicable.
 *
 * Numbers and instants never need quotes and are written directly as bytes, because a year of records has tens of
 * millions of them. A test compares whole tables with csv-stringify.
 */
export class CsvTableWriter extends TextTableWriter {
  constructor(file: TableFile, layout?: TableLayout, chunkBytes?: number) {
    super("csv", file, layout, chunkBytes);
  }
}

/** One JSON object per row: instants and names as strings, numbers in JSON notation, `null` for not applicable. */
export class JsonLinesTableWriter extends TextTableWriter {
  constructor(file: TableFile, layout?: TableLayout, chunkBytes?: number) {
    super("json", file, layout, chunkBytes);
  }
}
