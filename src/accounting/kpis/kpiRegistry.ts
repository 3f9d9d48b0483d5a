// The key figures. A new one takes one entry in the list of its basis (docs/model/accounting.md#kpis).
import { assert } from "../../base/assert.ts";
import { AWARD_KPIS } from "./awardKpis.ts";
import { INVESTMENT_KPIS } from "./investmentKpis.ts";
import type { Kpi, KpiValue, NumericKpi } from "./kpi.ts";
import { PRICE_KPIS } from "./priceKpis.ts";
import { SETTLED_KPIS } from "./settledKpis.ts";
import { SITE_KPIS } from "./siteKpis.ts";

/** In the order of summary.json and of every table. */
export const KPI_REGISTRY = [
  ...AWARD_KPIS,
  ...SITE_KPIS,
  ...PRICE_KPIS,
  ...SETTLED_KPIS,
  ...INVESTMENT_KPIS,
] as const satisfies readonly Kpi[];

type RegisteredKpi = (typeof KPI_REGISTRY)[number];
export type KpiName = RegisteredKpi["name"];
/** The figures that are numbers, which studies may use. */
export type NumericKpiName = Extract<RegisteredKpi, { kind: "number" }>["name"];

/**
 * The key figures of a run in the order of the registry; those of a settlement, an investment and of ageing only where there is one. `null`: nothing to
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

/** Key figures with a value for every name, without those of a settlement, an investment or of ageing that are null. The values of numeric figures must be numbers or `null`. */
export const createKpis = (of: (name: KpiName) => KpiValue): Kpis =>
  // A map has one type of values; that numeric figures are numbers follows from the registry's types of `compute`.
  new Map(
    KPI_NAMES.map((name) => [name, of(name)] as const).filter(([name, value]) => value !== null || !isOptional(name)),
  ) as unknown as Kpis;

/** Whether runs without a settlement, an investment or ageing leave the figure out. */
function isOptional(name: KpiName): boolean {
  const basis = KPI_BY_NAME.get(name)?.basis;
  return basis === "settlement" || basis === "battery ageing" || basis === "investment";
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
