import { writeShortThousandths } from "./digits.ts";
import { type TextDialect, TextTable } from "./textTable.ts";

const JSON_LINES: TextDialect = {
  head: () => "",
  cellPrefix: (name, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
  rowEnd: "}\n",
  missing: "null",
  quote: JSON.stringify,
  instantQuote: '"',
  writeThousandths: writeShortThousandths,
};

/** One JSON object a row: instants and names as strings, numbers as JSON prints them, `null` for not applicable. */
export class JsonLinesTable extends TextTable {
  constructor(path: string, chunkBytes?: number) {
    super(path, JSON_LINES, chunkBytes);
  }
}
