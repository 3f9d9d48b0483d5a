import type { CsvRecord } from "../../../engine/series/csv/parseCsvRecords.ts";
import { normaliseName } from "./normaliseText.ts";
import type { TextTable } from "./textTable.ts";

const OCCURRENCE = /^(.+)#(\d+)$/;

/** The columns of a header row by name, compared without width and blanks; `Usage#2` is the second one of its name. */
export class HeaderColumns {
  readonly row: CsvRecord;
  /** Normalised. */
  readonly names: readonly string[];
  private readonly table: TextTable;

  constructor(table: TextTable, rowIndex: number) {
    this.table = table;
    this.row = table.rows[rowIndex];
    this.names = this.row.cells.map(normaliseName);
  }

  /** Index of a column; -1 after reporting that it is missing or occurs more than once. */
  require(name: string): number {
    const before = this.table.problems.count;
    const found = this.find(name);
    if (found < 0 && before === this.table.problems.count) {
      const names = this.names.filter((other) => other !== "").slice(0, 30);
      this.table.problems.add(name, () => ({
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
    const found = this.indexesOf(wanted);
    if (found.length === 1) return found[0];
    if (found.length > 1) {
      this.table.reportCell(this.row, found[1], name, `each column once, or ${wanted}#1 and ${wanted}#2 for the two`);
      return -1;
    }
    const [, stem = "", occurrence = ""] = OCCURRENCE.exec(wanted) ?? [];
    return this.indexesOf(stem)[Number(occurrence) - 1] ?? -1;
  }

  /** The name that only this column has. */
  uniqueName(index: number): string {
    const same = this.indexesOf(this.names[index]);
    return same.length === 1 ? this.names[index] : `${this.names[index]}#${1 + same.indexOf(index)}`;
  }

  private indexesOf(name: string): number[] {
    return this.names.flatMap((other, index) => (other === name && name !== "" ? [index] : []));
  }
}
