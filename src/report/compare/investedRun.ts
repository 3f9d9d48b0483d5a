import { hoursOf, type InvestedRun } from "../../accounting/kpis/investment.ts";
import type { Settings } from "../../inputs/scenario/effectiveSettings.ts";
import type { ReportSummary } from "./readReport.ts";

/** What a report says of its batteries, whether or not its scenario has the key `investment` (docs/model/money.md#investment). */
export function investedRun({ period, kpis }: ReportSummary, settings: Settings): InvestedRun {
  const rated = { kwh: 0, kw: 0 };
  for (const [path, ratedKwh] of Object.entries(settings)) {
    if (!/^sites\..*\.rated_cap$/.test(path)) continue;
    const of = (key: string): number => Number(settings[path.replace(/rated_cap$/, key)] ?? 0);
    rated.kwh += Number(ratedKwh);
    rated.kw += Math.max(of("import_pwr_max"), of("export_pwr_max"));
  }
  const figure = (name: "aggregator_margin_jpy" | "lost_capacity_kwh"): number | null => {
    const value = kpis.get(name);
    return typeof value === "number" ? value : null;
  };
  return {
    hours: hoursOf({ startMs: Date.parse(period.start), endMs: Date.parse(period.end) }),
    ratedKwh: rated.kwh,
    ratedKw: rated.kw,
    marginAmount: figure("aggregator_margin_jpy"),
    lostKwh: figure("lost_capacity_kwh"),
  };
}
