import { basename } from "node:path";
import { stringify } from "csv-stringify/sync";
import { isoUtc } from "../../base/time.ts";
import type { Block, Column } from "../../record/block.ts";
import { ColumnsGuard, type Table } from "./table.ts";
import { TableFile } from "./tableFile.ts";

/** CSV of a small table (awards, sites, events) by csv-stringify; the same bytes as `CsvTable` gives. */
export class SmallCsvTable implements Table {
  readonly #file: TableFile;
  readonly #guard = new ColumnsGuard();

  constructor(path: string) {
    this.#file = new TableFile(path);
  }

  write(block: Block): void {
    const { columns, rowCount } = block;
    const records = Array.from({ length: rowCount }, (_, row) => columns.map((column) => cellText(column, row)));
    if (this.#guard.isFirst(block)) records.unshift(columns.map(({ name }) => name));
    this.#file.write(Buffer.from(stringify(records)));
  }

  close(): void {
    this.#guard.assertNamed(this.#file.path);
    this.#file.close();
  }

  get digests(): readonly (readonly [string, string])[] {
    return [[basename(this.#file.path), this.#file.digest]];
  }

  abort(): void {
    this.#file.abort();
  }
}

function cellText(column: Column, row: number): string {
  if (column.kind === "text") return column.values[row] ?? "";
  const value = column.values[row];
  if (column.kind === "name") return value === -1 ? "" : column.names[value];
  if (column.kind === "instant") return isoUtc(value);
  if (Number.isNaN(value)) return "";
  return column.kind === "integer" ? String(value) : (value / 1000).toFixed(3);
}
