import { kpiOf, type NumericKpiName } from "../../accounting/kpis/kpiRegistry.ts";
import { assert } from "../../base/assert.ts";
import type { ScoredCandidate } from "./scoreCandidate.ts";

/**
 * Indices of the feasible candidates that no other one dominates. Sorted by the first KPI, best first; of equal
 * candidates the first one.
 */
export function paretoFront(
  candidates: readonly ScoredCandidate[],
  [first, second]: readonly [NumericKpiName, NumericKpiName],
): number[] {
  const cost = (scored: ScoredCandidate, kpi: NumericKpiName): number => {
    const { direction } = kpiOf(kpi);
    assert(direction !== "neutral", () => `a study reads no Pareto front of ${kpi}, which has no better direction`);
    const mean = scored.kpis.get(kpi)?.mean ?? Number.POSITIVE_INFINITY;
    return direction === "more" ? -mean : mean;
  };
  const points = candidates
    .map((scored, place) => ({ place, scored, x: cost(scored, first), y: cost(scored, second) }))
    .filter(({ scored, x, y }) => scored.isFeasible && x < Number.POSITIVE_INFINITY && y < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.x - b.x || a.y - b.y || a.place - b.place);
  const front: number[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  for (const { place, y } of points)
    if (y < lowest) {
      front.push(place);
      lowest = y;
    }
  return front;
}
