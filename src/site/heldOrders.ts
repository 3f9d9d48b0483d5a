import { collides, type HeldOrder, type SiteOrder } from "./siteOrder.ts";

/**
 * The orders in force at a site, oldest registration first, and which of them rule: an order is ruled out while a later
 * one that excludes it is in force, and resumes after it (decisions.md 47, 109).
 *
 * Almost always there is none or one; coexisting products and direct calls make more.
 */
export class HeldOrders {
  readonly #held: HeldOrder[] = [];
  #ruling: readonly HeldOrder[] = [];

  /** The orders that are executed together, oldest registration first. */
  get ruling(): readonly HeldOrder[] {
    return this.#ruling;
  }

  get(order: SiteOrder): HeldOrder | undefined {
    for (const held of this.#held) if (held.order === order) return held;
    return undefined;
  }

  rules(order: SiteOrder): boolean {
    for (const held of this.#ruling) if (held.order === order) return true;
    return false;
  }

  /** Begins an order, or amends its amount. */
  put(order: SiteOrder, deltaKw: number, baselineKw: number): void {
    const held = { order, deltaKw, baselineKw };
    let k = this.#held.length;
    while (k > 0 && order.registration <= this.#held[k - 1].order.registration) k--;
    const replaces = k < this.#held.length && this.#held[k].order === order;
    this.#held.splice(k, replaces ? 1 : 0, held);
    this.#rule();
  }

  /** Ends an order. @returns whether it was in force */
  remove(order: SiteOrder): boolean {
    const k = this.#held.findIndex((held) => held.order === order);
    if (k < 0) return false;
    this.#held.splice(k, 1);
    this.#rule();
    return true;
  }

  #rule(): void {
    const held = this.#held;
    if (held.length < 2) this.#ruling = held.length === 0 ? NONE : [held[0]];
    else
      this.#ruling = held.filter(({ order }, k) =>
        held.slice(k + 1).every((later) => !collides(order.sku, later.order.sku)),
      );
  }

  /** kW that the other orders in force hold in one direction: capability that cannot be sold twice (decisions.md 121). */
  heldKw(except: SiteOrder, up: boolean): number {
    if (this.#ruling.length === 0) return 0;
    let kw = 0;
    for (const { order, deltaKw } of this.#ruling)
      if (order !== except && (up ? deltaKw > 0 : deltaKw < 0)) kw += Math.abs(deltaKw);
    return kw;
  }
}

const NONE: readonly HeldOrder[] = [];
