import { Copyable } from "../../base/copyState.ts";
import { append } from "../../base/lists.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import { newSetpoint, type OperatingConditions, PLAN_SETPOINT } from "../components/setpoint.ts";
import { checkOrder } from "../orders/checkOrder.ts";
import type { OrderAmount, OrderBookEntry, SiteOrder } from "../orders/siteOrder.ts";
import type { Site } from "../site.ts";
import { BatteryBatch, type MemberColumns } from "./batteryBatch.ts";
import { TrajectoryCache } from "./trajectoryCache.ts";

/** Keeps the books of sites that stand in a bank. */
export interface BatchObserver {
  /** There is a bank, with nothing in it. */
  onBatchCreated(bank: SiteBatch): void;
  /** The site stands in the bank from now on; its law begins now. */
  onBatched(site: Site): void;
  /** The law of a site without a battery ends. @param orderKw  baseline of its order; NaN without one */
  onTrajectoryEnd(site: Site, orderKw: number, atMs: EpochMs): void;
  /** It goes on by itself, under the law it has; where that has just ended, `trajectoryStartMs` is now. */
  onEvicted(site: Site, lawBeganMs: EpochMs): void;
}

/** What a VPP tells its members, which no other order of the world shares its number with. */
export interface NumberedOrder extends SiteOrder {
  readonly orderNumber: number;
  readonly fcrCapacityTenths: number | null;
}

const NO_ORDER = -2;

/** The world that the sites go on in by themselves. */
export interface BatchHost {
  evictFromBatch(site: Site): void;
}

/**
 * Sites that execute orders in the plainest way, without all that a `Site` does for each: told at once, in service, without
 * output control, frequency response, ramp or anything that comes back later, one order of a VPP at a time. A fleet of them
 * is carried on from award to award in loops. A battery's unit stands still and a `BatchedBattery` goes on for it; the unit of
 * an array or a load goes on with the laws that it is given here, its own plan between two orders.
 *
 * While a site is kept here its `Site` stands still and must not be asked what it executes; `giveBack` makes it what it
 * would be by now. The numbers are those of `Site` and its unit, to the last digit: a test holds whole runs with and
 * without a bank together.
 *
 * All lists have an entry for each site of the world, by its index.
 */
export class SiteBatch extends Copyable {
  /** 1 where the site is kept here. */
  readonly batched: Uint8Array;
  /** 1 where the site is kept and has a battery. */
  readonly batchedBatteries: Uint8Array;
  private batchedCount = 0;
  /** 1 where the law has ended at this instant and the next has not begun. */
  readonly replanDue: Uint8Array;
  /** The number of what the site executes; `NO_ORDER` from the end of an order to the next. Batteries are not kept without. */
  readonly orderNumbers: Int32Array;
  /** Of that order; NaN without. */
  readonly baselineKw: Float64Array;
  readonly deltaKw: Float64Array;
  /** When the law began. */
  readonly startMs: Float64Array;
  readonly batteries: BatteryBatch;
  readonly trajectoryCache: TrajectoryCache;
  /** 1 where the site can be kept while it executes a plain order. */
  readonly batchable: Uint8Array;
  private readonly sites: readonly Site[];
  /** What the sites are given to sell, and whether the product that was asked for last is in it. */
  private readonly marketable: (readonly Sku[])[];
  private readonly sellsCheckedSku: Uint8Array;
  private checkedSku: Sku | null = null;
  /** Kept sites whose laws are to end now, the first `closingCount`. */
  readonly closingSites: Int32Array;
  closingCount = 0;
  /** Sites closed at this instant, in that order: batteries, and others. */
  private readonly closedBatteries: Int32Array;
  private closedBatteryCount = 0;
  private readonly closedResources: Int32Array;
  private closedResourceCount = 0;
  /** Orders that may be in force here, a few at a time. */
  private readonly knownOrders: NumberedOrder[] = [];
  private readonly observer: BatchObserver;
  /** Filled anew for each law. */
  private readonly setpoint = newSetpoint();
  private readonly operatingConditions: OperatingConditions = { inService: true, outputLimit: 1, response: null };

  constructor(sites: readonly Site[], observer: BatchObserver) {
    super();
    const { length } = sites;
    this.observer = observer;
    this.sites = sites;
    this.batched = new Uint8Array(length);
    this.batchedBatteries = new Uint8Array(length);
    this.replanDue = new Uint8Array(length);
    this.orderNumbers = new Int32Array(length).fill(NO_ORDER);
    this.baselineKw = new Float64Array(length);
    this.deltaKw = new Float64Array(length);
    this.startMs = new Float64Array(length);
    this.batteries = new BatteryBatch(sites);
    this.trajectoryCache = new TrajectoryCache(sites);
    this.batchable = Uint8Array.from(sites, (site) => (isBatchable(site) ? 1 : 0));
    this.closingSites = new Int32Array(length);
    this.closedBatteries = new Int32Array(length);
    this.closedResources = new Int32Array(length);
    this.marketable = sites.map(({ spec }) => spec.capability.marketable);
    this.sellsCheckedSku = new Uint8Array(length).fill(1);
    observer.onBatchCreated(this);
  }

  /** Takes in a site that has just begun a law, unless that is one for the general planner. */
  add(site: Site, order: NumberedOrder, held: OrderBookEntry, atMs: EpochMs): void {
    const { index, resource: unit } = site;
    this.startMs[index] = atMs;
    const battery = unit.batchBattery;
    if (battery !== null) {
      this.applyOrder(index, order, held.deltaKw, held.baselineKw);
      this.batteries.batteries[index].storedKwh = battery.storedKwh;
      this.replanDue[index] = 1;
      if (!this.batteries.planOne(index, this)) {
        this.replanDue[index] = 0;
        this.clearOrder(index);
        return;
      }
      this.batchedBatteries[index] = 1;
    } else {
      if (held.setpointCeilingKw !== held.deltaKw) return;
      this.applyOrder(index, order, held.deltaKw, held.baselineKw);
      this.trajectoryCache.beginUnshared(index);
    }
    this.rememberOrder(order);
    this.batched[index] = 1;
    this.batchedCount++;
    site.handOverToBatch(held);
    this.observer.onBatched(site);
  }

  /**
   * Makes a site go on by itself.
   *
   * @returns whether its law has ended at this instant, so that it has to be settled
   */
  evict(site: Site): boolean {
    const { index } = site;
    const order = this.orderAt(index);
    const isUnsettled = this.replanDue[index] === 1;
    const deltaKw = this.deltaKw[index];
    const held =
      order === null
        ? null
        : { order, deltaKw, fcrCapacityKw: 0, setpointCeilingKw: deltaKw, baselineKw: this.baselineKw[index] };
    this.observer.onEvicted(site, this.startMs[index]);
    this.batched[index] = 0;
    this.batchedCount--;
    this.batchedBatteries[index] = 0;
    this.replanDue[index] = 0;
    this.clearOrder(index);
    site.resumeFromBatch(held, this.batteries.batteries[index].storedKwh, this.startMs[index], isUnsettled);
    return isUnsettled;
  }

  /** The first of some sites, from a place on, that is not kept; mostly there is none, and the count of the sites is returned. */
  nextUnbatched(sites: Int32Array, from: number): number {
    const { batched: kept } = this;
    if (this.batchedCount === kept.length) return sites.length;
    let i = from;
    while (i < sites.length && kept[sites[i]] === 1) i++;
    return i;
  }

  private orderAt(index: number): NumberedOrder | null {
    const number = this.orderNumbers[index];
    for (const order of this.knownOrders) if (order.orderNumber === number) return order;
    return null;
  }

  /** The laws of these kept sites, none of which is unsettled, end; they are brought to the instant. */
  closeTrajectories(indices: Int32Array, count: number, atMs: EpochMs): void {
    const { batchedBatteries: keptBatteries, closedBatteries: closed, closedBatteryCount: closedCount } = this;
    let batteryCount = closedCount;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      if (keptBatteries[index] === 1) closed[batteryCount++] = index;
      else this.closeResourceTrajectory(index, atMs);
    }
    const closing = closedCount === 0 ? closed : closed.subarray(closedCount);
    this.batteries.closeTrajectories(closing, batteryCount - closedCount, this, atMs);
    this.closedBatteryCount = batteryCount;
  }

  private closeResourceTrajectory(index: number, atMs: EpochMs): void {
    this.observer.onTrajectoryEnd(this.sites[index], this.baselineKw[index], atMs);
    this.replanDue[index] = 1;
    this.closedResources[this.closedResourceCount++] = index;
    this.startMs[index] = atMs;
  }

  /** Begins the next laws of all that were closed; those that are not plain any more go on by themselves. */
  replan(field: BatchHost): void {
    if (this.closedBatteryCount > 0) this.replanBatteries(field);
    if (this.closedResourceCount > 0) this.replanResources();
  }

  private replanBatteries(field: BatchHost): void {
    const { closedBatteries: closed, batched: kept, replanDue: unsettled, closedBatteryCount: closedCount } = this;
    this.closedBatteryCount = 0;
    if (this.batteries.plan(closed, closedCount, this) === closedCount) return;
    for (let k = 0; k < closedCount; k++) {
      const index = closed[k];
      if (kept[index] === 1 && unsettled[index] === 1) field.evictFromBatch(this.sites[index]);
    }
  }

  private replanResources(): void {
    const {
      closedResources: closedUnits,
      batched: kept,
      replanDue: unsettled,
      setpoint: target,
      closedResourceCount: closedUnitCount,
      startMs,
    } = this;
    this.closedResourceCount = 0;
    for (let k = 0; k < closedUnitCount; k++) {
      const index = closedUnits[k];
      if (kept[index] === 0 || unsettled[index] === 0) continue;
      const { resource: unit, reduction } = this.sites[index];
      const order = this.orderAt(index);
      target.baselineKw = this.baselineKw[index];
      target.deltaKw = this.deltaKw[index];
      if (unit.load !== null) {
        const reduces = order !== null && target.deltaKw < 0;
        reduction.update(unit.load, reduces, reduces ? order.sku : null, startMs[index]);
      }
      unit.planTrajectory(startMs[index], order === null ? PLAN_SETPOINT : target, this.operatingConditions);
      this.trajectoryCache.begin(index, target.deltaKw, target.baselineKw, startMs[index]);
      unsettled[index] = 0;
    }
  }

  /** Whether an order is one that kept sites can execute; `isFree` then tells which of them. */
  canExecute(order: NumberedOrder): boolean {
    if (order.fcrCapacityTenths !== null || order.activation !== 1) return false;
    this.rememberOrder(order);
    if (order.sku !== this.checkedSku) this.updateCheckedSku(order.sku);
    return true;
  }

  /** Whether a kept site has no other order, and is given this product to sell. */
  isAvailableFor(index: number, { orderNumber: number }: NumberedOrder): boolean {
    const held = this.orderNumbers[index];
    return (held === NO_ORDER || held === number) && this.sellsCheckedSku[index] === 1;
  }

  /** Orders come in runs of one product. */
  private updateCheckedSku(sku: Sku | null): void {
    this.checkedSku = sku;
    for (let index = 0; index < this.sellsCheckedSku.length; index++)
      this.sellsCheckedSku[index] = sku === null || this.marketable[index].includes(sku) ? 1 : 0;
  }

  /** Whether a closed site that has no battery can execute an amount here; one that cannot may refuse it by itself. */
  canApply(index: number, order: SiteOrder, amount: Required<OrderAmount>): boolean {
    const site = this.sites[index];
    if (amount.setpointCeilingKw !== amount.deltaKw) return false;
    return site.resource.load === null || checkOrder(site, order, amount, this.startMs[index]) === null;
  }

  isExecuting(index: number, { orderNumber: number }: NumberedOrder): boolean {
    return this.orderNumbers[index] === number;
  }

  /** Begins an order at a closed site, or amends its amount. */
  applyOrder(index: number, { orderNumber: number }: NumberedOrder, deltaKw: number, baselineKw: number): void {
    this.orderNumbers[index] = number;
    this.deltaKw[index] = deltaKw;
    this.baselineKw[index] = baselineKw;
  }

  /**
   * Marks with 1 the members with kept batteries that can execute an order, which `canExecute` has been asked of, and lists
   * those that are not closed yet in `closing`.
   *
   * @param marks  one per member; 0 where it is no such battery
   * @returns how many are marked
   */
  markBatteries(
    { orderNumber: number }: NumberedOrder,
    { siteIndices: sites, weights, baselineKw }: MemberColumns,
    marks: Uint8Array,
  ): number {
    const {
      batchedBatteries: keptBatteries,
      orderNumbers: orders,
      sellsCheckedSku: sold,
      replanDue: unsettled,
      closingSites: closing,
    } = this;
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
  addToClosing(index: number): void {
    if (this.replanDue[index] === 0) this.closingSites[this.closingCount++] = index;
  }

  /** Lists those of these sites that execute an order in `closing`; closed ones are rid of it at once. */
  listExecutingSites(sites: Int32Array, { orderNumber: number }: NumberedOrder): void {
    const { orderNumbers: orders, replanDue: unsettled, closingSites: closing } = this;
    let count = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      if (orders[index] !== number) continue;
      if (unsettled[index] === 0) closing[count++] = index;
      else this.clearOrder(index);
    }
    this.closingCount = count;
  }

  /** Ends an order at the closed sites that stand in `closing`, the last that executed it. */
  releaseOrder(order: NumberedOrder): void {
    const { knownOrders: known, closingSites: closing, closingCount } = this;
    for (let k = 0; k < closingCount; k++) this.clearOrder(closing[k]);
    for (let k = 0; k < known.length; k++)
      if (known[k] === order) {
        known[k] = known[known.length - 1];
        known.pop();
        return;
      }
  }

  /** A closed site has no order until it gets another. */
  private clearOrder(index: number): void {
    this.orderNumbers[index] = NO_ORDER;
    this.baselineKw[index] = Number.NaN;
    this.deltaKw[index] = Number.NaN;
  }

  private rememberOrder(order: NumberedOrder): void {
    for (const known of this.knownOrders) if (known === order) return;
    append(this.knownOrders, order);
  }
}

/** What of a site never changes decides whether it can be kept. */
const isBatchable = ({ resource, isUndelayed }: Site): boolean => isUndelayed && resource.isBatchable;
