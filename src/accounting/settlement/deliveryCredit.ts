import { Copyable } from "../../base/copyState.ts";
import type { Sku } from "../../base/sku.ts";
import type { OrderBookEntry, SiteOrder } from "../../site/orders/siteOrder.ts";

/** Who is served first where a member's awards share what it delivers; no product has nobody beside it (docs/model/overlap.md#serving-order). */
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

/** Frequency response alone asks for no change of power: what it moves is taken off before anything is credited. */
const hasDelta = ({ order }: OrderBookEntry): boolean => order.sku !== "fcr";

/** Whether awards share what a member delivers. */
export function isDeliveryShared(ruling: readonly OrderBookEntry[]): boolean {
  if (ruling.length < 2) return false;
  let count = 0;
  for (const held of ruling) if (hasDelta(held)) count++;
  return count > 1;
}

/**
 * How much of what a member delivers is credited to one of several awards that it executes together: each its delta;
 * what is lacking is taken from the one served last, down to 0, then from the next; what is delivered beyond goes to
 * the last (docs/model/accounting.md#credit, docs/model/capability.md#held-by-others).
 */
export class DeliveryCredit extends Copyable {
  private readonly deltasKw: readonly number[];
  private readonly position: number;
  private readonly sumKw: number;
  /** Delivered kW at which the credit changes its course. */
  readonly breakpointsKw: readonly number[];

  constructor(ruling: readonly OrderBookEntry[], order: SiteOrder) {
    super();
    const served = ruling
      .filter(hasDelta)
      .sort(
        (a, b) =>
          CREDIT_ORDER.indexOf(a.order.sku) - CREDIT_ORDER.indexOf(b.order.sku) ||
          a.order.registration - b.order.registration,
      );
    this.deltasKw = served.map((held) => held.deltaKw * held.order.activation);
    this.position = served.findIndex((held) => held.order === order);
    this.sumKw = this.deltasKw.reduce((sum, kw) => sum + kw, 0);
    this.breakpointsKw = [this.sumKw, ...this.breakpointsBeyond(1), ...this.breakpointsBeyond(-1)];
  }

  /** Where, with more and more in one direction, the awards served last are used up one after the other. */
  private breakpointsBeyond(direction: 1 | -1): number[] {
    const levels: number[] = [];
    let usedKw = 0;
    for (let k = this.deltasKw.length - 1; k >= 0 && this.deltasKw[k] * direction < 0; k--) {
      usedKw += Math.abs(this.deltasKw[k]);
      levels.push(this.sumKw + direction * usedKw);
    }
    return levels;
  }

  /** Signed kW credited when the member delivers a signed power beyond its baseline. */
  creditedKw(deliveredKw: number): number {
    const last = this.deltasKw.length - 1;
    let left = deliveredKw - this.sumKw;
    let creditedKw = this.deltasKw[this.position];
    for (let k = last; k >= 0; k--) {
      const deltaKw = this.deltasKw[k];
      // Along an award's sign it gains all of the rest; against it, it gives what it has.
      const changeKw = left * deltaKw >= 0 ? left : Math.sign(left) * Math.min(Math.abs(left), Math.abs(deltaKw));
      if (k === this.position) creditedKw += changeKw;
      left -= changeKw;
    }
    // Power that flows the wrong way beyond all awards is carried by the last one.
    return this.position === last ? creditedKw + left : creditedKw;
  }

  /** Credited kW per delivered kW around a power, on the side it moves to: 0 or 1. */
  slopeAt(deliveredKw: number, towards: number): number {
    const stepKw = towards < 0 ? -PROBE_KW : PROBE_KW;
    return Math.round((this.creditedKw(deliveredKw + stepKw) - this.creditedKw(deliveredKw)) / stepKw);
  }
}

const PROBE_KW = 1e-6;
