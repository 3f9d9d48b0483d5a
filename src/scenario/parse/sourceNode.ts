/**
 * A file's content before anyone knows what it means: YAML documents and CSV rows alike, with the places kept so that
 * an error can point at them.
 */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: "scalar";
  readonly position: number;
  readonly value: string | number | boolean | bigint | null;
  /** From a CSV cell: text whatever it means; the schema says which type it has. */
  readonly isUntyped: boolean;
}

export interface ListNode {
  readonly kind: "list";
  readonly position: number;
  readonly items: readonly SourceNode[];
}

export interface MapNode {
  readonly kind: "map";
  readonly position: number;
  readonly entries: ReadonlyMap<string, MapEntry>;
}

export interface MapEntry {
  readonly keyPosition: number;
  readonly node: SourceNode;
}

/** Where nodes came from; `at` of a node means something to its own origin only. */
export interface SourceOrigin {
  readonly file: string;
  locate(at: number): SourceLocation;
  /**
   * What a row of a table lacks when it lacks a key: its cell, or the whole column; "known" where an earlier row has
   * asked for the same column.
   */
  classifyMissingKey?(keyPath: string): "cell" | "column" | "known";
}

/** Line and column, counted from 1. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}
