import type { KpiValue } from "../accounting/kpis/kpi.ts";
import { type KpiName, type Kpis, kpiOf } from "../accounting/kpis/kpiRegistry.ts";
import type { PrintedTotals, RunRecord } from "../accounting/runRecord.ts";
import { KPI_OF_TOTAL, TOTAL_NAMES } from "../accounting/sessionShare.ts";
import { type Currency, currencyOf, moneyName } from "../base/currency.ts";
import { roundTo } from "../base/rounding.ts";
import { isoUtc } from "../base/time.ts";

/** Key figures as a JSON object; numbers with at most three decimals, instants as ISO 8601 in UTC. */
export const kpiJson = (kpis: Kpis, currency: Currency): Record<string, KpiValue> =>
  Object.fromEntries([...kpis].map(([name, value]) => [moneyName(name, currency), jsonValue(name, value)]));

function jsonValue(name: KpiName, value: KpiValue): KpiValue {
  if (typeof value !== "number") return value;
  return kpiOf(name).kind === "instant" ? isoUtc(value) : roundTo(value, 3);
}

/** The key `session` of summary.json; empty without a session within the run (docs/model/report-files.md#session). */
export function sessionJson({ session, currency }: Pick<RunRecord, "session" | "currency">): object {
  if (session === null) return {};
  const { openedMs, before, within, divided } = session;
  return {
    session: {
      opened_at: isoUtc(openedMs),
      before: totalsJson(before, currencyOf({ currency })),
      within: totalsJson(within, currencyOf({ currency })),
      awards_in_force: divided.map(({ awardId, beforeKwh, withinKwh, causes }) => ({
        award_id: awardId,
        shortfall_before_kwh: beforeKwh,
        shortfall_within_kwh: withinKwh,
        causes: causes.map((part) => ({
          cause: part.cause,
          shortfall_before_kwh: part.beforeKwh,
          shortfall_within_kwh: part.withinKwh,
        })),
      })),
    },
  };
}

const totalsJson = (totals: PrintedTotals, currency: Currency): object =>
  Object.fromEntries(TOTAL_NAMES.map((name) => [moneyName(KPI_OF_TOTAL[name], currency), totals[name]]));
