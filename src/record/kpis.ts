import { type EpochMs, MS_PER_HOUR } from "../base/time.ts";
import type { WorldSpec } from "../world/worldSpec.ts";
import { type AwardOutcome, meanOver } from "./awardBook.ts";
import type { AwardRow, Kpis, SiteRow } from "./runRecord.ts";

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

/** Key figures from the rows of a run. @see accounting.md §2 */
export function computeKpis(
  spec: WorldSpec,
  outcomes: readonly AwardOutcome[],
  sites: readonly SiteRow[],
  totals: RunTotals,
): Kpis {
  const met = outcomes.filter(({ row }) => row.startMs < spec.endMs && spec.startMs < row.endMs);
  const requestedKwh = sum(met, ({ row }) => Math.abs(row.requestedKwh ?? 0));
  const shortfallKwh = sum(met, ({ row }) => row.shortfallKwh ?? 0);
  const assessedMs = sum(met, (outcome) => outcome.assessedMs);
  const members = sites.filter(({ vpp }) => vpp !== null);
  const batteries = sites.filter(({ throughputKwh }) => throughputKwh !== null);
  return new Map<string, number | null>([
    ["uncovered_kw_max", largest(met, ({ row }) => (row.isFcr ? 0 : Math.abs(row.uncoveredKw ?? 0)))],
    ["fcr_uncovered_kw_max", largest(met, ({ row }) => row.fcr?.uncoveredKw ?? 0)],
    ["uncovered_kwh", sum(met, (outcome) => outcome.uncoveredKwh)],
    ["shortfall_kwh", shortfallKwh],
    ["excess_kwh", sum(met, ({ row }) => row.excessKwh ?? 0)],
    ["requested_kwh", requestedKwh],
    ["delivered_kwh", sum(met, (outcome) => outcome.deliveredAlongKwh)],
    ["delivery_pct", requestedKwh > 0 ? (100 * (requestedKwh - shortfallKwh)) / requestedKwh : null],
    ["compliance_pct", assessedMs > 0 ? (100 * sum(met, (outcome) => outcome.inBandMs)) / assessedMs : null],
    ["awards_total", met.length],
    ["awards_fully_covered", met.filter(({ row }) => isFullyCovered(row)).length],
    ["awards_refused", met.filter(({ row }) => row.state === "refused").length],
    ["availability_pct", mean(members, ({ availabilityPct }) => availabilityPct)],
    ["planned_outage_pct", mean(members, ({ plannedOutagePct }) => plannedOutagePct)],
    ["import_kwh", sumThousandths(sites, ({ importKwh }) => importKwh)],
    ["export_kwh", sumThousandths(sites, ({ exportKwh }) => exportKwh)],
    ["curtailed_kwh", sumThousandths(sites, ({ curtailedKwh }) => curtailedKwh ?? 0)],
    ["throughput_kwh", sum(batteries, ({ throughputKwh }) => throughputKwh ?? 0)],
    ["equivalent_full_cycles", totals.ratedCapKwh > 0 ? totals.cellDischargeKwh / totals.ratedCapKwh : null],
    ["soc_min_pct", batteries.length > 0 ? Math.min(...batteries.map(({ socMinPct }) => socMinPct ?? 100)) : null],
    ["revenue_jpy", priced(spec) ? sum(met, revenueJpy) : null],
    ["penalty_jpy", penalised(spec) ? sum(met, (outcome) => penaltyJpy(outcome, spec.endMs)) : null],
    ["energy_cost_jpy", totals.energyCostJpy],
  ]);
}

/** Executed with nothing left over at the start, the width of frequency response included. */
const isFullyCovered = ({ state, uncoveredKw, fcr }: AwardRow): boolean =>
  state !== "refused" && uncoveredKw === 0 && (fcr?.uncoveredKw ?? 0) === 0;

const priced = ({ awards }: WorldSpec) =>
  awards.some((award) => award.priceJpyPerKwH !== null || award.priceJpyPerKwh !== null);
const penalised = ({ awards }: WorldSpec) => awards.some((award) => award.penaltyJpyPerKwh !== null);

/** Capacity paid by what was covered, energy by what was delivered of what was asked. */
function revenueJpy({ row, origin, deliveredAlongKwh }: AwardOutcome): number {
  if ("atMs" in origin || row.executedMinutes === 0) return 0;
  const untilMs = row.startMs + row.executedMinutes * 60_000;
  const hours = (untilMs - row.startMs) / MS_PER_HOUR;
  const coveredKw = Math.max(0, Math.abs(row.requestedKw) - Math.abs(row.uncoveredKw ?? 0));
  const capacity = meanOver(origin.priceJpyPerKwH, row.startMs, untilMs) * coveredKw * hours;
  const paidKwh = Math.max(0, Math.min(deliveredAlongKwh, Math.abs(row.requestedKwh ?? 0)));
  return capacity + meanOver(origin.priceJpyPerKwh, row.startMs, untilMs) * paidKwh;
}

/** At the mean price of the part inside the run: what lies beyond has no price and no shortfall. */
function penaltyJpy({ row, origin }: AwardOutcome, endMs: EpochMs): number {
  if ("atMs" in origin || row.shortfallKwh === null) return 0;
  return meanOver(origin.penaltyJpyPerKwh, row.startMs, Math.min(row.endMs, endMs)) * row.shortfallKwh;
}

/** At least 0; a year has more awards than a call takes arguments. */
function largest<T>(items: readonly T[], of: (item: T) => number): number {
  let most = 0;
  for (const item of items) most = Math.max(most, of(item));
  return most;
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
