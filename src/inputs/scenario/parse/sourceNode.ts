/** A file's content before schema checks, from YAML documents and CSV rows alike, with positions for errors. */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  readonly kind: "scalar";
  readonly position: number;
  readonly value: string | number | boolean | bigint | null;
  /** From a CSV cell: always text; the schema determines its type. */
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

/** Source of nodes; positions are relative to their own origin. */
export interface SourceOrigin {
  readonly file: string;
  locate(at: number): SourceLocation;
  /**
   * Whether only the cell of a key is missing in a row, or the whole column; "known" when the missing column is
   * already reported.
   */
  classifyMissingKey?(keyPath: string): "cell" | "column" | "known";
}

/** Line and column, counted from 1. */
export interface SourceLocation {
  readonly line: number;
  readonly column: number;
}
