import { Copyable } from "../../base/copyState.ts";
import { type HeldOrder, type OrderAmount, rulesOut, type SiteOrder } from "./siteOrder.ts";

interface Held {
  order: SiteOrder;
  deltaKw: number;
  fcrKw: number;
  reachKw: number;
  baselineKw: number;
}

/**
 * The orders in force at a site, oldest registration first, and which of them rule: an order is ruled out while a later
 * one that excludes it is in force, and resumes after it (decisions.md 47, 109).
 *
 * Almost always there is none or one, millions of times in a run: nothing is allocated then. Coexisting products and
 * direct calls make more.
 */
export class HeldOrders extends Copyable {
  private readonly held: Held[] = [];
  private rulingNow: readonly HeldOrder[] = this.held;
  private ofSiteNow: readonly HeldOrder[] = this.held;
  /** Whether an order for a single component has ever come. */
  private hasPartOrders = false;
  /** Registrations that the owner has taken back; `null`: none ever. */
  private disownedRegistrations: Set<number> | null = null;
  /** The entry that was given up last, for the next order. */
  private spare: Held | null = null;

  /** The orders that are executed together, oldest registration first; good until the next change. */
  get ruling(): readonly HeldOrder[] {
    return this.rulingNow;
  }

  /** Those of them that are for the site as a whole. */
  get ofSite(): readonly HeldOrder[] {
    return this.ofSiteNow;
  }

  /** The order in force where there is no other, and where it is for the site as a whole; else `null`. */
  get only(): HeldOrder | null {
    return this.held.length === 1 && this.ofSiteNow === this.held ? this.held[0] : null;
  }

  /** Whether one of them is for a single component. */
  get hasParts(): boolean {
    return this.hasPartOrders && this.ofSiteNow !== this.rulingNow;
  }

  holds(order: SiteOrder): boolean {
    return this.indexOf(order) >= 0;
  }

  rules(order: SiteOrder): boolean {
    const ruling = this.rulingNow;
    for (let k = 0; k < ruling.length; k++) if (ruling[k].order === order) return true;
    return false;
  }

  /**
   * What was registered so has no effect here any more, whoever goes on telling it: a VPP does not notice that the owner
   * of a site deleted its part of a schedule.
   */
  disown({ registration }: SiteOrder): void {
    this.disownedRegistrations ??= new Set();
    this.disownedRegistrations.add(registration);
    this.rule();
  }

  /** Registrations in the order in which the owner took them back. */
  get disowned(): readonly number[] {
    return this.disownedRegistrations === null ? [] : [...this.disownedRegistrations];
  }

  disowns({ registration }: Pick<SiteOrder, "registration">): boolean {
    return this.disownedRegistrations?.has(registration) ?? false;
  }

  reachKw(order: SiteOrder): number {
    const k = this.indexOf(order);
    return k < 0 ? Number.NaN : this.held[k].reachKw;
  }

  /** Begins an order, or amends its amount. */
  put(order: SiteOrder, { deltaKw, fcrKw, reachKw = deltaKw }: OrderAmount, baselineKw: number): void {
    const found = this.indexOf(order);
    const held = found >= 0 ? this.held[found] : (this.spare ?? { order, deltaKw, fcrKw, reachKw, baselineKw });
    held.order = order;
    held.deltaKw = deltaKw;
    held.fcrKw = fcrKw;
    held.reachKw = reachKw;
    held.baselineKw = baselineKw;
    if (found >= 0) return;
    if (typeof order.componentId === "string") this.hasPartOrders = true;
    this.spare = null;
    this.held.push(held);
    if (this.held.length > 1) this.held.sort((a, b) => a.order.registration - b.order.registration);
    this.rule();
  }

  /** Ends an order. @returns whether it was in force */
  remove(order: SiteOrder): boolean {
    const k = this.indexOf(order);
    if (k < 0) return false;
    this.spare = this.held[k];
    // Not by setting the length to 0, which gives up the list's memory.
    if (this.held.length === 1) this.held.pop();
    else this.held.splice(k, 1);
    this.rule();
    return true;
  }

  /** Makes these the orders in force; all of them rule. */
  recall(ruling: readonly HeldOrder[]): void {
    this.held.length = 0;
    for (const held of ruling) this.held.push({ ...held });
    this.rulingNow = this.held;
    this.hasPartOrders = ruling.some(isOfPart);
    this.ofSiteNow = this.hasPartOrders ? ruling.filter((held) => !isOfPart(held)) : this.held;
  }

  private indexOf(order: SiteOrder): number {
    for (let k = 0; k < this.held.length; k++) if (this.held[k].order === order) return k;
    return -1;
  }

  private rule(): void {
    const held =
      this.disownedRegistrations === null ? this.held : this.held.filter(({ order }) => !this.disowns(order));
    this.rulingNow =
      held.length < 2
        ? held
        : held.filter(({ order }, k) => held.slice(k + 1).every((later) => !rulesOut(later.order, order)));
    this.ofSiteNow =
      this.hasPartOrders && this.rulingNow.some(isOfPart)
        ? this.rulingNow.filter((one) => !isOfPart(one))
        : this.rulingNow;
  }

  /**
   * kW that the other orders in force hold in one direction: capability that cannot be sold twice. A width of frequency
   * response holds both directions (decisions.md 121). A component that is told something by itself offers nothing.
   */
  heldKw(except: SiteOrder, up: boolean): number {
    if (this.ofSiteNow.length === 0) return 0;
    let kw = 0;
    for (const { order, deltaKw, fcrKw } of this.ofSiteNow) {
      if (order === except) continue;
      if (up ? deltaKw > 0 : deltaKw < 0) kw += Math.abs(deltaKw);
      kw += fcrKw;
    }
    return kw;
  }
}

const isOfPart = ({ order }: { readonly order: SiteOrder }): boolean => typeof order.componentId === "string";
