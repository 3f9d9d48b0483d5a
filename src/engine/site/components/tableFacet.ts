/** A table of its own that a kind adds to a report, in runs that have a component to which it applies. */
export interface ComponentTable<Component> {
  /** File name without its ending. */
  readonly stem: "battery_ageing" | "ev_sessions";
  /** Beside the first one, `site`. */
  readonly columns: readonly ComponentTableColumn[];
  /** Whether a component has rows; absent: each of the kind. */
  appliesTo?(component: Component): boolean;
  /** Cells as the columns name them; instants in epoch ms. */
  rows(component: Component): readonly ComponentTableRow[];
  /** Key figures from the rows of all sites. */
  readonly kpis: readonly { readonly name: string; of(rows: readonly ComponentTableRow[]): number }[];
  /** Values of the sentence on the rows of all sites; `src/texts/sections.ts` has it, and the title. */
  totals(rows: readonly ComponentTableRow[]): Readonly<Record<string, string | number>>;
}

export interface ComponentTableColumn {
  readonly name: string;
  readonly kind: "text" | "instant" | "thousandths";
}

export type ComponentTableRow = readonly (string | number)[];
