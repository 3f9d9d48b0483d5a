import { sumOf } from "../../base/lists.ts";
import { POWERS_OF_TEN, roundTo } from "../../base/rounding.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import { ownerOf } from "../../engine/site/siteSpec.ts";
import { FIGURE } from "../settlement/awardAccount.ts";
import { type AwardFigures, FIGURE_COUNT, requestedKwOf } from "../settlement/awardFigures.ts";
import { partsOf } from "./partsOf.ts";
import type { SiteAmounts } from "./siteMoney.ts";

/** The money of a run: one account, in which each kWh has one price once. JPY; `null`: not priced. @see docs/model/money.md */
export interface Ledger {
  readonly capacityJpy: number | null;
  readonly awardEnergyJpy: number | null;
  /** Both lines above. */
  readonly revenueJpy: number | null;
  readonly penaltyJpy: number | null;
  /** Of what awards move and no award prices. */
  readonly calledEnergyCostJpy: number | null;
  /** Of all other kWh at the connection points of sites of the aggregator, and of customers. */
  readonly ownEnergyCostJpy: number | null;
  readonly customerEnergyCostJpy: number | null;
  /** The three lines above. */
  readonly energyCostJpy: number | null;
  readonly feesJpy: number | null;
  readonly wearJpy: number | null;
  readonly aggregatorMarginJpy: number | null;
  readonly profitJpy: number | null;
}

/** What the ledger has of each site. */
export interface SiteTotals {
  readonly importKwh: number;
  readonly exportKwh: number;
  readonly dischargedKwh: number;
  /** Import less export at the market price; 0 without one. */
  readonly netImportJpy: number;
  readonly importJpy: number;
  /** Of executed awards. */
  readonly amounts: SiteAmounts;
}

/** The exact amounts of the awards, in their order, and of the sites; the lines of the ledger are their printed sums. */
export interface OpenLedger {
  readonly awards: AwardAmounts;
  readonly sites: readonly SiteTotals[];
}

/** JPY by award or instruction; energy as the flow: what is paid is positive in `calledJpy`, what is earned in `energyJpy`. */
export interface AwardAmounts {
  readonly capacityJpy: Float64Array;
  readonly energyJpy: Float64Array;
  readonly penaltyJpy: Float64Array;
  readonly calledJpy: Float64Array;
  /** Award energy with a price of its own, at the market price. */
  readonly withinJpy: Float64Array;
}

/** Awards outside the run count nothing. Empty where nothing is priced. */
export function awardAmounts({ startMs, endMs, energyPriceJpyPerKwh }: WorldSpec, figures: AwardFigures): AwardAmounts {
  const { values, origins } = figures;
  const { hasCapacityPrice, hasEnergyPrice, hasPenalty } = figures.catalogue;
  const isPriced = hasCapacityPrice || hasEnergyPrice || hasPenalty || energyPriceJpyPerKwh !== null;
  const column = () => new Float64Array(isPriced ? origins.length : 0);
  const amounts = {
    capacityJpy: column(),
    energyJpy: column(),
    penaltyJpy: column(),
    calledJpy: column(),
    withinJpy: column(),
  };
  for (let k = 0; k < origins.length && isPriced; k++) {
    if (!figures.overlaps(k, startMs, endMs)) continue;
    const at = k * FIGURE_COUNT;
    const requestedKw = requestedKwOf(origins[k]);
    const direction = Math.sign(requestedKw);
    const reservedKw = Math.max(0, Math.abs(requestedKw) - Math.abs(values[at + FIGURE.uncoveredKw] || 0));
    amounts.capacityJpy[k] = values[at + FIGURE.capacityJpyPerKw] * reservedKw;
    // Import is positive: an award of import pays for its energy, one of export earns.
    amounts.energyJpy[k] = -direction * values[at + FIGURE.creditedJpy];
    amounts.penaltyJpy[k] = values[at + FIGURE.penaltyJpy];
    amounts.withinJpy[k] = direction * values[at + FIGURE.creditedMarketJpy];
    amounts.calledJpy[k] = direction * values[at + FIGURE.deliveredMarketJpy] - amounts.withinJpy[k];
  }
  return amounts;
}

/** Closes the account. Sums are sums of printed lines (docs/model/money.md#ledger). */
export function closeLedger(spec: WorldSpec, figures: AwardFigures, { awards, sites }: OpenLedger): Ledger {
  const { hasCapacityPrice, hasEnergyPrice, hasPenalty } = figures.catalogue;
  const capacityJpy = hasCapacityPrice ? printed(sumOf(awards.capacityJpy)) : null;
  const awardEnergyJpy = hasEnergyPrice ? printed(sumOf(awards.energyJpy)) : null;
  const penaltyJpy = hasPenalty ? printed(sumOf(awards.penaltyJpy)) : null;
  const costs = energyCosts(spec, awards, sites);
  const { feesJpy, wearJpy } = chargesOf(spec, sites);
  const margin = sumLines(
    [capacityJpy, awardEnergyJpy],
    [penaltyJpy, costs.calledEnergyCostJpy, costs.ownEnergyCostJpy, feesJpy, wearJpy],
  );
  return {
    capacityJpy,
    awardEnergyJpy,
    revenueJpy: sumLines([capacityJpy, awardEnergyJpy], []),
    penaltyJpy,
    ...costs,
    feesJpy,
    wearJpy,
    aggregatorMarginJpy: margin,
    profitJpy: sumLines([margin], [costs.customerEnergyCostJpy]),
  };
}

/** Energy at the market price, and its three parts, which add up to it in print. */
function energyCosts(spec: WorldSpec, awards: AwardAmounts, sites: readonly SiteTotals[]) {
  if (spec.energyPriceJpyPerKwh === null)
    return { calledEnergyCostJpy: null, ownEnergyCostJpy: null, customerEnergyCostJpy: null, energyCostJpy: null };
  const totalJpy = printed(sumOf(sites.map(({ netImportJpy }) => netImportJpy)) - sumOf(awards.withinJpy));
  const parts = { aggregator: 0, customer: 0 };
  sites.forEach((site, k) => {
    parts[ownerOf(spec.sites[k])] += ownCostOf(site);
  });
  const exact = Float64Array.of(sumOf(awards.calledJpy), parts.aggregator, parts.customer);
  const [calledEnergyCostJpy, ownEnergyCostJpy, customerEnergyCostJpy] = partsOf(totalJpy, exact);
  return { calledEnergyCostJpy, ownEnergyCostJpy, customerEnergyCostJpy, energyCostJpy: totalJpy };
}

/** Cost of the metered energy of a site without what awards are credited there. */
export const ownCostOf = ({ netImportJpy, amounts }: SiteTotals): number => netImportJpy - amounts.credits;

export const gridKwh = ({ importKwh, exportKwh }: SiteTotals): number => importKwh + exportKwh;

function chargesOf({ charges, sites: specs }: WorldSpec, sites: readonly SiteTotals[]) {
  const { feePerKwh = null, wearPerKwh = null } = charges ?? {};
  const owned = sites.filter((_, k) => ownerOf(specs[k]) === "aggregator");
  const sum = (of: (site: SiteTotals) => number): number => sumOf(owned.map(of));
  return {
    feesJpy: feePerKwh === null ? null : printed(feePerKwh * sum(gridKwh)),
    wearJpy: wearPerKwh === null ? null : printed(wearPerKwh * sum(({ dischargedKwh }) => dischargedKwh)),
  };
}

const DECIMALS = 3;
const printed = (jpy: number): number => roundTo(jpy, DECIMALS);

/** The first lines less the second ones, exact in their last decimal; `null` if all are. */
export function sumLines(added: readonly (number | null)[], subtracted: readonly (number | null)[]): number | null {
  const signed = [...added, ...subtracted.map((line) => (line === null ? null : -line))];
  const lines = signed.filter((line) => line !== null);
  const scale = POWERS_OF_TEN[DECIMALS];
  return lines.length === 0 ? null : sumOf(lines, (line) => Math.round(line * scale)) / scale || 0;
}
