import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";

/**
 * What a site is told to execute, shared by all sites that one instruction reaches: a member's schedule is this one
 * entry, and its amount is kept beside it at the site.
 */
export interface SiteOrder {
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Share of the amount that is called now, 0..1 (docs/model/allocation.md#activation). */
  readonly activation: number;
  /** The one component of several that it is for; absent or `null`: the site as a whole. */
  readonly componentId?: string | null;
  /** What a compound is made of, kW by part; `null` for one without a breakdown and for other products. */
  readonly compoundBreakdown?: Readonly<Record<string, number>> | null;
  /** Rises with each registration in a world: of orders that exclude each other the latest rules (docs/model/overlap.md#direct-calls). */
  readonly registration: number;
}

/** What an order asks of one site. */
export interface OrderAmount {
  /** Change against the baseline, import positive; 0 for plain frequency response. */
  readonly deltaKw: number;
  /** Two-sided width of frequency response, at least 0; 0: none. */
  readonly fcrCapacityKw: number;
  /**
   * How far the plant may go towards more than `deltaKw` when it can, same sign; absent: no further. Only a set-point that
   * follows the sun has it (docs/model/allocation.md#set-point).
   */
  readonly setpointCeilingKw?: number;
}

/** An order in force at a site with the amount that this site was told. */
export interface OrderBookEntry extends OrderAmount {
  readonly order: SiteOrder;
  readonly baselineKw: number;
  readonly setpointCeilingKw: number;
}

/**
 * Whether two products cannot be executed at one time: equal ones, no product with any, and the two exchange products
 * (docs/model/overlap.md#resolution).
 */
export function areMutuallyExclusive(a: Sku | null, b: Sku | null): boolean {
  if (a === b || a === null || b === null) return true;
  return isExchange(a) && isExchange(b);
}

/** What of an order decides whom it rules out. */
export type OrderScope = Pick<SiteOrder, "sku" | "componentId">;

/**
 * Whether a later order takes the place of an earlier one: products that cannot be executed at one time, for the same
 * component. One for the whole site takes those for its components; one for a component leaves the others their part in
 * what the site is told.
 */
export const supersedes = (later: OrderScope, earlier: OrderScope): boolean =>
  areMutuallyExclusive(earlier.sku, later.sku) &&
  (typeof later.componentId !== "string" || later.componentId === earlier.componentId);

const isExchange = (sku: Sku) => sku === "exchange-da" || sku === "exchange-ttv";

/** What of an order decides whether a site would take it. */
export type OrderTerms = Pick<SiteOrder, "sku" | "startMs" | "endMs" | "componentId" | "compoundBreakdown">;
