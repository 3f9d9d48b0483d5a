import type { BlockSink, TableBlock, TableColumn } from "./tableBlock.ts";

/** Collects rows and passes them to a sink in blocks. */
export class BlockBuffer {
  private readonly sink: BlockSink;
  private readonly columns: readonly TableColumn[];
  private readonly rowsMax: number;
  private rowCount = 0;
  private hasWritten = false;

  /** @param columns arrays of `rowsMax` values each */
  constructor(sink: BlockSink, columns: readonly TableColumn[], rowsMax: number) {
    this.sink = sink;
    this.columns = columns;
    this.rowsMax = rowsMax;
  }

  /** Index of the next row in each column's array. */
  nextRow(): number {
    return this.nextRows(1);
  }

  /** Index of the first of `count` consecutive rows, at most `rowsMax`, of one block. */
  nextRows(count: number): number {
    if (this.rowCount + count > this.rowsMax) this.flush();
    const row = this.rowCount;
    this.rowCount += count;
    return row;
  }

  /** Writes the collected rows; a table without rows gets one empty block, which defines its columns. */
  flush(): void {
    if (this.rowCount === 0 && this.hasWritten) return;
    this.hasWritten = true;
    const block: TableBlock = { rowCount: this.rowCount, columns: this.columns };
    this.sink.write(block);
    this.rowCount = 0;
  }
}

export const BLOCK_ROWS = 8192;

export const instantColumn = (name: string, rows = BLOCK_ROWS) =>
  ({ name, kind: "instant", values: new Float64Array(rows) }) as const;
export const thousandthsColumn = (name: string, rows = BLOCK_ROWS) =>
  ({ name, kind: "thousandths", values: new Float64Array(rows) }) as const;
export const integerColumn = (name: string) =>
  ({ name, kind: "integer", values: new Float64Array(BLOCK_ROWS) }) as const;
export const nameColumn = (name: string, names: readonly string[], rows = BLOCK_ROWS) =>
  ({ name, kind: "name", values: new Int32Array(rows), names }) as const;
