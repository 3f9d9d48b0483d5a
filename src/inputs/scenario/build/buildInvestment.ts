import { HOURS_MIN, hoursOf } from "../../../accounting/kpis/investment.ts";
import { roundTo } from "../../../base/rounding.ts";
import type { WorldSpec } from "../../../engine/simulation/worldSpec.ts";
import type { ScenarioConfig } from "../schema/scenarioSchema.ts";
import type { BuildContext } from "./buildContext.ts";

/** Absent without the key, so that the digest of other scenarios stays the same. */
export function buildInvestment(
  { checker, startMs, endMs }: BuildContext,
  keys: ScenarioConfig["investment"],
): WorldSpec["investment"] {
  if (keys === undefined) return undefined;
  const hours = hoursOf({ startMs, endMs });
  if (hours < HOURS_MIN) {
    const place = checker.placeOf(keys, null) ?? { file: "--capex", line: 0, column: 0, keyPath: "" };
    const span = `${roundTo(hours, 1)} h`;
    const allowed = `a year cannot be told from ${span}: run ${HOURS_MIN / 24} days at least`;
    checker.errors.report({ ...place, found: span, allowed });
  }
  return {
    capexPerKwh: keys.capex_per_kwh,
    capexPerKw: keys.capex_per_kw,
    opexPerKwhYear: keys.opex_per_kwh_year,
    lifetimeYears: keys.lifetime_years,
    discountPct: keys.discount_pct,
  };
}
