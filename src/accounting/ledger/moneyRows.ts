import { sumOf } from "../../base/lists.ts";
import type { WorldSpec } from "../../engine/simulation/worldSpec.ts";
import type { Owner } from "../../engine/site/components/componentKind.ts";
import { ownerOf } from "../../engine/site/siteSpec.ts";
import type { InstructionOrigin } from "../../engine/vpp/instructions/instructionSpec.ts";
import { gridKwh, type Ledger, type OpenLedger, ownCostOf, type SiteTotals, sumLines } from "./ledger.ts";
import { partsOf } from "./partsOf.ts";

/** What awards earn and cost, as printed, in JPY; `null`: not priced. @see docs/model/money.md#by-award */
export interface AwardMoney {
  readonly capacityJpy: number | null;
  readonly awardEnergyJpy: number | null;
  readonly revenueJpy: number | null;
  readonly penaltyJpy: number | null;
  /** At the market price: what is moved and no award price pays. */
  readonly energyCostJpy: number | null;
  readonly marginJpy: number | null;
}

/** The same of one site with its own energy. @see docs/model/money.md#by-site */
export interface SiteMoneyRow extends AwardMoney {
  /** `null`: what no site bears. */
  readonly owner: Owner | null;
  readonly ownEnergyCostJpy: number | null;
  readonly customerEnergyCostJpy: number | null;
  readonly feesJpy: number | null;
  readonly wearJpy: number | null;
}

export const NO_AWARD_MONEY: AwardMoney = {
  capacityJpy: null,
  awardEnergyJpy: null,
  revenueJpy: null,
  penaltyJpy: null,
  energyCostJpy: null,
  marginJpy: null,
};

/** Columns of printed amounts that add up to the line of the ledger; `null` where the line is. */
const columnOf = (line: number | null, exact: Float64Array): Float64Array | null =>
  line === null ? null : partsOf(line, exact);

/** The rows of all awards and instructions; each column adds up to its line of the ledger. */
export function awardMoneyRows(
  origins: readonly InstructionOrigin[],
  ledger: Ledger,
  { awards: amounts }: OpenLedger,
): readonly AwardMoney[] {
  const capacity = columnOf(ledger.capacityJpy, amounts.capacityJpy);
  const energy = columnOf(ledger.awardEnergyJpy, amounts.energyJpy);
  const penalty = columnOf(ledger.penaltyJpy, amounts.penaltyJpy);
  const called = columnOf(ledger.calledEnergyCostJpy, amounts.calledJpy);
  return origins.map((origin, k) => {
    const prices = "atMs" in origin ? null : origin;
    const capacityJpy = prices === null || prices.capacityPriceJpyPerKwHour === null ? null : (capacity?.[k] ?? null);
    const awardEnergyJpy = prices === null || prices.priceJpyPerKwh === null ? null : (energy?.[k] ?? null);
    const penaltyJpy = prices === null || prices.penaltyJpyPerKwh === null ? null : (penalty?.[k] ?? null);
    const energyCostJpy = called?.[k] ?? null;
    return {
      capacityJpy,
      awardEnergyJpy,
      revenueJpy: sumLines([capacityJpy, awardEnergyJpy], []),
      penaltyJpy,
      energyCostJpy,
      marginJpy: sumLines([capacityJpy, awardEnergyJpy], [penaltyJpy, energyCostJpy]),
    };
  });
}

/** The rows of all sites, and last that of what no site bears. Each column adds up to its line of the ledger. */
export function siteMoneyRows(spec: WorldSpec, ledger: Ledger, { awards, sites }: OpenLedger): readonly SiteMoneyRow[] {
  const owners = spec.sites.map(ownerOf);
  /** Of the sites, and of what no site bears. */
  const ofAwards = (line: number | null, totals: Float64Array, of: (site: SiteTotals) => number) => {
    if (line === null) return null;
    const bySite = sites.map(of);
    return columnOf(line, Float64Array.of(...bySite, sumOf(totals) - sumOf(bySite)));
  };
  const ofOwner = (line: number | null, owner: Owner, of: (site: SiteTotals) => number) => {
    const places = owners.flatMap((each, k) => (each === owner ? [k] : []));
    const amounts = columnOf(
      line,
      Float64Array.from(places, (k) => of(sites[k])),
    );
    return new Map(amounts === null ? [] : places.map((k, at) => [k, amounts[at]]));
  };
  const capacity = ofAwards(ledger.capacityJpy, awards.capacityJpy, ({ amounts }) => amounts.capacity);
  const energy = ofAwards(ledger.awardEnergyJpy, awards.energyJpy, ({ amounts }) => -amounts.awardEnergy);
  const penalty = ofAwards(ledger.penaltyJpy, awards.penaltyJpy, ({ amounts }) => amounts.penalty);
  const called = ofAwards(
    ledger.calledEnergyCostJpy,
    awards.calledJpy,
    ({ amounts }) => amounts.credits - amounts.within,
  );
  const own = ofOwner(ledger.ownEnergyCostJpy, "aggregator", ownCostOf);
  const customers = ofOwner(ledger.customerEnergyCostJpy, "customer", ownCostOf);
  const { feePerKwh, wearPerKwh } = spec.charges ?? {};
  const fees = ofOwner(ledger.feesJpy, "aggregator", (site) => (feePerKwh ?? 0) * gridKwh(site));
  const wear = ofOwner(ledger.wearJpy, "aggregator", ({ dischargedKwh }) => (wearPerKwh ?? 0) * dischargedKwh);
  return [...owners, null].map((owner, k) => {
    const capacityJpy = capacity?.[k] ?? null;
    const awardEnergyJpy = energy?.[k] ?? null;
    const penaltyJpy = penalty?.[k] ?? null;
    const energyCostJpy = called?.[k] ?? null;
    const ownEnergyCostJpy = own.get(k) ?? null;
    const feesJpy = fees.get(k) ?? null;
    const wearJpy = wear.get(k) ?? null;
    const costs = [penaltyJpy, energyCostJpy, ownEnergyCostJpy, feesJpy, wearJpy];
    return {
      owner,
      capacityJpy,
      awardEnergyJpy,
      revenueJpy: sumLines([capacityJpy, awardEnergyJpy], []),
      penaltyJpy,
      energyCostJpy,
      ownEnergyCostJpy,
      customerEnergyCostJpy: customers.get(k) ?? null,
      marginJpy: sumLines([capacityJpy, awardEnergyJpy], costs),
      feesJpy,
      wearJpy,
    };
  });
}

/** Whether a row has an amount. */
export const hasMoney = (row: SiteMoneyRow): boolean =>
  Object.values(row).some((value) => typeof value === "number" && value !== 0);
