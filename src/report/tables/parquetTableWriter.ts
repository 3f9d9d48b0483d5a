import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import type { TableBlock, TableColumn } from "../../accounting/recorders/tableBlock.ts";
import { assert } from "../../base/assert.ts";
import { ColumnCheck, type TableFile, type TableWriter } from "./tableFile.ts";
import { PLAIN_LAYOUT } from "./tableLayout.ts";

const ROW_GROUP_ROWS = 100_000;

type Cell = number | string | null;

/**
 * Parquet: instants as TIMESTAMP(ms, UTC), thousandths as doubles in the unit of the column, integers as INT32, names
 * and texts as strings, null for not applicable.
 *
 * Row groups have a fixed size, so that the bytes do not depend on the sizes of the blocks.
 */
export class ParquetTableWriter implements TableWriter {
  private readonly file: TableFile;
  private readonly columnCheck = new ColumnCheck();
  private readonly bytes = new ByteWriter(1 << 20);
  private readonly groupRows: number;
  private writer: ParquetWriter | null = null;
  private schema: SchemaElement[] = [];
  /** One array per column; instants in ms. */
  private groupColumns: Cell[][] = [];
  private rows = 0;

  /** Instants are in UTC in every layout. */
  constructor(file: TableFile, _layout = PLAIN_LAYOUT, groupRows = ROW_GROUP_ROWS) {
    this.file = file;
    this.groupRows = groupRows;
  }

  write(block: TableBlock): void {
    if (this.columnCheck.acceptBlock(block)) {
      this.schema = schemaOf(block.columns);
      this.writer = new ParquetWriter({ writer: this.bytes, schema: this.schema, createdBy: "vppsim" });
      this.groupColumns = block.columns.map(() => new Array<Cell>(this.groupRows));
    }
    for (let row = 0; row < block.rowCount; ) {
      const count = Math.min(block.rowCount - row, this.groupRows - this.rows);
      block.columns.forEach((column, k) => copyCells(column, row, count, this.groupColumns[k], this.rows));
      this.rows += count;
      row += count;
      if (this.rows === this.groupRows) this.writeGroup();
    }
  }

  close(): void {
    this.columnCheck.assertHasColumns(this.file.name);
    if (this.rows > 0) this.writeGroup();
    this.writer?.finish();
    this.flush();
    this.file.close();
  }

  get digests(): readonly (readonly [string, string])[] {
    return [this.file.digest];
  }

  abort(): void {
    this.file.abort();
  }

  private writeGroup(): void {
    const columnData: ColumnSource[] = this.schema.slice(1).map(({ name }, k) => ({
      name,
      data: this.rows === this.groupRows ? this.groupColumns[k] : this.groupColumns[k].slice(0, this.rows),
    }));
    this.writer?.write({ columnData, rowGroupSize: this.rows });
    this.rows = 0;
    this.flush();
  }

  /** Empties the buffer; the writer counts file offsets separately. */
  private flush(): void {
    this.file.write(this.bytes.getBytes());
    this.bytes.index = 0;
  }
}

function schemaOf(columns: readonly TableColumn[]): SchemaElement[] {
  return [{ name: "root", num_children: columns.length }, ...columns.map(schemaElement)];
}

function schemaElement(column: TableColumn): SchemaElement {
  const { name, kind } = column;
  switch (kind) {
    case "instant":
      return {
        name,
        type: "INT64",
        repetition_type: column.optional ? "OPTIONAL" : "REQUIRED",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      };
    case "thousandths":
      return { name, type: "DOUBLE", repetition_type: "OPTIONAL" };
    case "integer":
      return { name, type: "INT32", repetition_type: "OPTIONAL" };
    case "name":
    case "text":
      return { name, type: "BYTE_ARRAY", repetition_type: "OPTIONAL", converted_type: "UTF8" };
  }
}

/** Copies cells of a block into a row group. Separate loops keep each of them monomorphic. */
function copyCells(column: TableColumn, from: number, count: number, cells: Cell[], at: number): void {
  const { kind, values } = column;
  if (kind === "name") {
    const { names } = column;
    for (let k = 0; k < count; k++) cells[at + k] = values[from + k] === -1 ? null : names[values[from + k]];
  } else if (kind === "thousandths") {
    for (let k = 0; k < count; k++) cells[at + k] = Number.isNaN(values[from + k]) ? null : values[from + k] / 1000 + 0;
  } else if (kind === "integer") {
    for (let k = 0; k < count; k++) cells[at + k] = Number.isNaN(values[from + k]) ? null : int32(values[from + k]);
  } else if (column.kind === "instant" && column.optional) {
    for (let k = 0; k < count; k++) cells[at + k] = Number.isNaN(values[from + k]) ? null : values[from + k];
  } else {
    for (let k = 0; k < count; k++) cells[at + k] = values[from + k];
  }
}

function int32(value: number): number {
  assert((value | 0) === value, () => `a count in a table is a whole number of 32 bits, not ${value}`);
  return value | 0;
}
