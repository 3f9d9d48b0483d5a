import { Series } from "../../series/model/series.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { AwardSpec } from "../../vpp/instructions/instructionSpec.ts";
import type { AwardFigures } from "../settlement/awardFigures.ts";
import { requestedKwOf } from "../settlement/awardRows.ts";
import type { AwardSums } from "./kpi.ts";

/**
 * One pass over the awards and instructions that overlap the run, in their order. Of awards without a price, which may be
 * tens of thousands, only numbers are read.
 *
 * @see docs/model/accounting.md#kpis
 */
export function sumAwards({ startMs, endMs }: WorldSpec, figures: AwardFigures): AwardSums {
  const { columns, origins } = figures;
  const { hasPrice, hasPenalty } = figures.catalogue;
  const sums = {
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
    sums.count++;
    if (refused) sums.refused++;
    // Executed with nothing left over at the start, the width of frequency response included; void ones never were.
    else if (uncoveredKw === 0 && fcrUncoveredKw === 0 && columns.executedMinutes[k] > 0) sums.fullyCovered++;
    if (!figures.isFcr(k)) sums.uncoveredKwMax = Math.max(sums.uncoveredKwMax, Math.abs(uncoveredKw || 0));
    sums.fcrUncoveredKwMax = Math.max(sums.fcrUncoveredKwMax, fcrUncoveredKw);
    sums.uncoveredKwh += columns.uncoveredKwh[k];
    sums.shortfallKwh += columns.shortfallKwh[k] || 0;
    sums.excessKwh += columns.excessKwh[k];
    sums.requestedKwh += columns.requestedKwh[k];
    sums.deliveredKwh += columns.deliveredKwh[k];
    sums.assessedMs += columns.assessedMs[k];
    sums.inBandMs += columns.inBandMs[k];
    if (!hasPrice && !hasPenalty) continue;
    const origin = origins[k];
    if ("atMs" in origin) continue;
    sums.revenueJpy += revenueJpy(origin, figures, k);
    sums.penaltyJpy += penaltyJpy(origin, figures, k);
  }
  // What is not priced has no sum.
  return { ...sums, revenueJpy: hasPrice ? sums.revenueJpy : null, penaltyJpy: hasPenalty ? sums.penaltyJpy : null };
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
