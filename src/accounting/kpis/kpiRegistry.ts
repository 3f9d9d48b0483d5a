// The key figures. A new one takes one entry here (docs/model/accounting.md#kpis).
import { assert } from "../../base/assert.ts";
import type { SiteRow } from "../siteRow.ts";
import type { Kpi, KpiValue, NumericKpi } from "./kpi.ts";
import { SETTLED_KPIS } from "./settledKpis.ts";

/** In the order of summary.json and of every table. */
export const KPI_REGISTRY = [
  {
    kind: "number",
    name: "uncovered_kw_max",
    unit: "kW",
    label: "Largest uncovered power at dispatch",
    meaning: "Largest part of a request that no member could take when the award started.",
    decimals: 1,
    direction: "less",
    basis: "delta awards",
    shows: { headline: null, terminal: null, sideEffect: true },
    compute: ({ awards }) => awards.uncoveredKwMax,
  },
  {
    kind: "number",
    name: "uncovered_kw_peak",
    unit: "kW",
    label: "Largest uncovered power",
    meaning: "Largest part of a request that was allocated to no member at any instant, re-dispatches included.",
    decimals: 1,
    direction: "less",
    basis: "delta awards",
    shows: { headline: 60, terminal: 60, sideEffect: true },
    compute: ({ awards }) => awards.uncoveredPeak?.kw ?? 0,
  },
  {
    kind: "instant",
    name: "uncovered_kw_peak_at",
    label: "Time of the largest uncovered power",
    meaning: "First instant at which the uncovered power was largest.",
    basis: "delta awards",
    compute: ({ awards }) => awards.uncoveredPeak?.atMs ?? null,
  },
  {
    kind: "name",
    name: "uncovered_kw_peak_award",
    label: "Award of the largest uncovered power",
    meaning: "Award whose uncovered power was largest.",
    basis: "delta awards",
    compute: ({ awards }) => awards.uncoveredPeak?.awardId ?? null,
  },
  {
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
    name: "awards_fully_covered",
    unit: "",
    label: "Fully allocated at dispatch",
    meaning: "Awards whose full power was allocated when they started.",
    decimals: 0,
    direction: "more",
    basis: "awards",
    shows: { headline: 50, terminal: null, sideEffect: true },
    compute: ({ awards }) => awards.fullyCovered,
  },
  {
    kind: "number",
    name: "awards_met",
    unit: "",
    label: "Delivered in band",
    meaning: "Awards that were within ±10 % of the request for all of their assessed time.",
    decimals: 0,
    direction: "more",
    basis: "delta awards",
    shows: { headline: 45, terminal: null, sideEffect: true },
    compute: ({ awards }) => awards.met,
  },
  {
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
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
    kind: "number",
    name: "unserved_departures",
    unit: "",
    label: "Unserved departures",
    meaning: "Cars that departed with less energy than wanted.",
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
    label: "Unserved energy",
    meaning: "Energy missing from the wanted energy of cars when they departed.",
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
    label: "Lowest state of health",
    meaning: "Lowest remaining capacity of a battery with ageing at the end of the run, in % of its rated capacity.",
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
    label: "Lost capacity",
    meaning: "Rated capacity less remaining capacity of all batteries with ageing at the end of the run.",
    decimals: 1,
    direction: "less",
    basis: "battery ageing",
    shows: { headline: null, terminal: 93, sideEffect: true },
    compute: ({ kindFigures }) => kindFigures.get("lost_capacity_kwh") ?? null,
  },
  {
    kind: "number",
    name: "capacity_jpy",
    unit: "JPY",
    label: "Capacity payment",
    meaning: "Payment for the power that the awards held.",
    decimals: 0,
    direction: "more",
    basis: "prices",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ ledger }) => ledger.capacityJpy,
  },
  {
    kind: "number",
    name: "award_energy_jpy",
    unit: "JPY",
    label: "Award energy",
    meaning: "Energy that awards price: delivered export earns, delivered import costs.",
    decimals: 0,
    direction: "more",
    basis: "prices",
    shows: { headline: null, terminal: null, sideEffect: false },
    compute: ({ ledger }) => ledger.awardEnergyJpy,
  },
  {
    kind: "number",
    name: "revenue_jpy",
    unit: "JPY",
    label: "Revenue",
    meaning: "Capacity payment plus award energy.",
    decimals: 0,
    direction: "more",
    basis: "prices",
    shows: { headline: 120, terminal: null, sideEffect: true },
    compute: ({ ledger }) => ledger.revenueJpy,
  },
  {
    kind: "number",
    name: "penalty_jpy",
    unit: "JPY",
    label: "Penalty",
    meaning: "Charge for shortfall.",
    decimals: 0,
    direction: "less",
    basis: "prices",
    shows: { headline: 130, terminal: null, sideEffect: true },
    compute: ({ ledger }) => ledger.penaltyJpy,
  },
  {
    kind: "number",
    name: "energy_cost_jpy",
    unit: "JPY",
    label: "Energy cost",
    meaning: "Import less export at the market price, for the energy that no award prices.",
    decimals: 0,
    direction: "less",
    basis: "prices",
    shows: { headline: 140, terminal: null, sideEffect: true },
    compute: ({ ledger }) => ledger.energyCostJpy,
  },
  {
    kind: "number",
    name: "profit_jpy",
    unit: "JPY",
    label: "Profit",
    meaning: "Revenue less penalty and energy cost.",
    decimals: 0,
    direction: "more",
    basis: "prices",
    shows: { headline: 115, terminal: 85, sideEffect: true },
    compute: ({ ledger }) => ledger.profitJpy,
  },
  ...SETTLED_KPIS,
] as const satisfies readonly Kpi[];

type RegisteredKpi = (typeof KPI_REGISTRY)[number];
export type KpiName = RegisteredKpi["name"];
/** The figures that are numbers, which studies may use. */
export type NumericKpiName = Extract<RegisteredKpi, { kind: "number" }>["name"];

/**
 * The key figures of a run in the order of the registry; those of a settlement and of ageing only where there is one. `null`: nothing to
 * judge by.
 */
export interface Kpis extends ReadonlyMap<KpiName, KpiValue> {
  get(name: NumericKpiName): number | null | undefined;
  get(name: KpiName): KpiValue | undefined;
}

export const KPI_NAMES: readonly KpiName[] = KPI_REGISTRY.map(({ name }) => name);

const NUMERIC_KPIS = KPI_REGISTRY.filter((kpi) => kpi.kind === "number");
export const NUMERIC_KPI_NAMES: readonly NumericKpiName[] = NUMERIC_KPIS.map(({ name }) => name);

const KPI_BY_NAME: ReadonlyMap<string, Kpi> = new Map(KPI_REGISTRY.map((kpi) => [kpi.name, kpi]));

export const isKpiName = (name: string): name is KpiName => KPI_BY_NAME.has(name);

export const isNumericKpiName = (name: string): name is NumericKpiName => KPI_BY_NAME.get(name)?.kind === "number";

/** Key figures with a value for every name, without those of a settlement or of ageing that are null. The values of numeric figures must be numbers or `null`. */
export const createKpis = (of: (name: KpiName) => KpiValue): Kpis =>
  // A map has one type of values; that numeric figures are numbers follows from the registry's types of `compute`.
  new Map(
    KPI_NAMES.map((name) => [name, of(name)] as const).filter(([name, value]) => value !== null || !isOptional(name)),
  ) as unknown as Kpis;

/** Whether runs without a settlement, or without ageing, leave the figure out. */
function isOptional(name: KpiName): boolean {
  const basis = KPI_BY_NAME.get(name)?.basis;
  return basis === "settlement" || basis === "battery ageing";
}

export function kpiOf(name: NumericKpiName): NumericKpi;
export function kpiOf(name: KpiName): Kpi;
export function kpiOf(name: KpiName): Kpi {
  const kpi = KPI_BY_NAME.get(name);
  assert(kpi !== undefined, () => `the registry of key figures has ${name}`);
  return kpi;
}

export function kpiValue(kpis: Kpis, name: NumericKpiName): number | null {
  const value = kpis.get(name);
  if (value === undefined && isOptional(name)) return null;
  assert(value !== undefined, () => `a run has the key figure ${name}`);
  return value;
}

/** The figures that one place shows, in the order of their ranks there. */
export function kpisShownIn(place: "headline" | "terminal"): readonly NumericKpiName[] {
  const ranked = NUMERIC_KPIS.flatMap(({ name, shows: { [place]: rank } }) => (rank === null ? [] : [{ name, rank }]));
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
