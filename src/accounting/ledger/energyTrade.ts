import { largestOf, smallestOf, sumOf } from "../../base/lists.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { ownerOf } from "../../engine/site/siteSpec.ts";
import type { SiteTotals } from "./ledger.ts";

/** Metered energy of the aggregator's sites at the market price, and the prices of the run. */
export interface EnergyTrade {
  readonly boughtKwh: number;
  readonly boughtJpy: number;
  readonly soldKwh: number;
  readonly soldJpy: number;
  /** Lowest and highest market price of the run. */
  readonly lowestJpyPerKwh: number;
  readonly highestJpyPerKwh: number;
}

export function energyTrade(
  { energyPriceJpyPerKwh: price, sites: specs, startMs, endMs }: WorldSpec,
  sites: readonly SiteTotals[],
): EnergyTrade | null {
  if (price === null) return null;
  const owned = sites.filter((_, k) => ownerOf(specs[k]) === "aggregator");
  const values = price.values.subarray(price.indexAt(startMs), price.indexAt(endMs - 1) + 1);
  return {
    boughtKwh: sumOf(owned, ({ importKwh }) => importKwh),
    boughtJpy: sumOf(owned, ({ importJpy }) => importJpy),
    soldKwh: sumOf(owned, ({ exportKwh }) => exportKwh),
    soldJpy: sumOf(owned, ({ importJpy, netImportJpy }) => importJpy - netImportJpy),
    lowestJpyPerKwh: smallestOf(values),
    highestJpyPerKwh: largestOf(values),
  };
}
