import { writeShortThousandths } from "./numberEncoding.ts";
import { type TextDialect, TextTableWriter } from "./textTableWriter.ts";

const JSON_LINES_DIALECT: TextDialect = {
  renderHeader: () => "",
  cellPrefix: (name, index) => `${index === 0 ? "{" : ","}${JSON.stringify(name)}:`,
  rowEnd: "}\n",
  missingText: "null",
  quoteText: JSON.stringify,
  instantQuote: '"',
  writeThousandths: writeShortThousandths,
};

/** One JSON object per row: instants and names as strings, numbers in JSON notation, `null` for not applicable. */
export class JsonLinesTableWriter extends TextTableWriter {
  constructor(path: string, chunkBytes?: number) {
    super(path, JSON_LINES_DIALECT, chunkBytes);
  }
}
