// The key figures. A new one takes one entry here (docs/model/accounting.md#kpis).
import { assert } from "../../base/assert.ts";
import type { SiteRow } from "../siteRow.ts";
import type { Kpi } from "./kpi.ts";

/** In the order of summary.json and of every table. */
export const KPI_REGISTRY = [
  {
    name: "uncovered_kw_max",
    unit: "kW",
    label: "Largest uncovered power",
    meaning: "Largest part of a request that no member could take when the award started.",
    decimals: 1,
    direction: "less",
    basis: "delta awards",
    shows: { headline: 60, terminal: 60, sideEffect: true },
    compute: ({ awards }) => awards.uncoveredKwMax,
  },
  {
    name: "fcr_uncovered_kw_max",
    unit: "kW",
    label: "Largest uncovered FCR capacity",
    meaning: "Largest part of an FCR capacity that no member could take when the award started.",
    decimals: 1,
    direction: "less",
    basis: "FCR awards",
    shows: { headline: 70, terminal: 70, sideEffect: true },
    compute: ({ awards }) => awards.fcrUncoveredKwMax,
  },
  {
    name: "uncovered_kwh",
    unit: "kWh",
    label: "Uncovered energy",
    meaning: "Requested energy that was allocated to no member.",
    decimals: 1,
    direction: "less",
    basis: "delta awards",
    shows: { headline: null, terminal: null, sideEffect: true },
    compute: ({ awards }) => awards.uncoveredKwh,
  },
  {
    name: "shortfall_kwh",
    unit: "kWh",
    label: "Shortfall",
    meaning: "Requested energy that was not delivered.",
    decimals: 1,
    direction: "less",
    basis: "requested energy",
    shows: { headline: 40, terminal: 30, sideEffect: true },
    compute: ({ awards }) => awards.shortfallKwh,
  },
  {
    name: "excess_kwh",
    unit: "kWh",
    label: "Over-delivery",
    meaning: "Energy delivered beyond the request.",
    decimals: 1,
    direction: "less",
    basis: "requested energy",
    shows: { headline: null, terminal: 40, sideEffect: true },
    compute: ({ awards }) => awards.excessKwh,
  },
  {
    name: "requested_kwh",
    unit: "kWh",
    label: "Requested",
    meaning: "Energy requested from the VPPs: kW times executed hours; both directions count as positive.",
    decimals: 1,
    direction: "neutral",
    basis: "requested energy",
    shows: { headline: 20, terminal: 10, sideEffect: false },
    compute: ({ awards }) => awards.requestedKwh,
  },
  {
    name: "delivered_kwh",
    unit: "kWh",
    label: "Delivered",
    meaning: "Energy delivered in the requested direction.",
    decimals: 1,
    direction: "more",
    basis: "requested energy",
    shows: { headline: 30, terminal: 20, sideEffect: false },
    compute: ({ awards }) => awards.deliveredKwh,
  },
  {
    name: "delivery_pct",
    unit: "%",
    label: "Delivery",
    meaning: "Delivered share of the requested energy.",
    decimals: 1,
    direction: "more",
    basis: "requested energy",
    shows: { headline: 10, terminal: 50, sideEffect: false },
    compute: ({ awards: { requestedKwh, shortfallKwh } }) =>
      requestedKwh > 0 ? (100 * (requestedKwh - shortfallKwh)) / requestedKwh : null,
  },
  {
    name: "compliance_pct",
    unit: "%",
    label: "Compliance",
    meaning: "Share of assessed time within ±10 % of the request.",
    decimals: 1,
    direction: "more",
    basis: "delta awards",
    shows: { headline: 80, terminal: null, sideEffect: true },
    compute: ({ awards: { assessedMs, inBandMs } }) => (assessedMs > 0 ? (100 * inBandMs) / assessedMs : null),
  },
  {
    name: "awards_total",
    unit: "",
    label: "Awards",
    meaning: "Awards and instructions within the run.",
    decimals: 0,
    direction: "neutral",
    basis: "awards",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ awards }) => awards.count,
  },
  {
    name: "awards_fully_covered",
    unit: "",
    label: "Fully allocated",
    meaning: "Awards whose full power was allocated at dispatch.",
    decimals: 0,
    direction: "more",
    basis: "awards",
    shows: { headline: 50, terminal: null, sideEffect: true },
    compute: ({ awards }) => awards.fullyCovered,
  },
  {
    name: "awards_refused",
    unit: "",
    label: "Refused",
    meaning: "Awards refused by a rule.",
    decimals: 0,
    direction: "less",
    basis: "awards",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ awards }) => awards.refused,
  },
  {
    name: "availability_pct",
    unit: "%",
    label: "Availability",
    meaning: "Mean share of time in service of the member sites, excluding planned maintenance.",
    // With one decimal a week with an hour's outage would read 100 %.
    decimals: 2,
    direction: "more",
    basis: "sites",
    shows: { headline: 90, terminal: 80, sideEffect: false },
    compute: ({ sites }) => mean(memberSites(sites), ({ availabilityPct }) => availabilityPct),
  },
  {
    name: "planned_outage_pct",
    unit: "%",
    label: "Planned maintenance",
    meaning: "Mean share of time in planned maintenance.",
    decimals: 1,
    direction: "neutral",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ sites }) => mean(memberSites(sites), ({ plannedOutagePct }) => plannedOutagePct),
  },
  {
    name: "import_kwh",
    unit: "kWh",
    label: "Import",
    meaning: "Energy that the sites imported from the grid.",
    decimals: 1,
    direction: "neutral",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ sites }) => sumThousandths(sites, ({ importKwh }) => importKwh),
  },
  {
    name: "export_kwh",
    unit: "kWh",
    label: "Export",
    meaning: "Energy that the sites exported to the grid.",
    decimals: 1,
    direction: "neutral",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ sites }) => sumThousandths(sites, ({ exportKwh }) => exportKwh),
  },
  {
    name: "curtailed_kwh",
    unit: "kWh",
    label: "Curtailed",
    meaning: "Available generation lost to output control and set-points.",
    decimals: 1,
    direction: "less",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: true },
    compute: ({ sites }) => sumThousandths(sites, ({ curtailedKwh }) => curtailedKwh ?? 0),
  },
  {
    name: "throughput_kwh",
    unit: "kWh",
    label: "Battery throughput",
    meaning: "Energy into and out of the batteries at the AC side.",
    decimals: 1,
    direction: "less",
    basis: "sites",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ sites }) => sum(batterySites(sites), ({ throughputKwh }) => throughputKwh ?? 0),
  },
  {
    name: "equivalent_full_cycles",
    unit: "",
    label: "Full cycles",
    meaning: "Energy taken out of the battery cells, divided by their rated capacity.",
    decimals: 2,
    direction: "less",
    basis: "sites",
    shows: { headline: 110, terminal: null, sideEffect: true },
    compute: ({ totals: { ratedCapKwh, cellDischargeKwh } }) =>
      ratedCapKwh > 0 ? cellDischargeKwh / ratedCapKwh : null,
  },
  {
    name: "soc_min_pct",
    unit: "%",
    label: "Lowest state of charge",
    meaning: "Lowest state of charge of any battery.",
    decimals: 1,
    direction: "more",
    basis: "sites",
    shows: { headline: 100, terminal: null, sideEffect: false },
    compute: ({ sites }) => {
      const batteries = batterySites(sites);
      return batteries.length > 0 ? Math.min(...batteries.map(({ socMinPct }) => socMinPct ?? 100)) : null;
    },
  },
  {
    name: "revenue_jpy",
    unit: "JPY",
    label: "Revenue",
    meaning: "Payment for capacity and delivered energy.",
    decimals: 0,
    direction: "more",
    basis: "prices",
    shows: { headline: 120, terminal: null, sideEffect: true },
    compute: ({ awards }) => awards.revenueJpy,
  },
  {
    name: "penalty_jpy",
    unit: "JPY",
    label: "Penalty",
    meaning: "Charge for shortfall.",
    decimals: 0,
    direction: "less",
    basis: "prices",
    shows: { headline: 130, terminal: null, sideEffect: true },
    compute: ({ awards }) => awards.penaltyJpy,
  },
  {
    name: "energy_cost_jpy",
    unit: "JPY",
    label: "Energy cost",
    meaning: "Import minus export at the market price of energy.",
    decimals: 0,
    direction: "less",
    basis: "prices",
    shows: { headline: null, terminal: null, sideEffect: true },
    compute: ({ totals }) => totals.energyCostJpy,
  },
] as const satisfies readonly Kpi[];

export type KpiName = (typeof KPI_REGISTRY)[number]["name"];

/** The key figures of a run, every one of them, in the order of the registry. `null`: nothing to judge by. */
export type Kpis = ReadonlyMap<KpiName, number | null>;

export const KPI_NAMES: readonly KpiName[] = KPI_REGISTRY.map(({ name }) => name);

const KPI_BY_NAME: ReadonlyMap<string, Kpi> = new Map(KPI_REGISTRY.map((kpi) => [kpi.name, kpi]));

export const isKpiName = (name: string): name is KpiName => KPI_BY_NAME.has(name);

export function kpiOf(name: KpiName): Kpi {
  const kpi = KPI_BY_NAME.get(name);
  assert(kpi !== undefined, () => `the registry of key figures has ${name}`);
  return kpi;
}

export function kpiValue(kpis: Kpis, name: KpiName): number | null {
  const value = kpis.get(name);
  assert(value !== undefined, () => `a run has the key figure ${name}`);
  return value;
}

/** The figures that one place shows, in the order of their ranks there. */
export function kpisShownIn(place: "headline" | "terminal"): readonly KpiName[] {
  const ranked = KPI_REGISTRY.flatMap(({ name, shows: { [place]: rank } }) => (rank === null ? [] : [{ name, rank }]));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ name }) => name);
}

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
