import { kindOf } from "../../site/components/registry.ts";
import type { Site } from "../../site/site.ts";
import type { KindTable } from "../runRecord.ts";

/** The tables that kinds of components add to the report of a run, for the kinds that it has. */
export function kindTables(sites: readonly Site[]): readonly KindTable[] {
  const tables = new Map<string, { layout: KindTable["layout"]; rows: KindTable["rows"][number][] }>();
  for (const { resource, spec } of sites) {
    if (resource.composite !== null) continue;
    const { table } = kindOf(resource);
    if (table === undefined) continue;
    const known = tables.get(table.stem) ?? { layout: table, rows: [] };
    tables.set(table.stem, known);
    for (const cells of table.rows(resource)) known.rows.push({ site: spec.name, cells });
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
