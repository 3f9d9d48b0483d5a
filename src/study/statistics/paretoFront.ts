import type { KPI_NAMES } from "../../accounting/kpis/kpis.ts";
import type { ScoredCandidate } from "./scoreCandidate.ts";

/** KPIs of which a higher value is better; of all others a lower one. */
const HIGHER_IS_BETTER: ReadonlySet<string> = new Set([
  "delivered_kwh",
  "delivery_pct",
  "compliance_pct",
  "awards_fully_covered",
  "availability_pct",
  "soc_min_pct",
  "revenue_jpy",
]);

/**
 * Indices of the feasible candidates that no other one dominates. Sorted by the first KPI, best first; of equal
 * candidates the first one.
 */
export function paretoFront(
  candidates: readonly ScoredCandidate[],
  [first, second]: readonly [string, string],
): number[] {
  const cost = (scored: ScoredCandidate, kpi: string): number => {
    const mean = scored.kpis.get(kpi)?.mean ?? Number.POSITIVE_INFINITY;
    return HIGHER_IS_BETTER.has(kpi) ? -mean : mean;
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

export const isHigherBetter = (kpi: (typeof KPI_NAMES)[number] | string): boolean => HIGHER_IS_BETTER.has(kpi);
