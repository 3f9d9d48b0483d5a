import { Copyable } from "../../base/copyState.ts";
import { type OrderAmount, type OrderBookEntry, type SiteOrder, supersedes } from "./siteOrder.ts";

interface MutableEntry {
  order: SiteOrder;
  deltaKw: number;
  fcrCapacityKw: number;
  setpointCeilingKw: number;
  baselineKw: number;
}

/**
 * The orders in force at a site, oldest registration first, and which of them rule: an order is ruled out while a later
 * one that excludes it is in force, and resumes after it (docs/model/overlap.md#direct-calls).
 *
 * Almost always there is none or one, millions of times in a run: nothing is allocated then. Coexisting products and
 * direct calls make more.
 */
export class OrderBook extends Copyable {
  private readonly entries: MutableEntry[] = [];
  private activeEntries: readonly OrderBookEntry[] = this.entries;
  private siteLevelEntries: readonly OrderBookEntry[] = this.entries;
  /** Whether an order for a single component has ever come. */
  private hasSeenComponentOrders = false;
  /** Registrations that the owner has taken back; `null`: none ever. */
  private revoked: Set<number> | null = null;
  /** The entry that was given up last, for the next order. */
  private freeEntry: MutableEntry | null = null;

  /** The orders that are executed together, oldest registration first; good until the next change. */
  get activeOrders(): readonly OrderBookEntry[] {
    return this.activeEntries;
  }

  /** Those of them that are for the site as a whole. */
  get siteLevelOrders(): readonly OrderBookEntry[] {
    return this.siteLevelEntries;
  }

  /** The order in force where there is no other, and where it is for the site as a whole; else `null`. */
  get soleOrder(): OrderBookEntry | null {
    return this.entries.length === 1 && this.siteLevelEntries === this.entries ? this.entries[0] : null;
  }

  /** Whether one of them is for a single component. */
  get hasActiveComponentOrders(): boolean {
    return this.hasSeenComponentOrders && this.siteLevelEntries !== this.activeEntries;
  }

  hasOrder(order: SiteOrder): boolean {
    return this.indexOf(order) >= 0;
  }

  isActive(order: SiteOrder): boolean {
    const ruling = this.activeEntries;
    for (let k = 0; k < ruling.length; k++) if (ruling[k].order === order) return true;
    return false;
  }

  /**
   * What was registered so has no effect here any more, whoever goes on telling it: a VPP does not notice that the owner
   * of a site deleted its part of a schedule.
   */
  revoke({ registration }: SiteOrder): void {
    this.revoked ??= new Set();
    this.revoked.add(registration);
    this.updateActive();
  }

  /** Registrations in the order in which the owner took them back. */
  get revokedRegistrations(): readonly number[] {
    return this.revoked === null ? [] : [...this.revoked];
  }

  isRevoked({ registration }: Pick<SiteOrder, "registration">): boolean {
    return this.revoked?.has(registration) ?? false;
  }

  setpointCeilingKw(order: SiteOrder): number {
    const k = this.indexOf(order);
    return k < 0 ? Number.NaN : this.entries[k].setpointCeilingKw;
  }

  /** Begins an order, or amends its amount. */
  put(
    order: SiteOrder,
    { deltaKw, fcrCapacityKw: fcrKw, setpointCeilingKw: reachKw = deltaKw }: OrderAmount,
    baselineKw: number,
  ): void {
    const found = this.indexOf(order);
    const held =
      found >= 0
        ? this.entries[found]
        : (this.freeEntry ?? { order, deltaKw, fcrCapacityKw: fcrKw, setpointCeilingKw: reachKw, baselineKw });
    held.order = order;
    held.deltaKw = deltaKw;
    held.fcrCapacityKw = fcrKw;
    held.setpointCeilingKw = reachKw;
    held.baselineKw = baselineKw;
    if (found >= 0) return;
    if (typeof order.componentId === "string") this.hasSeenComponentOrders = true;
    this.freeEntry = null;
    this.entries.push(held);
    if (this.entries.length > 1) this.entries.sort((a, b) => a.order.registration - b.order.registration);
    this.updateActive();
  }

  /** Ends an order. @returns whether it was in force */
  remove(order: SiteOrder): boolean {
    const k = this.indexOf(order);
    if (k < 0) return false;
    this.freeEntry = this.entries[k];
    // Not by setting the length to 0, which gives up the list's memory.
    if (this.entries.length === 1) this.entries.pop();
    else this.entries.splice(k, 1);
    this.updateActive();
    return true;
  }

  /** Makes these the orders in force; all of them rule. */
  restore(ruling: readonly OrderBookEntry[]): void {
    this.entries.length = 0;
    for (const held of ruling) this.entries.push({ ...held });
    this.activeEntries = this.entries;
    this.hasSeenComponentOrders = ruling.some(isForComponent);
    this.siteLevelEntries = this.hasSeenComponentOrders ? ruling.filter((held) => !isForComponent(held)) : this.entries;
  }

  private indexOf(order: SiteOrder): number {
    for (let k = 0; k < this.entries.length; k++) if (this.entries[k].order === order) return k;
    return -1;
  }

  private updateActive(): void {
    const held = this.revoked === null ? this.entries : this.entries.filter(({ order }) => !this.isRevoked(order));
    this.activeEntries =
      held.length < 2
        ? held
        : held.filter(({ order }, k) => held.slice(k + 1).every((later) => !supersedes(later.order, order)));
    this.siteLevelEntries =
      this.hasSeenComponentOrders && this.activeEntries.some(isForComponent)
        ? this.activeEntries.filter((one) => !isForComponent(one))
        : this.activeEntries;
  }

  /**
   * kW that the other orders in force hold in one direction: capability that cannot be sold twice. A width of frequency
   * response holds both directions (docs/model/capability.md#held-by-others). A component that is told something by itself offers nothing.
   */
  reservedKw(except: SiteOrder, up: boolean): number {
    if (this.siteLevelEntries.length === 0) return 0;
    let kw = 0;
    for (const { order, deltaKw, fcrCapacityKw: fcrKw } of this.siteLevelEntries) {
      if (order === except) continue;
      if (up ? deltaKw > 0 : deltaKw < 0) kw += Math.abs(deltaKw);
      kw += fcrKw;
    }
    return kw;
  }
}

const isForComponent = ({ order }: { readonly order: SiteOrder }): boolean => typeof order.componentId === "string";
