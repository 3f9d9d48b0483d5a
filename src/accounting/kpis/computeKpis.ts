import { sumOf } from "../../base/lists.ts";
import { roundTo } from "../../base/rounding.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { FIGURE } from "../settlement/awardAccount.ts";
import { type AwardFigures, FIGURE_COUNT, figuresOf, requestedKwOf } from "../settlement/awardFigures.ts";
import type { AwardSums, KpiContext, Ledger } from "./kpi.ts";
import { createKpis, type Kpis, kpiOf } from "./kpiRegistry.ts";

/**
 * Every key figure of a run, in the order of the registry. @see docs/model/accounting.md#kpis
 *
 * @param netImportJpy  all sites' imports less exports at the market price; `null` without one
 */
export function computeKpis(
  spec: WorldSpec,
  figures: AwardFigures,
  others: Omit<KpiContext, "awards" | "ledger">,
  netImportJpy: number | null,
): Kpis {
  const ledger = closeLedger(spec, figures, netImportJpy);
  const context: KpiContext = { ...others, ledger, awards: sumAwards(spec, figures) };
  return createKpis((name) => kpiOf(name).compute(context));
}

/** One pass over the awards and instructions that overlap the run, in their order. @see docs/model/accounting.md#kpis */
function sumAwards({ startMs, endMs }: WorldSpec, figures: AwardFigures): AwardSums {
  const { values, origins } = figures;
  const totals = new Float64Array(FIGURE_COUNT);
  const counts = { count: 0, fullyCovered: 0, met: 0, uncoveredKwMax: 0, fcrUncoveredKwMax: 0 };
  let peakAt = -1;
  for (let k = 0; k < origins.length; k++) {
    if (!figures.overlaps(k, startMs, endMs)) continue;
    const at = k * FIGURE_COUNT;
    const uncoveredKw = values[at + FIGURE.uncoveredKw];
    const fcrUncoveredKw = values[at + FIGURE.fcrUncoveredKw] || 0;
    const isRefused = values[at + FIGURE.isRefused] === 1;
    counts.count++;
    // Executed with nothing left over at the start, the width of frequency response included; void ones never were.
    if (!isRefused && uncoveredKw === 0 && fcrUncoveredKw === 0 && values[at + FIGURE.executedMinutes] > 0)
      counts.fullyCovered++;
    if (!isRefused && isMet(values, at)) counts.met++;
    if (!figures.isFcr(k)) {
      counts.uncoveredKwMax = Math.max(counts.uncoveredKwMax, Math.abs(uncoveredKw || 0));
      if (isLargerPeak(values, at, peakAt)) peakAt = at;
    }
    counts.fcrUncoveredKwMax = Math.max(counts.fcrUncoveredKwMax, fcrUncoveredKw);
    for (let f = 0; f < FIGURE_COUNT; f++) totals[f] += values[at + f] || 0;
  }
  const uncoveredPeak =
    peakAt < 0
      ? null
      : {
          kw: Math.abs(values[peakAt + FIGURE.uncoveredKwPeak]),
          atMs: values[peakAt + FIGURE.uncoveredPeakMs],
          awardId: origins[peakAt / FIGURE_COUNT].awardId,
        };
  return { ...figuresOf(totals), ...counts, uncoveredPeak };
}

/** Whether the share of assessed time in band prints as 100.000 %. FCR awards and unassessed ones have none. */
function isMet(values: Float64Array, at: number): boolean {
  const assessedMs = values[at + FIGURE.assessedMs];
  return assessedMs > 0 && roundTo((100 * values[at + FIGURE.inBandMs]) / assessedMs, 3) === 100;
}

/** Whether an award has a larger peak than the largest one so far, or the same one earlier. */
function isLargerPeak(values: Float64Array, at: number, largestAt: number): boolean {
  const kw = Math.abs(values[at + FIGURE.uncoveredKwPeak]);
  if (kw === 0) return false;
  if (largestAt < 0) return true;
  const largestKw = Math.abs(values[largestAt + FIGURE.uncoveredKwPeak]);
  const isEarlier = values[at + FIGURE.uncoveredPeakMs] < values[largestAt + FIGURE.uncoveredPeakMs];
  return kw > largestKw || (kw === largestKw && isEarlier);
}

/**
 * Sums the awards' money and closes the account. Sums are sums of printed lines (docs/model/money.md#ledger).
 *
 * @param netImportJpy  all sites' imports less exports at the market price; `null` without one
 */
function closeLedger(spec: WorldSpec, figures: AwardFigures, netImportJpy: number | null): Ledger {
  const { hasCapacityPrice, hasEnergyPrice, hasPenalty } = figures.catalogue;
  const awards =
    hasCapacityPrice || hasEnergyPrice || hasPenalty
      ? sumMoney(spec, figures)
      : { capacityJpy: 0, awardEnergyJpy: 0, awardMarketJpy: 0, penaltyJpy: 0 };
  const capacityJpy = hasCapacityPrice ? printed(awards.capacityJpy) : null;
  const awardEnergyJpy = hasEnergyPrice ? printed(awards.awardEnergyJpy) : null;
  const penaltyJpy = hasPenalty ? printed(awards.penaltyJpy) : null;
  const energyCostJpy = netImportJpy === null ? null : printed(netImportJpy - awards.awardMarketJpy);
  return {
    capacityJpy,
    awardEnergyJpy,
    revenueJpy: sumLines([capacityJpy, awardEnergyJpy], []),
    penaltyJpy,
    energyCostJpy,
    profitJpy: sumLines([capacityJpy, awardEnergyJpy], [penaltyJpy, energyCostJpy]),
  };
}

function sumMoney({ awards, startMs, endMs }: WorldSpec, figures: AwardFigures) {
  const { values } = figures;
  const sums = { capacityJpy: 0, awardEnergyJpy: 0, awardMarketJpy: 0, penaltyJpy: 0 };
  for (let k = 0; k < awards.length; k++) {
    if (!figures.overlaps(k, startMs, endMs)) continue;
    const at = k * FIGURE_COUNT;
    const requestedKw = requestedKwOf(awards[k]);
    const direction = Math.sign(requestedKw);
    const reservedKw = Math.max(0, Math.abs(requestedKw) - Math.abs(values[at + FIGURE.uncoveredKw] || 0));
    sums.capacityJpy += values[at + FIGURE.capacityJpyPerKw] * reservedKw;
    // Import is positive: an award of import pays for its energy, one of export earns.
    sums.awardEnergyJpy -= direction * values[at + FIGURE.creditedJpy];
    sums.awardMarketJpy += direction * values[at + FIGURE.creditedMarketJpy];
    sums.penaltyJpy += values[at + FIGURE.penaltyJpy];
  }
  return sums;
}

const DECIMALS = 3;
const printed = (jpy: number): number => roundTo(jpy, DECIMALS);

/** The first lines less the second ones, exact in their last decimal; `null` if all are. */
function sumLines(added: readonly (number | null)[], subtracted: readonly (number | null)[]): number | null {
  const signed = [...added, ...subtracted.map((line) => (line === null ? null : -line))];
  const lines = signed.filter((line) => line !== null);
  const scale = 10 ** DECIMALS;
  return lines.length === 0 ? null : sumOf(lines, (line) => Math.round(line * scale)) / scale || 0;
}
