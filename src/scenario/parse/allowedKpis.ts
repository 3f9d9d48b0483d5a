import { KPI_NAMES } from "../../accounting/kpis/kpiRegistry.ts";
import { formatNameList } from "./inputError.ts";
import { nearestName } from "./nearestName.ts";

/** What a file may have in place of a name that is no key figure: all of them, and the one that was most likely meant. */
export function allowedKpis(typed: string): string {
  const meant = nearestName(typed, KPI_NAMES);
  return `a figure of summary.json${meant === null ? "" : ` (did you mean ${meant}?)`}: ${formatNameList(KPI_NAMES)}`;
}
