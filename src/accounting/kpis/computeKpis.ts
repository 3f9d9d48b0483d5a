import { roundTo } from "../../base/rounding.ts";
import { sumOf } from "../../base/sums.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { AwardFigures } from "../settlement/awardFigures.ts";
import { requestedKwOf } from "../settlement/awardRows.ts";
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
  const { columns, origins } = figures;
  const sums = {
    count: 0,
    fullyCovered: 0,
    refused: 0,
    met: 0,
    uncoveredKwMax: 0,
    fcrUncoveredKwMax: 0,
    uncoveredKwh: 0,
    shortfallKwh: 0,
    excessKwh: 0,
    requestedKwh: 0,
    deliveredKwh: 0,
    assessedMs: 0,
    inBandMs: 0,
  };
  let peakIndex = -1;
  for (let k = 0; k < origins.length; k++) {
    if (!figures.overlaps(k, startMs, endMs)) continue;
    const uncoveredKw = columns.uncoveredKw[k];
    const fcrUncoveredKw = columns.fcrUncoveredKw[k] || 0;
    const refused = figures.isRefused[k] === 1;
    sums.count++;
    if (refused) sums.refused++;
    // Executed with nothing left over at the start, the width of frequency response included; void ones never were.
    else if (uncoveredKw === 0 && fcrUncoveredKw === 0 && columns.executedMinutes[k] > 0) sums.fullyCovered++;
    if (!refused && isMet(columns, k)) sums.met++;
    if (!figures.isFcr(k)) {
      sums.uncoveredKwMax = Math.max(sums.uncoveredKwMax, Math.abs(uncoveredKw || 0));
      if (isLargerPeak(columns, k, peakIndex)) peakIndex = k;
    }
    sums.fcrUncoveredKwMax = Math.max(sums.fcrUncoveredKwMax, fcrUncoveredKw);
    sums.uncoveredKwh += columns.uncoveredKwh[k];
    sums.shortfallKwh += columns.shortfallKwh[k] || 0;
    sums.excessKwh += columns.excessKwh[k];
    sums.requestedKwh += columns.requestedKwh[k];
    sums.deliveredKwh += columns.deliveredKwh[k];
    sums.assessedMs += columns.assessedMs[k];
    sums.inBandMs += columns.inBandMs[k];
  }
  const uncoveredPeak =
    peakIndex < 0
      ? null
      : {
          kw: Math.abs(columns.uncoveredKwPeak[peakIndex]),
          atMs: columns.uncoveredPeakMs[peakIndex],
          awardId: origins[peakIndex].awardId,
        };
  return { ...sums, uncoveredPeak };
}

/** Whether the share of assessed time in band prints as 100.000 %. FCR awards and unassessed ones have none. */
const isMet = ({ assessedMs, inBandMs }: AwardFigures["columns"], k: number): boolean =>
  assessedMs[k] > 0 && roundTo((100 * inBandMs[k]) / assessedMs[k], 3) === 100;

/** Whether an award has a larger peak than the largest one so far, or the same one earlier. */
function isLargerPeak(
  { uncoveredKwPeak, uncoveredPeakMs }: AwardFigures["columns"],
  k: number,
  largest: number,
): boolean {
  const kw = Math.abs(uncoveredKwPeak[k]);
  if (kw === 0) return false;
  const largestKw = largest < 0 ? 0 : Math.abs(uncoveredKwPeak[largest]);
  return kw > largestKw || (kw === largestKw && uncoveredPeakMs[k] < uncoveredPeakMs[largest]);
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
  const { columns } = figures;
  const sums = { capacityJpy: 0, awardEnergyJpy: 0, awardMarketJpy: 0, penaltyJpy: 0 };
  for (let k = 0; k < awards.length; k++) {
    if (!figures.overlaps(k, startMs, endMs)) continue;
    const requestedKw = requestedKwOf(awards[k]);
    const direction = Math.sign(requestedKw);
    const heldKw = Math.max(0, Math.abs(requestedKw) - Math.abs(columns.uncoveredKw[k] || 0));
    sums.capacityJpy += columns.capacityJpyPerKw[k] * heldKw;
    // Import is positive: an award of import pays for its energy, one of export earns.
    sums.awardEnergyJpy -= direction * columns.creditedJpy[k];
    sums.awardMarketJpy += direction * columns.creditedMarketJpy[k];
    sums.penaltyJpy += columns.penaltyJpy[k];
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
