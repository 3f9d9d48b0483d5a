import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { AwardFigures } from "../settlement/awardFigures.ts";
import { closeLedger } from "./closeLedger.ts";
import type { KpiContext } from "./kpi.ts";
import { createKpis, type Kpis, kpiOf } from "./kpiRegistry.ts";
import { sumAwards } from "./sumAwards.ts";

/**
 * Every key figure of a run, in the order of the registry. @see docs/model/accounting.md#kpis
 *
 * @param netImportJpy  all sites' imports less exports at the market price; `null` without one
 */
export function computeKpis(
  spec: WorldSpec,
  figures: AwardFigures,
  others: Omit<KpiContext, "awards" | "ledger">,
  netImportJpy: number | null,
): Kpis {
  const ledger = closeLedger(spec, figures, netImportJpy);
  const context: KpiContext = { ...others, ledger, awards: sumAwards(spec, figures) };
  return createKpis((name) => kpiOf(name).compute(context));
}
