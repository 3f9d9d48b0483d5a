/**
 * A file's content before anyone knows what it means: YAML documents and CSV rows alike, with the places kept so that
 * an error can point at them.
 */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: "scalar";
  readonly at: number;
  readonly value: string | number | boolean | bigint | null;
  /** From a CSV cell: text whatever it means; the schema says which type it has. */
  readonly untyped: boolean;
}

export interface ListNode {
  readonly kind: "list";
  readonly at: number;
  readonly items: readonly SourceNode[];
}

export interface MapNode {
  readonly kind: "map";
  readonly at: number;
  readonly entries: ReadonlyMap<string, MapEntry>;
}

export interface MapEntry {
  readonly keyAt: number;
  readonly node: SourceNode;
}

/** Where nodes came from; `at` of a node means something to its own origin only. */
export interface Origin {
  readonly file: string;
  place(at: number): Place;
  /**
   * What a row of a table lacks when it lacks a key: its cell, or the whole column; "known" where an earlier row has
   * asked for the same column.
   */
  missingColumn?(keyPath: string): "cell" | "column" | "known";
}

/** Line and column, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}
