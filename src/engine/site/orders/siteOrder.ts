import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";

/**
 * An order to a site. All sites of one instruction share this object; each site stores its own amount.
 */
export interface SiteOrder {
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Activated share of the amount, 0..1 (docs/model/allocation.md#activation). */
  readonly activation: number;
  /** Sign of what is requested of all members, also where the amount of this one is 0; absent: the sign of the amount. */
  readonly direction?: number;
  /** The component that it addresses; absent or `null`: the whole site. */
  readonly componentId?: string | null;
  /** kW by product leg of a compound; `null` for other products and without a breakdown. */
  readonly compoundBreakdown?: Readonly<Record<string, number>> | null;
  /** Increases with each registration in a world. Of orders that exclude each other, the latest is active (docs/model/overlap.md#direct-calls). */
  readonly registration: number;
}

/** The amount of an order at one site. */
export interface OrderAmount {
  /** Change from the baseline, import positive; 0 for FCR alone. */
  readonly deltaKw: number;
  /** FCR capacity, the same in both directions, at least 0. */
  readonly fcrCapacityKw: number;
  /**
   * Upper limit of the delta of a PV plant that follows the available power, same sign as `deltaKw`; absent: `deltaKw`
   * (docs/model/allocation.md#set-point).
   */
  readonly setpointCeilingKw?: number;
}

/** An order in force at a site with its amount. */
export interface OrderBookEntry extends OrderAmount {
  readonly order: SiteOrder;
  readonly baselineKw: number;
  readonly setpointCeilingKw: number;
}

/**
 * Whether two products cannot be executed at the same time: equal ones, `null` with any, and the two exchange products
 * (docs/model/overlap.md#resolution).
 */
export function areMutuallyExclusive(a: Sku | null, b: Sku | null): boolean {
  if (a === b || a === null || b === null) return true;
  return isExchange(a) && isExchange(b);
}

/** The fields of an order that decide which orders it supersedes. */
export type OrderScope = Pick<SiteOrder, "sku" | "componentId">;

/**
 * Whether a later order makes an earlier one inactive: their products exclude each other, and the later one addresses the
 * whole site or the same component. An order for a component leaves an order for the whole site active.
 */
export const supersedes = (later: OrderScope, earlier: OrderScope): boolean =>
  areMutuallyExclusive(earlier.sku, later.sku) &&
  (typeof later.componentId !== "string" || later.componentId === earlier.componentId);

const isExchange = (sku: Sku) => sku === "exchange-da" || sku === "exchange-ttv";

/** The fields of an order that `checkOrderTerms` reads. */
export type OrderTerms = Pick<SiteOrder, "sku" | "startMs" | "endMs" | "componentId" | "compoundBreakdown">;
