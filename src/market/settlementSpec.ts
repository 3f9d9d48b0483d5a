import type { Currency } from "../base/currency.ts";
import type { EpochMs } from "../base/time.ts";
import type { NumberOrSeries } from "../engine/vpp/instructions/instructionSpec.ts";
import type { GroupSlotPrices } from "./awardSlot.ts";
import type { CapacityCall, ConnectionTerms, Market } from "./settlement.ts";

/** Prices per kWh of a settlement; `null`: none is given. */
export type SettlementPrices = { readonly [Name in keyof GroupSlotPrices]: NumberOrSeries | null };

/** Prices of one award per kWh of activated energy; `null`: none is given. */
export interface ActivationPrices {
  readonly upPerKwh: NumberOrSeries | null;
  readonly downPerKwh: NumberOrSeries | null;
}

/** Rules, parameters and prices by which a run is settled. */
export interface SettlementSpec {
  readonly market: Market;
  readonly currency: Currency;
  /** Name of the parameter set, and of the price area. */
  readonly parameterSet: string;
  readonly area: string;
  /** All parameters by name, those of the scenario in place of the set's. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Values of the set that are not from a primary source and that the scenario does not set. */
  readonly unsure: readonly string[];
  readonly prices: SettlementPrices;
  /** By award id. */
  readonly activationPrices: ReadonlyMap<string, ActivationPrices>;
  /** Net purchases in kW, import positive; `null`: the members' baselines are bought day-ahead. */
  readonly plan: { readonly spotKw: NumberOrSeries; readonly intradayKw: NumberOrSeries } | null;
  readonly connection: ConnectionTerms;
  readonly capacityCalls: readonly CapacityCall[];
  /** By site index: on a retail tariff, so outside the balancing group. */
  readonly retailSites: ReadonlySet<number>;
  /** By site index: its export has a feed-in premium. */
  readonly premiumSites: ReadonlySet<number>;
  readonly monthOf: (atMs: EpochMs) => string;
  /** The inputs of the assessed slots, as plain values; slots with other inputs cannot be settled by this spec. */
  readonly slotIdentity: Readonly<Record<string, unknown>>;
  /** All inputs of the settlement as plain values and series, for the digest of the scenario. */
  readonly identity: object;
}
