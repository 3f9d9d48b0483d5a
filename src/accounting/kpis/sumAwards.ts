import { roundTo } from "../../base/rounding.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { AwardFigures } from "../settlement/awardFigures.ts";
import type { AwardSums } from "./kpi.ts";

/** One pass over the awards and instructions that overlap the run, in their order. @see docs/model/accounting.md#kpis */
export function sumAwards({ startMs, endMs }: WorldSpec, figures: AwardFigures): AwardSums {
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
