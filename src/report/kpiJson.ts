import type { KpiValue } from "../accounting/kpis/kpi.ts";
import { type KpiName, type Kpis, kpiOf } from "../accounting/kpis/kpiRegistry.ts";
import { isoUtc } from "../base/time.ts";

/** Key figures as a JSON object; numbers rounded by `round`, instants as ISO 8601 in UTC. */
export const kpiJson = (kpis: Kpis, round: (value: number) => number): Record<string, KpiValue> =>
  Object.fromEntries([...kpis].map(([name, value]) => [name, jsonValue(name, value, round)]));

function jsonValue(name: KpiName, value: KpiValue, round: (value: number) => number): KpiValue {
  if (typeof value !== "number") return value;
  return kpiOf(name).kind === "instant" ? isoUtc(value) : round(value);
}
