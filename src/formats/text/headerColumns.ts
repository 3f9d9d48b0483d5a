import type { CsvRecord } from "../../series/csv/parseCsvRecords.ts";
import { normaliseName } from "./normaliseText.ts";
import type { TextTable } from "./textTable.ts";

/** The columns of a header row by name, compared without width and blanks. */
export class HeaderColumns {
  readonly row: CsvRecord;
  /** Normalised. */
  readonly names: readonly string[];
  readonly #table: TextTable;

  constructor(table: TextTable, rowIndex: number) {
    this.#table = table;
    this.row = table.rows[rowIndex];
    this.names = this.row.cells.map(normaliseName);
  }

  /** Index of a column; -1 after reporting that it is missing or occurs more than once. */
  require(name: string): number {
    const found = this.find(name);
    if (found < 0) {
      const names = this.names.filter((other) => other !== "").slice(0, 30);
      this.#table.problems.add(name, () => ({
        line: this.row.line,
        column: 1,
        found: "no such column",
        allowed: `one of the columns ${names.join(", ")}`,
      }));
    }
    return found;
  }

  /** Index of a column; -1 if it is missing, or after reporting that it occurs more than once. */
  find(name: string): number {
    const wanted = normaliseName(name);
    const first = this.names.indexOf(wanted);
    const second = first < 0 ? -1 : this.names.indexOf(wanted, first + 1);
    if (second < 0) return first;
    this.#table.reportCell(this.row, second, name, "each column once");
    return -1;
  }
}
