import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import type { OrderBookEntry, SiteOrder } from "../../engine/site/orders/siteOrder.ts";

/**
 * Products in the order in which a member's delivered power is credited to its awards; orders without a product come
 * last (docs/model/overlap.md#serving-order).
 */
const CREDIT_ORDER: readonly (Sku | null)[] = [
  "fcr",
  "s-frr",
  "frr",
  "compound",
  "rr",
  "rr-fit",
  "negawatt-spot",
  "exchange-da",
  "exchange-ttv",
  null,
];

/**
 * An award of frequency response alone requests no delta: its response is subtracted before delivered power is
 * credited.
 */
const hasDelta = ({ order }: OrderBookEntry): boolean => order.sku !== "fcr";

/** Whether more than one award claims a part of the power that the member delivers. */
export function isDeliveryShared(activeOrders: readonly OrderBookEntry[]): boolean {
  if (activeOrders.length < 2) return false;
  let count = 0;
  for (const entry of activeOrders) if (hasDelta(entry)) count++;
  return count > 1;
}

/**
 * Credits a member's delivered power to one of the awards that it executes together.
 *
 * Each award is credited its delta. A shortfall is taken from the award served last, down to 0, then from the one
 * before it. Over-delivery goes to the award served last (docs/model/accounting.md#credit,
 * docs/model/capability.md#held-by-others).
 */
export class DeliveryCredit extends Copyable {
  private readonly deltasKw: readonly number[];
  /** Sign of each award, also of one whose delta at the member is 0. */
  private readonly directions: readonly number[];
  private readonly position: number;
  private readonly sumKw: number;
  /** Delivered kW at which the slope of the credit changes. */
  readonly breakpointsKw: readonly number[];

  constructor(activeOrders: readonly OrderBookEntry[], order: SiteOrder) {
    super();
    const served = activeOrders
      .filter(hasDelta)
      .sort(
        (a, b) =>
          CREDIT_ORDER.indexOf(a.order.sku) - CREDIT_ORDER.indexOf(b.order.sku) ||
          a.order.registration - b.order.registration,
      );
    this.deltasKw = served.map((entry) => entry.deltaKw * entry.order.activation);
    this.directions = served.map(directionOf);
    this.position = served.findIndex((entry) => entry.order === order);
    this.sumKw = this.deltasKw.reduce((sum, kw) => sum + kw, 0);
    this.breakpointsKw = [this.sumKw, ...this.breakpointsBeyond(1), ...this.breakpointsBeyond(-1)];
  }

  /** Whether an award that is served before this one has a delta at the member. */
  get hasEarlierDelta(): boolean {
    return this.deltasKw.some((kw, k) => k < this.position && kw !== 0);
  }

  /**
   * Delivered kW, in one direction from the sum of the deltas, at which one award after the other reaches a credit of
   * 0.
   */
  private breakpointsBeyond(direction: 1 | -1): number[] {
    const levels: number[] = [];
    let usedKw = 0;
    for (let k = this.deltasKw.length - 1; k >= 0 && this.directions[k] * direction <= 0; k--) {
      usedKw += Math.abs(this.deltasKw[k]);
      levels.push(this.sumKw + direction * usedKw);
    }
    return levels;
  }

  /** Signed kW credited when the member delivers a signed power beyond its baseline. */
  creditedKw(deliveredKw: number): number {
    const last = this.deltasKw.length - 1;
    let restKw = deliveredKw - this.sumKw;
    let creditedKw = this.deltasKw[this.position];
    for (let k = last; k >= 0; k--) {
      // Power in an award's own direction is all credited to it; power against it reduces its credit down to 0 only.
      const changeKw =
        restKw * this.directions[k] > 0
          ? restKw
          : Math.sign(restKw) * Math.min(Math.abs(restKw), Math.abs(this.deltasKw[k]));
      if (k === this.position) creditedKw += changeKw;
      restKw -= changeKw;
    }
    // What is left opposes all awards and is credited to the last one.
    return this.position === last ? creditedKw + restKw : creditedKw;
  }

  /** Derivative of the credit on the side towards which the delivered power moves: 0 or 1. */
  slopeAt(deliveredKw: number, towards: number): number {
    const stepKw = towards < 0 ? -PROBE_KW : PROBE_KW;
    return Math.round((this.creditedKw(deliveredKw + stepKw) - this.creditedKw(deliveredKw)) / stepKw);
  }
}

const directionOf = ({ order, deltaKw }: OrderBookEntry): number => order.direction ?? Math.sign(deltaKw);

const PROBE_KW = 1e-6;
