import { type KindName, kindOf } from "../../engine/site/components/registry.ts";
import type { ComponentTableRow } from "../../engine/site/components/tableFacet.ts";
import type { Site } from "../../engine/site/site.ts";
import { componentsOf } from "../../engine/site/siteResource.ts";
import type { KindTable } from "../runRecord.ts";

/** Rows of one site in the table of its kind. */
export interface KindTableRows {
  readonly site: number;
  readonly kind: KindName;
  readonly cells: readonly ComponentTableRow[];
}

/** The rows of all components to which a table of their kind applies. */
export function kindTableRows(sites: readonly Site[]): KindTableRows[] {
  return sites.flatMap(({ resource, index }) =>
    componentsOf(resource).flatMap((component) => {
      const { table } = kindOf(component);
      if (table === undefined || table.appliesTo?.(component) === false) return [];
      return [{ site: index, kind: component.kind, cells: table.rows(component) }];
    }),
  );
}

/** The tables that kinds of components add to the report of a run, for the kinds that it has. @param rows in the order of the sites */
export function kindTables(rows: readonly KindTableRows[], siteNames: readonly string[]): readonly KindTable[] {
  const tables = new Map<string, { layout: KindTable["layout"]; rows: KindTable["rows"][number][] }>();
  for (const { site, kind, cells } of rows) {
    const { table } = kindOf({ kind });
    if (table === undefined) continue;
    const known = tables.get(table.stem) ?? { layout: table, rows: [] };
    tables.set(table.stem, known);
    for (const row of cells) known.rows.push({ site: siteNames[site], cells: row });
  }
  return [...tables.values()];
}

/** The key figures of the tables, by name. */
export const kindFigures = (tables: readonly KindTable[]): ReadonlyMap<string, number> =>
  new Map(
    tables.flatMap(({ layout, rows }) => {
      const cells = rows.map((row) => row.cells);
      return layout.kpis.map((kpi) => [kpi.name, kpi.of(cells)] as const);
    }),
  );
