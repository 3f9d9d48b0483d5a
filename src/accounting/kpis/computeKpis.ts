import { roundTo } from "../../base/rounding.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { FIGURE } from "../settlement/awardAccount.ts";
import { type AwardFigures, FIGURE_COUNT, figuresOf } from "../settlement/awardFigures.ts";
import { hoursOf, type InvestmentFigures, investmentFigures } from "./investment.ts";
import type { AwardSums, KpiContext } from "./kpi.ts";
import { createKpis, type Kpis, kpiOf } from "./kpiRegistry.ts";

/** Every key figure of a run, in the order of the registry. @see docs/model/accounting.md#kpis */
export function computeKpis(
  spec: WorldSpec,
  figures: AwardFigures,
  others: Omit<KpiContext, "awards" | "invested">,
): Kpis {
  const context: KpiContext = { ...others, invested: investedIn(spec, others), awards: sumAwards(spec, figures) };
  return createKpis((name) => kpiOf(name).compute(context));
}

function investedIn(
  spec: WorldSpec,
  { totals, ledger, kindFigures }: Pick<KpiContext, "totals" | "ledger" | "kindFigures">,
): InvestmentFigures | null {
  if (spec.investment === undefined) return null;
  return investmentFigures(spec.investment, {
    hours: hoursOf(spec),
    ratedKwh: totals.ratedCapKwh,
    ratedKw: totals.ratedKw,
    marginAmount: ledger.aggregatorMarginJpy,
    lostKwh: kindFigures.get("lost_capacity_kwh") ?? null,
  });
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
