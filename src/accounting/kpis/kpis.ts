import { Series } from "../../series/model/series.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { AwardSpec } from "../../vpp/instructions/instructionSpec.ts";
import type { Kpis } from "../runRecord.ts";
import type { AwardFigures } from "../settlement/awardFigures.ts";
import { requestedKwOf } from "../settlement/awardRows.ts";
import type { SiteRow } from "../siteRow.ts";

/** Every key figure, in print order. */
export const KPI_NAMES = [
  "uncovered_kw_max",
  "fcr_uncovered_kw_max",
  "uncovered_kwh",
  "shortfall_kwh",
  "excess_kwh",
  "requested_kwh",
  "delivered_kwh",
  "delivery_pct",
  "compliance_pct",
  "awards_total",
  "awards_fully_covered",
  "awards_refused",
  "availability_pct",
  "planned_outage_pct",
  "import_kwh",
  "export_kwh",
  "curtailed_kwh",
  "throughput_kwh",
  "equivalent_full_cycles",
  "soc_min_pct",
  "revenue_jpy",
  "penalty_jpy",
  "energy_cost_jpy",
] as const;

/** Sums of a run that no row shows. */
export interface RunTotals {
  /** Cell-side discharge of all batteries and their rated capacity, in kWh. */
  readonly cellDischargeKwh: number;
  readonly ratedCapKwh: number;
  /** `null` without an energy price. */
  readonly energyCostJpy: number | null;
}

/** Key figures from what a run's awards and sites come to. @see docs/model/accounting.md#kpis */
export function computeKpis(
  spec: WorldSpec,
  figures: AwardFigures,
  sites: readonly SiteRow[],
  totals: RunTotals,
): Kpis {
  const met = sumFigures(spec, figures);
  const { requestedKwh, shortfallKwh, assessedMs } = met;
  const members = sites.filter(({ vpp }) => vpp !== null);
  const batteries = sites.filter(({ throughputKwh }) => throughputKwh !== null);
  return new Map<string, number | null>([
    ["uncovered_kw_max", met.uncoveredKwMax],
    ["fcr_uncovered_kw_max", met.fcrUncoveredKwMax],
    ["uncovered_kwh", met.uncoveredKwh],
    ["shortfall_kwh", shortfallKwh],
    ["excess_kwh", met.excessKwh],
    ["requested_kwh", requestedKwh],
    ["delivered_kwh", met.deliveredKwh],
    ["delivery_pct", requestedKwh > 0 ? (100 * (requestedKwh - shortfallKwh)) / requestedKwh : null],
    ["compliance_pct", assessedMs > 0 ? (100 * met.inBandMs) / assessedMs : null],
    ["awards_total", met.count],
    ["awards_fully_covered", met.fullyCovered],
    ["awards_refused", met.refused],
    ["availability_pct", mean(members, ({ availabilityPct }) => availabilityPct)],
    ["planned_outage_pct", mean(members, ({ plannedOutagePct }) => plannedOutagePct)],
    ["import_kwh", sumThousandths(sites, ({ importKwh }) => importKwh)],
    ["export_kwh", sumThousandths(sites, ({ exportKwh }) => exportKwh)],
    ["curtailed_kwh", sumThousandths(sites, ({ curtailedKwh }) => curtailedKwh ?? 0)],
    ["throughput_kwh", sum(batteries, ({ throughputKwh }) => throughputKwh ?? 0)],
    ["equivalent_full_cycles", totals.ratedCapKwh > 0 ? totals.cellDischargeKwh / totals.ratedCapKwh : null],
    ["soc_min_pct", batteries.length > 0 ? Math.min(...batteries.map(({ socMinPct }) => socMinPct ?? 100)) : null],
    ["revenue_jpy", met.revenueJpy],
    ["penalty_jpy", met.penaltyJpy],
    ["energy_cost_jpy", totals.energyCostJpy],
  ]);
}

/**
 * Sums over the awards and instructions that meet the run, in their order. Of awards without a price, which may be tens of
 * thousands, nothing is read but numbers.
 */
function sumFigures({ startMs, endMs }: WorldSpec, figures: AwardFigures) {
  const { columns, origins } = figures;
  const { hasPrice, hasPenalty } = figures.catalogue;
  const met = {
    count: 0,
    fullyCovered: 0,
    refused: 0,
    uncoveredKwMax: 0,
    fcrUncoveredKwMax: 0,
    uncoveredKwh: 0,
    shortfallKwh: 0,
    excessKwh: 0,
    requestedKwh: 0,
    deliveredKwh: 0,
    assessedMs: 0,
    inBandMs: 0,
    revenueJpy: 0,
    penaltyJpy: 0,
  };
  for (let k = 0; k < origins.length; k++) {
    if (!figures.overlaps(k, startMs, endMs)) continue;
    const uncoveredKw = columns.uncoveredKw[k];
    const fcrUncoveredKw = columns.fcrUncoveredKw[k] || 0;
    const refused = figures.isRefused[k] === 1;
    met.count++;
    if (refused) met.refused++;
    // Executed with nothing left over at the start, the width of frequency response included; void ones never were.
    else if (uncoveredKw === 0 && fcrUncoveredKw === 0 && columns.executedMinutes[k] > 0) met.fullyCovered++;
    if (!figures.isFcr(k)) met.uncoveredKwMax = Math.max(met.uncoveredKwMax, Math.abs(uncoveredKw || 0));
    met.fcrUncoveredKwMax = Math.max(met.fcrUncoveredKwMax, fcrUncoveredKw);
    met.uncoveredKwh += columns.uncoveredKwh[k];
    met.shortfallKwh += columns.shortfallKwh[k] || 0;
    met.excessKwh += columns.excessKwh[k];
    met.requestedKwh += columns.requestedKwh[k];
    met.deliveredKwh += columns.deliveredKwh[k];
    met.assessedMs += columns.assessedMs[k];
    met.inBandMs += columns.inBandMs[k];
    if (!hasPrice && !hasPenalty) continue;
    const origin = origins[k];
    if ("atMs" in origin) continue;
    met.revenueJpy += revenueJpy(origin, figures, k);
    met.penaltyJpy += penaltyJpy(origin, figures, k);
  }
  // What is not priced has no sum.
  return { ...met, revenueJpy: hasPrice ? met.revenueJpy : null, penaltyJpy: hasPenalty ? met.penaltyJpy : null };
}

/**
 * Capacity paid by what was covered, energy by what was delivered of what was asked, each kWh at the price of its time;
 * where more was delivered than was asked, all of it at what it brought in the mean.
 */
function revenueJpy(origin: AwardSpec, { columns }: AwardFigures, k: number): number {
  const hours = columns.executedMinutes[k] / 60;
  if (hours === 0) return 0;
  const coveredKw = Math.max(0, Math.abs(requestedKwOf(origin)) - Math.abs(columns.uncoveredKw[k] || 0));
  const { capacityPriceJpyPerKwHour: priceJpyPerKwH, priceJpyPerKwh } = origin;
  const capacity =
    priceJpyPerKwH instanceof Series
      ? columns.capacityJpyPerKw[k] * coveredKw
      : (priceJpyPerKwH ?? 0) * coveredKw * hours;
  const deliveredKwh = columns.deliveredKwh[k];
  const paidKwh = Math.max(0, Math.min(deliveredKwh, columns.requestedKwh[k]));
  if (paidKwh === 0 || priceJpyPerKwh === null) return capacity;
  const perKwh = priceJpyPerKwh instanceof Series ? meanJpyPerKwh(columns, k) : priceJpyPerKwh;
  return capacity + perKwh * paidKwh;
}

/** What a kWh brought: by when how much was delivered, but no price beyond those, as power the wrong way could make it. */
function meanJpyPerKwh(columns: AwardFigures["columns"], k: number): number {
  const jpyPerKwh = columns.deliveredJpy[k] / columns.deliveredKwh[k];
  return Math.max(columns.lowestJpyPerKwh[k], Math.min(columns.highestJpyPerKwh[k], jpyPerKwh));
}

/** Each kWh that was lacked, or refused, at the price of its time inside the run. */
function penaltyJpy({ penaltyJpyPerKwh }: AwardSpec, { columns }: AwardFigures, k: number): number {
  if (penaltyJpyPerKwh instanceof Series) return columns.penaltyJpy[k];
  return (penaltyJpyPerKwh ?? 0) * (columns.shortfallKwh[k] || 0);
}

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
