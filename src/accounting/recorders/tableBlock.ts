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
  /** Counts and 0/1 flags; NaN: not applicable. */
  | { readonly name: string; readonly kind: "integer"; readonly values: Float64Array }
  /** Free text; `null`: not applicable. */
  | { readonly name: string; readonly kind: "text"; readonly values: readonly (string | null)[] };

/** Receives the rows of one table in order. */
export interface BlockSink {
  write(block: TableBlock): void;
}
