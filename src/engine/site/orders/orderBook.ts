import { Copyable } from "../../../base/copyState.ts";
import type { SiteRecord } from "../siteRecord.ts";
import { type OrderAmount, type OrderBookEntry, type OrderScope, type SiteOrder, supersedes } from "./siteOrder.ts";

/** The order of an entry before its first use. */
const NO_ORDER: SiteOrder = { sku: null, startMs: 0, endMs: 0, activation: 1, registration: -1 };

interface MutableEntry {
  order: SiteOrder;
  deltaKw: number;
  fcrCapacityKw: number;
  setpointCeilingKw: number;
  baselineKw: number;
}

/**
 * The orders in force at a site, oldest registration first, and the active ones among them. An order is inactive while a
 * later one that excludes it is in force, and resumes after it (docs/model/overlap.md#direct-calls).
 *
 * The usual case in a run is one delta for the whole site. It is kept in three fields instead of a list.
 */
export class OrderBook extends Copyable {
  private readonly record: SiteRecord;
  /** The order of the record as an entry, filled when it is read. */
  private readonly soleList: readonly MutableEntry[] = [
    { order: NO_ORDER, deltaKw: 0, fcrCapacityKw: 0, setpointCeilingKw: 0, baselineKw: 0 },
  ];
  private readonly entries: MutableEntry[] = [];
  private activeEntries: readonly OrderBookEntry[] = this.entries;
  private siteLevelEntries: readonly OrderBookEntry[] = this.entries;
  /** Whether an order for a single component was ever added. */
  private hasSeenComponentOrders = false;
  /** Registration numbers of orders that the owner revoked; `null`: none. */
  private revoked: Set<number> | null = null;

  /** @param record  holds the usual case, one delta of the whole site; the lists are empty then */
  constructor(record: SiteRecord) {
    super();
    this.record = record;
  }

  /** The orders executed now, oldest registration first; valid until the next change. */
  get activeOrders(): readonly OrderBookEntry[] {
    return this.record.order === null ? this.activeEntries : this.readSole();
  }

  /** The active orders for the whole site. */
  get siteLevelOrders(): readonly OrderBookEntry[] {
    return this.record.order === null ? this.siteLevelEntries : this.readSole();
  }

  private readSole(): readonly OrderBookEntry[] {
    const [entry] = this.soleList;
    const { order, deltaKw, baselineKw } = this.record;
    if (order !== null) entry.order = order;
    entry.deltaKw = deltaKw;
    entry.setpointCeilingKw = deltaKw;
    entry.baselineKw = baselineKw;
    return this.soleList;
  }

  /** Moves the sole order to the list. */
  private listSole(): void {
    if (this.record.order === null) return;
    this.entries.push({ ...this.readSole()[0] });
    this.record.order = null;
    this.updateActive();
  }

  /** The only order in force if it is for the whole site; else `null`. */
  get soleOrder(): OrderBookEntry | null {
    if (this.record.order !== null) return this.readSole()[0];
    return this.entries.length === 1 && this.siteLevelEntries === this.entries ? this.entries[0] : null;
  }

  get isEmpty(): boolean {
    return this.record.order === null && this.entries.length === 0;
  }

  /** Sum of the active deltas in kW; `null` if there is none: FCR alone has no delta. */
  get activeDeltaKw(): number | null {
    let sumKw: number | null = null;
    for (const { order, deltaKw } of this.activeOrders) if (order.sku !== "fcr") sumKw = (sumKw ?? 0) + deltaKw;
    return sumKw;
  }

  /** Whether an active order is for a single component. */
  get hasActiveComponentOrders(): boolean {
    return this.record.order === null && this.hasSeenComponentOrders && this.siteLevelEntries !== this.activeEntries;
  }

  hasOrder(order: SiteOrder): boolean {
    if (this.record.order !== null) return this.record.order === order;
    return this.indexOf(order) >= 0;
  }

  isActive(order: SiteOrder): boolean {
    if (this.record.order !== null) return this.record.order === order;
    const active = this.activeEntries;
    for (let k = 0; k < active.length; k++) if (active[k].order === order) return true;
    return false;
  }

  /**
   * Ignores an order from now on, although its VPP keeps dispatching it: the VPP is not notified when an owner deletes the
   * site's share of a schedule.
   */
  revoke({ registration }: SiteOrder): void {
    this.listSole();
    this.revoked ??= new Set();
    this.revoked.add(registration);
    this.updateActive();
  }

  /** Registration numbers in order of revocation. */
  get revokedRegistrations(): readonly number[] {
    return this.revoked === null ? [] : [...this.revoked];
  }

  isRevoked({ registration }: Pick<SiteOrder, "registration">): boolean {
    return this.revoked?.has(registration) ?? false;
  }

  /** In signed kW; NaN if the order is not in force. */
  setpointCeilingKw(order: SiteOrder): number {
    if (this.record.order !== null) return this.record.order === order ? this.record.deltaKw : Number.NaN;
    const k = this.indexOf(order);
    return k < 0 ? Number.NaN : this.entries[k].setpointCeilingKw;
  }

  /** Adds an order, or changes its amount. */
  put(
    order: SiteOrder,
    { deltaKw, fcrCapacityKw, setpointCeilingKw = deltaKw }: OrderAmount,
    baselineKw: number,
  ): void {
    const { record } = this;
    const isDelta = fcrCapacityKw === 0 && setpointCeilingKw === deltaKw && typeof order.componentId !== "string";
    if (isDelta && record.isFreeFor(order)) {
      record.order = order;
      record.deltaKw = deltaKw;
      record.baselineKw = baselineKw;
      return;
    }
    this.listSole();
    const entry = { order, deltaKw, fcrCapacityKw, setpointCeilingKw, baselineKw };
    const k = this.indexOf(order);
    if (k >= 0) {
      Object.assign(this.entries[k], entry);
      return;
    }
    if (typeof order.componentId === "string") this.hasSeenComponentOrders = true;
    const { entries } = this;
    let i = entries.length;
    while (i > 0 && order.registration < entries[i - 1].order.registration) i--;
    const isLatest = i === entries.length;
    if (isLatest) entries.push(entry);
    else entries.splice(i, 0, entry);
    // No other order supersedes the latest one.
    if (isLatest && i > 1 && !this.isRevoked(order))
      this.setActive([...this.activeEntries.filter((earlier) => !supersedes(order, earlier.order)), entry]);
    else this.updateActive();
  }

  /** Ends an order. @returns whether it was in force */
  remove(order: SiteOrder): boolean {
    const { record } = this;
    if (record.order !== null) {
      if (record.order !== order) return false;
      record.order = null;
      return true;
    }
    const { entries } = this;
    const k = this.indexOf(order);
    if (k < 0) return false;
    const isSuperseded = entries.length > 2 && !this.isActive(order) && this.hasLaterOfScope(order, k);
    entries.splice(k, 1);
    if (!isSuperseded) this.updateActive();
    return true;
  }

  /** Replaces the orders in force; all of them are active. */
  restore(entries: readonly OrderBookEntry[]): void {
    this.record.order = null;
    this.entries.length = 0;
    for (const entry of entries) this.entries.push({ ...entry });
    this.activeEntries = this.entries;
    this.hasSeenComponentOrders = entries.some(isForComponent);
    this.siteLevelEntries = this.hasSeenComponentOrders
      ? entries.filter((entry) => !isForComponent(entry))
      : this.entries;
    this.record.hasListedOrders = entries.length > 0;
  }

  private indexOf(order: SiteOrder): number {
    for (let k = 0; k < this.entries.length; k++) if (this.entries[k].order === order) return k;
    return -1;
  }

  /** Whether a later order supersedes everything that an order supersedes. */
  private hasLaterOfScope(order: SiteOrder, k: number): boolean {
    for (let i = k + 1; i < this.entries.length; i++) {
      const later = this.entries[i].order;
      if (isSameScope(later, order) && !this.isRevoked(later)) return true;
    }
    return false;
  }

  private updateActive(): void {
    this.record.hasListedOrders = this.entries.length > 0 || this.revoked !== null;
    const entries = this.revoked === null ? this.entries : this.entries.filter(({ order }) => !this.isRevoked(order));
    this.setActive(entries.length < 2 ? entries : notSuperseded(entries));
  }

  private setActive(active: readonly OrderBookEntry[]): void {
    this.activeEntries = active;
    this.siteLevelEntries =
      this.hasSeenComponentOrders && this.activeEntries.some(isForComponent)
        ? this.activeEntries.filter((entry) => !isForComponent(entry))
        : this.activeEntries;
  }

  /**
   * Power that the other active orders reserve in one direction, in kW. FCR capacity is reserved in both directions
   * (docs/model/capability.md#held-by-others). Orders for a single component do not count.
   */
  reservedKw(except: SiteOrder, up: boolean): number {
    let kw = 0;
    for (const { order, deltaKw, fcrCapacityKw } of this.siteLevelOrders) {
      if (order === except) continue;
      if (up ? deltaKw > 0 : deltaKw < 0) kw += Math.abs(deltaKw);
      kw += fcrCapacityKw;
    }
    return kw;
  }
}

/**
 * The entries that no later one supersedes. Later orders are compared by their scopes, of which there are few: the time is linear
 * in the number of orders (docs/model/overlap.md#many-schedules).
 */
function notSuperseded(entries: readonly OrderBookEntry[]): OrderBookEntry[] {
  const laterScopes: OrderScope[] = [];
  const found: OrderBookEntry[] = [];
  for (let k = entries.length - 1; k >= 0; k--) {
    const { order } = entries[k];
    if (laterScopes.every((later) => !supersedes(later, order))) found.push(entries[k]);
    // A superseded order supersedes earlier ones as well.
    if (!laterScopes.some((later) => isSameScope(later, order))) laterScopes.push(order);
  }
  return found.reverse();
}

const isSameScope = (a: OrderScope, b: OrderScope): boolean =>
  a.sku === b.sku && (a.componentId ?? null) === (b.componentId ?? null);

const isForComponent = ({ order }: { readonly order: SiteOrder }): boolean => typeof order.componentId === "string";
