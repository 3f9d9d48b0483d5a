import { roundTo } from "../../base/rounding.ts";
import { sumOf } from "../../base/sums.ts";
import type { WorldSpec } from "../../simulation/worldSpec.ts";
import type { AwardFigures } from "../settlement/awardFigures.ts";
import { requestedKwOf } from "../settlement/awardRows.ts";
import type { Ledger } from "./kpi.ts";

/**
 * Sums the awards' money and closes the account. Sums are sums of printed lines (docs/model/money.md#ledger).
 *
 * @param netImportJpy  all sites' imports less exports at the market price; `null` without one
 */
export function closeLedger(spec: WorldSpec, figures: AwardFigures, netImportJpy: number | null): Ledger {
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
