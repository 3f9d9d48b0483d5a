import { smallestOf } from "../../base/lists.ts";
import type { SiteRow } from "../siteRow.ts";
import type { Kpi } from "./kpi.ts";

/** Service, energy and storage of the sites (docs/model/accounting.md#kpis). */
export const SITE_KPIS = [
  {
    kind: "number",
    name: "availability_pct",
    unit: "%",
    // With one decimal a week with an hour's outage would read 100 %.
    decimals: 2,
    direction: "more",
    basis: "sites",
    shows: { headline: 90, terminal: 80, sideEffect: false },
    compute: ({ sites }) => mean(memberSites(sites), ({ availabilityPct }) => availabilityPct),
  },
  {
    kind: "number",
    name: "planned_outage_pct",
    unit: "%",
    decimals: 1,
    direction: "neutral",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ sites }) => mean(memberSites(sites), ({ plannedOutagePct }) => plannedOutagePct),
  },
  {
    kind: "number",
    name: "import_kwh",
    unit: "kWh",
    decimals: 1,
    direction: "neutral",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ sites }) => sumThousandths(sites, ({ importKwh }) => importKwh),
  },
  {
    kind: "number",
    name: "export_kwh",
    unit: "kWh",
    decimals: 1,
    direction: "neutral",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ sites }) => sumThousandths(sites, ({ exportKwh }) => exportKwh),
  },
  {
    kind: "number",
    name: "curtailed_kwh",
    unit: "kWh",
    decimals: 1,
    direction: "less",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: true },
    compute: ({ sites }) => sumThousandths(sites, ({ curtailedKwh }) => curtailedKwh ?? 0),
  },
  {
    kind: "number",
    name: "throughput_kwh",
    unit: "kWh",
    decimals: 1,
    direction: "less",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ sites }) => sum(batterySites(sites), ({ throughputKwh }) => throughputKwh ?? 0),
  },
  {
    kind: "number",
    name: "equivalent_full_cycles",
    unit: "",
    decimals: 2,
    direction: "less",
    basis: "sites",
    shows: { headline: 110, terminal: null, sideEffect: true },
    compute: ({ totals: { ratedCapKwh, cellDischargeKwh } }) =>
      ratedCapKwh > 0 ? cellDischargeKwh / ratedCapKwh : null,
  },
  {
    kind: "number",
    name: "soc_min_pct",
    unit: "%",
    decimals: 1,
    direction: "more",
    basis: "sites",
    shows: { headline: 100, terminal: null, sideEffect: false },
    compute: ({ sites }) => {
      const batteries = batterySites(sites);
      return batteries.length > 0 ? smallestOf(batteries.map(({ socMinPct }) => socMinPct ?? 100)) : null;
    },
  },
  {
    kind: "number",
    name: "unserved_departures",
    unit: "",
    decimals: 0,
    direction: "less",
    basis: "EV sessions",
    shows: { headline: 112, terminal: 90, sideEffect: true },
    compute: ({ kindFigures }) => kindFigures.get("unserved_departures") ?? null,
  },
  {
    kind: "number",
    name: "unserved_kwh",
    unit: "kWh",
    decimals: 1,
    direction: "less",
    basis: "EV sessions",
    shows: { headline: null, terminal: 91, sideEffect: true },
    compute: ({ kindFigures }) => kindFigures.get("unserved_kwh") ?? null,
  },
  {
    kind: "number",
    name: "state_of_health_min_pct",
    unit: "%",
    decimals: 2,
    direction: "more",
    basis: "battery ageing",
    shows: { headline: 113, terminal: 92, sideEffect: true },
    compute: ({ kindFigures }) => kindFigures.get("state_of_health_min_pct") ?? null,
  },
  {
    kind: "number",
    name: "lost_capacity_kwh",
    unit: "kWh",
    decimals: 1,
    direction: "less",
    basis: "battery ageing",
    shows: { headline: null, terminal: 93, sideEffect: true },
    compute: ({ kindFigures }) => kindFigures.get("lost_capacity_kwh") ?? null,
  },
] as const satisfies readonly Kpi[];

const memberSites = (sites: readonly SiteRow[]): readonly SiteRow[] => sites.filter(({ vpp }) => vpp !== null);

const batterySites = (sites: readonly SiteRow[]): readonly SiteRow[] =>
  sites.filter(({ throughputKwh }) => throughputKwh !== null);

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}

/** Sums of printed values, in whole thousandths so that they are exact. */
function sumThousandths<T>(items: readonly T[], kwhOf: (item: T) => number): number {
  return sum(items, (item) => Math.round(kwhOf(item) * 1000)) / 1000;
}

const mean = <T>(items: readonly T[], of: (item: T) => number): number | null =>
  items.length === 0 ? null : sum(items, of) / items.length;
