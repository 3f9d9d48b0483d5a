/**
 * A block of consecutive rows of one bulk table, column by column. Arrays may be longer than `rowCount`. They are
 * reused after `write` returns, so a sink must copy what it stores.
 */
export interface TableBlock {
  readonly rowCount: number;
  readonly columns: readonly TableColumn[];
}

export type TableColumn =
  /** UTC instants in epoch milliseconds, whole. NaN, which only an `optional` column may have: not applicable. */
  | { readonly name: string; readonly kind: "instant"; readonly values: Float64Array; readonly optional?: true }
  /** One of few names; -1: not applicable. */
  | { readonly name: string; readonly kind: "name"; readonly values: Int32Array; readonly names: readonly string[] }
  /** kW, kWh or % as whole thousandths (1234 is 1.234); NaN: not applicable. */
  | { readonly name: string; readonly kind: "thousandths"; readonly values: Float64Array }
  /** Counts and 0/1 flags, which have `words`; NaN: not applicable. */
  | { readonly name: string; readonly kind: "integer"; readonly values: Float64Array; readonly words?: FlagWords }
  /** Free text; `null`: not applicable. */
  | { readonly name: string; readonly kind: "text"; readonly values: readonly (string | null)[] };

/** What 0 and 1 mean, for readers of a spreadsheet. */
type FlagWords = readonly [no: string, yes: string];

/** A copy of the rows of a block. */
export const copyBlock = ({ rowCount, columns }: TableBlock): TableBlock => ({
  rowCount,
  columns: columns.map((column) => ({ ...column, values: column.values.slice(0, rowCount) }) as TableColumn),
});

/** Receives the rows of one table in order. */
export interface BlockSink {
  write(block: TableBlock): void;
}

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
export const integerColumn = (name: string, words?: FlagWords) =>
  ({ name, kind: "integer", values: new Float64Array(BLOCK_ROWS), ...(words === undefined ? {} : { words }) }) as const;
export const nameColumn = (name: string, names: readonly string[], rows = BLOCK_ROWS) =>
  ({ name, kind: "name", values: new Int32Array(rows), names }) as const;
