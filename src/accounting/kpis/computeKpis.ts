import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { AwardFigures } from "../settlement/awardFigures.ts";
import type { SiteRow } from "../siteRow.ts";
import type { KpiContext, RunTotals } from "./kpi.ts";
import { KPI_REGISTRY, type Kpis } from "./kpiRegistry.ts";
import { sumAwards } from "./sumAwards.ts";

/** Every key figure of a run, in the order of the registry. @see docs/model/accounting.md#kpis */
export function computeKpis(
  spec: WorldSpec,
  figures: AwardFigures,
  sites: readonly SiteRow[],
  totals: RunTotals,
): Kpis {
  const context: KpiContext = { awards: sumAwards(spec, figures), sites, totals };
  return new Map(KPI_REGISTRY.map(({ name, compute }) => [name, compute(context)]));
}
