import type { KpiValue } from "../accounting/kpis/kpi.ts";
import { type KpiName, type Kpis, kpiOf } from "../accounting/kpis/kpiRegistry.ts";
import { roundTo } from "../base/rounding.ts";
import { isoUtc } from "../base/time.ts";

/** Key figures as a JSON object; numbers with at most three decimals, instants as ISO 8601 in UTC. */
export const kpiJson = (kpis: Kpis): Record<string, KpiValue> =>
  Object.fromEntries([...kpis].map(([name, value]) => [name, jsonValue(name, value)]));

function jsonValue(name: KpiName, value: KpiValue): KpiValue {
  if (typeof value !== "number") return value;
  return kpiOf(name).kind === "instant" ? isoUtc(value) : roundTo(value, 3);
}
