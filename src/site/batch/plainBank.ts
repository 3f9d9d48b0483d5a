import { Copyable } from "../../base/copyState.ts";
import { append } from "../../base/lists.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import { isPlain } from "../../device/battery/plainBattery.ts";
import { newTarget, OWN_PLAN, type Surroundings } from "../components/target.ts";
import type { HeldOrder, OrderAmount, SiteOrder } from "../orders/siteOrder.ts";
import { refusesOrder } from "../orders/siteRefusals.ts";
import type { Site } from "../site.ts";
import { type AskedMembers, BankBatteries } from "./bankBatteries.ts";
import { SharedLaws } from "./sharedLaws.ts";

/** Keeps the books of sites that stand in a bank. */
export interface BankObserver {
  /** There is a bank, with nothing in it. */
  opened(bank: PlainBank): void;
  /** The site stands in the bank from now on; its law begins now. */
  kept(site: Site): void;
  /** The law of a site without a battery ends. @param orderKw  baseline of its order; NaN without one */
  closes(site: Site, orderKw: number, atMs: EpochMs): void;
  /** It goes on by itself, under the law it has; where that has just ended, `lawBeganMs` is now. */
  givenBack(site: Site, lawBeganMs: EpochMs): void;
}

/** What a VPP tells its members, which no other order of the world shares its number with. */
export interface NumberedOrder extends SiteOrder {
  readonly number: number;
  readonly fcrTenths: number | null;
}

const NO_ORDER = -2;

/** The world that the sites go on in by themselves. */
export interface BankField {
  giveBack(site: Site): void;
}

/**
 * Sites that execute orders in the plainest way, without all that a `Site` does for each: told at once, in service, without
 * output control, frequency response, ramp or anything that comes back later, one order of a VPP at a time. A fleet of them
 * is carried on from award to award in loops. A battery's unit stands still and a `BankBattery` goes on for it; the unit of
 * an array or a load goes on with the laws that it is given here, its own plan between two orders.
 *
 * While a site is kept here its `Site` stands still and must not be asked what it executes; `giveBack` makes it what it
 * would be by now. The numbers are those of `Site` and its unit, to the last digit: a test holds whole runs with and
 * without a bank together.
 *
 * All lists have an entry for each site of the world, by its index.
 */
export class PlainBank extends Copyable {
  /** 1 where the site is kept here. */
  readonly kept: Uint8Array;
  /** 1 where the site is kept and has a battery. */
  readonly keptBatteries: Uint8Array;
  private keptCount = 0;
  /** 1 where the law has ended at this instant and the next has not begun. */
  readonly unsettled: Uint8Array;
  /** The number of what the site executes; `NO_ORDER` from the end of an order to the next. Batteries are not kept without. */
  readonly orders: Int32Array;
  /** Of that order; NaN without. */
  readonly baselineKw: Float64Array;
  readonly deltaKw: Float64Array;
  /** When the law began. */
  readonly startMs: Float64Array;
  readonly batteries: BankBatteries;
  readonly sharedLaws: SharedLaws;
  /** 1 where the site can be kept while it executes a plain order. */
  readonly keepable: Uint8Array;
  private readonly sites: readonly Site[];
  /** What the sites are given to sell, and whether the product that was asked for last is in it. */
  private readonly marketable: (readonly Sku[])[];
  private readonly sold: Uint8Array;
  private soldSku: Sku | null = null;
  /** Kept sites whose laws are to end now, the first `closingCount`. */
  readonly closing: Int32Array;
  closingCount = 0;
  /** Sites closed at this instant, in that order: batteries, and others. */
  private readonly closed: Int32Array;
  private closedCount = 0;
  private readonly closedUnits: Int32Array;
  private closedUnitCount = 0;
  /** Orders that may be in force here, a few at a time. */
  private readonly known: NumberedOrder[] = [];
  private readonly observer: BankObserver;
  /** Filled anew for each law. */
  private readonly target = newTarget();
  private readonly around: Surroundings = { inService: true, outputLimit: 1, response: null };

  constructor(sites: readonly Site[], observer: BankObserver) {
    super();
    const { length } = sites;
    this.observer = observer;
    this.sites = sites;
    this.kept = new Uint8Array(length);
    this.keptBatteries = new Uint8Array(length);
    this.unsettled = new Uint8Array(length);
    this.orders = new Int32Array(length).fill(NO_ORDER);
    this.baselineKw = new Float64Array(length);
    this.deltaKw = new Float64Array(length);
    this.startMs = new Float64Array(length);
    this.batteries = new BankBatteries(sites);
    this.sharedLaws = new SharedLaws(sites);
    this.keepable = Uint8Array.from(sites, (site) => (isKeepable(site) ? 1 : 0));
    this.closing = new Int32Array(length);
    this.closed = new Int32Array(length);
    this.closedUnits = new Int32Array(length);
    this.marketable = sites.map(({ spec }) => spec.capability.marketable);
    this.sold = new Uint8Array(length).fill(1);
    observer.opened(this);
  }

  /** Takes in a site that has just begun a law, unless that is one for the general planner. */
  keep(site: Site, order: NumberedOrder, held: HeldOrder, atMs: EpochMs): void {
    const { index, unit } = site;
    this.startMs[index] = atMs;
    if (unit.kind === "battery") {
      this.take(index, order, held.deltaKw, held.baselineKw);
      this.batteries.each[index].storedKwh = unit.storedKwh;
      this.unsettled[index] = 1;
      if (!this.batteries.planOne(index, this)) {
        this.unsettled[index] = 0;
        this.leaveWithout(index);
        return;
      }
      this.keptBatteries[index] = 1;
    } else {
      if (held.reachKw !== held.deltaKw) return;
      this.take(index, order, held.deltaKw, held.baselineKw);
      this.sharedLaws.beginAlone(index);
    }
    this.know(order);
    this.kept[index] = 1;
    this.keptCount++;
    site.suspend(held);
    this.observer.kept(site);
  }

  /**
   * Makes a site go on by itself.
   *
   * @returns whether its law has ended at this instant, so that it has to be settled
   */
  giveBack(site: Site): boolean {
    const { index } = site;
    const order = this.orderOf(index);
    const isUnsettled = this.unsettled[index] === 1;
    const deltaKw = this.deltaKw[index];
    const held =
      order === null ? null : { order, deltaKw, fcrKw: 0, reachKw: deltaKw, baselineKw: this.baselineKw[index] };
    this.observer.givenBack(site, this.startMs[index]);
    this.kept[index] = 0;
    this.keptCount--;
    this.keptBatteries[index] = 0;
    this.unsettled[index] = 0;
    this.leaveWithout(index);
    site.resume(held, this.batteries.each[index].storedKwh, this.startMs[index], isUnsettled);
    return isUnsettled;
  }

  /** The first of some sites, from a place on, that is not kept; mostly there is none, and the count of the sites is returned. */
  nextNotKept(sites: Int32Array, from: number): number {
    const { kept } = this;
    if (this.keptCount === kept.length) return sites.length;
    let i = from;
    while (i < sites.length && kept[sites[i]] === 1) i++;
    return i;
  }

  private orderOf(index: number): NumberedOrder | null {
    const number = this.orders[index];
    for (const order of this.known) if (order.number === number) return order;
    return null;
  }

  /** The laws of these kept sites, none of which is unsettled, end; they are brought to the instant. */
  close(indices: Int32Array, count: number, atMs: EpochMs): void {
    const { keptBatteries, closed, closedCount } = this;
    let batteryCount = closedCount;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      if (keptBatteries[index] === 1) closed[batteryCount++] = index;
      else this.closeUnit(index, atMs);
    }
    const closing = closedCount === 0 ? closed : closed.subarray(closedCount);
    this.batteries.close(closing, batteryCount - closedCount, this, atMs);
    this.closedCount = batteryCount;
  }

  private closeUnit(index: number, atMs: EpochMs): void {
    this.observer.closes(this.sites[index], this.baselineKw[index], atMs);
    this.unsettled[index] = 1;
    this.closedUnits[this.closedUnitCount++] = index;
    this.startMs[index] = atMs;
  }

  /** Begins the next laws of all that were closed; those that are not plain any more go on by themselves. */
  settle(field: BankField): void {
    if (this.closedCount > 0) this.settleBatteries(field);
    if (this.closedUnitCount > 0) this.settleUnits();
  }

  private settleBatteries(field: BankField): void {
    const { closed, kept, unsettled, closedCount } = this;
    this.closedCount = 0;
    if (this.batteries.plan(closed, closedCount, this) === closedCount) return;
    for (let k = 0; k < closedCount; k++) {
      const index = closed[k];
      if (kept[index] === 1 && unsettled[index] === 1) field.giveBack(this.sites[index]);
    }
  }

  private settleUnits(): void {
    const { closedUnits, kept, unsettled, target, closedUnitCount, startMs } = this;
    this.closedUnitCount = 0;
    for (let k = 0; k < closedUnitCount; k++) {
      const index = closedUnits[k];
      if (kept[index] === 0 || unsettled[index] === 0) continue;
      const { unit, reduction } = this.sites[index];
      const order = this.orderOf(index);
      target.baselineKw = this.baselineKw[index];
      target.deltaKw = this.deltaKw[index];
      if (unit.kind === "consumer") {
        const reduces = order !== null && target.deltaKw < 0;
        reduction.settle(unit, reduces, reduces ? order.sku : null, startMs[index]);
      }
      unit.follow(startMs[index], order === null ? OWN_PLAN : target, this.around);
      this.sharedLaws.begin(index, target.deltaKw, target.baselineKw, startMs[index]);
      unsettled[index] = 0;
    }
  }

  /** Whether an order is one that kept sites can execute; `isFree` then tells which of them. */
  couldTake(order: NumberedOrder): boolean {
    if (order.fcrTenths !== null || order.activation !== 1) return false;
    this.know(order);
    if (order.sku !== this.soldSku) this.noteSold(order.sku);
    return true;
  }

  /** Whether a kept site has no other order, and is given this product to sell. */
  isFree(index: number, { number }: NumberedOrder): boolean {
    const held = this.orders[index];
    return (held === NO_ORDER || held === number) && this.sold[index] === 1;
  }

  /** Orders come in runs of one product. */
  private noteSold(sku: Sku | null): void {
    this.soldSku = sku;
    for (let index = 0; index < this.sold.length; index++)
      this.sold[index] = sku === null || this.marketable[index].includes(sku) ? 1 : 0;
  }

  /** Whether a closed site that has no battery can execute an amount here; one that cannot may refuse it by itself. */
  canCarry(index: number, order: SiteOrder, amount: Required<OrderAmount>): boolean {
    const site = this.sites[index];
    if (amount.reachKw !== amount.deltaKw) return false;
    return site.unit.kind !== "consumer" || refusesOrder(site, order, amount, this.startMs[index]) === null;
  }

  executes(index: number, { number }: NumberedOrder): boolean {
    return this.orders[index] === number;
  }

  /** Begins an order at a closed site, or amends its amount. */
  take(index: number, { number }: NumberedOrder, deltaKw: number, baselineKw: number): void {
    this.orders[index] = number;
    this.deltaKw[index] = deltaKw;
    this.baselineKw[index] = baselineKw;
  }

  /**
   * Marks with 1 the members with kept batteries that can execute an order, which `couldTake` has been asked of, and lists
   * those that are not closed yet in `closing`.
   *
   * @param marks  one per member; 0 where it is no such battery
   * @returns how many are marked
   */
  markBatteries({ number }: NumberedOrder, { sites, weights, baselineKw }: AskedMembers, marks: Uint8Array): number {
    const { keptBatteries, orders, sold, unsettled, closing } = this;
    let count = 0;
    let closingCount = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      const held = orders[index];
      const isFree = keptBatteries[index] === 1 && sold[index] === 1 && (held === NO_ORDER || held === number);
      // A baseline that is missing is NaN.
      if (!isFree || weights[i] === 0 || Number.isNaN(baselineKw[i])) {
        marks[i] = 0;
        continue;
      }
      marks[i] = 1;
      count++;
      if (unsettled[index] === 0) closing[closingCount++] = index;
    }
    this.closingCount = closingCount;
    return count;
  }

  /** Adds a site that is kept to those in `closing`, if it is not closed yet. */
  closeToo(index: number): void {
    if (this.unsettled[index] === 0) this.closing[this.closingCount++] = index;
  }

  /** Lists those of these sites that execute an order in `closing`; closed ones are rid of it at once. */
  listExecuting(sites: Int32Array, { number }: NumberedOrder): void {
    const { orders, unsettled, closing } = this;
    let count = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      if (orders[index] !== number) continue;
      if (unsettled[index] === 0) closing[count++] = index;
      else this.leaveWithout(index);
    }
    this.closingCount = count;
  }

  /** Ends an order at the closed sites that stand in `closing`, the last that executed it. */
  release(order: NumberedOrder): void {
    const { known, closing, closingCount } = this;
    for (let k = 0; k < closingCount; k++) this.leaveWithout(closing[k]);
    for (let k = 0; k < known.length; k++)
      if (known[k] === order) {
        known[k] = known[known.length - 1];
        known.pop();
        return;
      }
  }

  /** A closed site has no order until it gets another. */
  private leaveWithout(index: number): void {
    this.orders[index] = NO_ORDER;
    this.baselineKw[index] = Number.NaN;
    this.deltaKw[index] = Number.NaN;
  }

  private know(order: NumberedOrder): void {
    for (const known of this.known) if (known === order) return;
    append(this.known, order);
  }
}

/** What of a site never changes decides whether it can be kept. */
function isKeepable({ unit, isPrompt }: Site): boolean {
  if (!isPrompt) return false;
  switch (unit.kind) {
    case "battery":
      return isPlain(unit.spec);
    case "generator":
      return true;
    case "consumer":
      return unit.isPlain;
    default:
      return false;
  }
}
