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

/** Receives the events of batched sites. */
export interface BatchObserver {
  /** Called once, with the empty batch. */
  onBatchCreated(batch: SiteBatch): void;
  /** The site is batched from now on; its trajectory begins now. */
  onBatched(site: Site): void;
  /** The trajectory of a site without a battery ends. @param orderKw  baseline of its order; NaN without one */
  onTrajectoryEnd(site: Site, orderKw: number, atMs: EpochMs): void;
  /** The site leaves the batch with its current trajectory. If that has just ended, `trajectoryStartMs` is now. */
  onEvicted(site: Site, trajectoryStartMs: EpochMs): void;
}

/** An order of a VPP with a number that is unique in the world. */
export interface NumberedOrder extends SiteOrder {
  readonly orderNumber: number;
  readonly fcrCapacityTenths: number | null;
}

const NO_ORDER = -2;

/** The world, which continues with evicted sites. */
export interface BatchHost {
  evictFromBatch(site: Site): void;
}

/**
 * Executes simple orders for many sites in array loops, without the cost of a `Site` for each. Requirements: set-points take
 * effect at once; constant connection limits; the site is in service; no output control, frequency response, ramp or rebound; one order of a VPP at a time.
 * A battery is simulated by a `BatchedBattery` instead of its component. PV and wind plants and consumers keep their
 * components, which get their trajectories from the batch, or follow their own plan between two orders.
 *
 * The state of the `Site` is not updated while it is batched, and its orders must not be read; `evict` updates it. The results
 * are bit-identical to those of `Site` and its resource: a test compares whole runs with and without batching.
 *
 * All arrays have one entry per site of the world, by index.
 */
export class SiteBatch extends Copyable {
  /** 1 if the site is batched. */
  readonly batched: Uint8Array;
  /** 1 if the site is batched and has a battery. */
  readonly batchedBatteries: Uint8Array;
  private batchedCount = 0;
  /** 1 if the trajectory has ended at this instant and the next one has not been planned. */
  readonly replanDue: Uint8Array;
  /** Number of the order in execution; `NO_ORDER` between two orders. A battery without an order is evicted. */
  readonly orderNumbers: Int32Array;
  /** Baseline and delta of that order; NaN without one. */
  readonly baselineKw: Float64Array;
  readonly deltaKw: Float64Array;
  /** Start of the trajectory. */
  readonly startMs: Float64Array;
  readonly batteries: BatteryBatch;
  readonly trajectoryCache: TrajectoryCache;
  /** 1 if the site can be batched while it executes a simple order. */
  readonly batchable: Uint8Array;
  private readonly sites: readonly Site[];
  /** Marketable products of each site, and whether the product checked last is among them. */
  private readonly marketable: (readonly Sku[])[];
  private readonly sellsCheckedSku: Uint8Array;
  private checkedSku: Sku | null = null;
  /** The first `closingCount` entries: batched sites whose trajectories must end now. */
  readonly closingSites: Int32Array;
  closingCount = 0;
  /** Sites whose trajectories have ended at this instant, in order: batteries, and others. */
  private readonly closedBatteries: Int32Array;
  private closedBatteryCount = 0;
  private readonly closedResources: Int32Array;
  private closedResourceCount = 0;
  /** Orders that may be in force in the batch; usually few. */
  private readonly knownOrders: NumberedOrder[] = [];
  private readonly observer: BatchObserver;
  /** Reused for each trajectory. */
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

  /** Adds a site whose trajectory begins now, unless it needs the general planner. */
  add(site: Site, order: NumberedOrder, entry: OrderBookEntry, atMs: EpochMs): void {
    const { index, resource } = site;
    this.startMs[index] = atMs;
    const battery = resource.batchBattery;
    if (battery !== null) {
      this.applyOrder(index, order, entry.deltaKw, entry.baselineKw);
      this.batteries.batteries[index].storedKwh = battery.storedKwh;
      this.replanDue[index] = 1;
      if (!this.batteries.planOne(index, this)) {
        this.replanDue[index] = 0;
        this.clearOrder(index);
        return;
      }
      this.batchedBatteries[index] = 1;
    } else {
      if (entry.setpointCeilingKw !== entry.deltaKw) return;
      this.applyOrder(index, order, entry.deltaKw, entry.baselineKw);
      this.trajectoryCache.beginUnshared(index);
    }
    this.rememberOrder(order);
    this.batched[index] = 1;
    this.batchedCount++;
    site.handOverToBatch(entry);
    this.observer.onBatched(site);
  }

  /**
   * Removes a site from the batch.
   *
   * @returns whether its trajectory has ended at this instant, so that the site must be replanned
   */
  evict(site: Site): boolean {
    const { index } = site;
    const order = this.orderAt(index);
    const isReplanDue = this.replanDue[index] === 1;
    const deltaKw = this.deltaKw[index];
    const entry =
      order === null
        ? null
        : { order, deltaKw, fcrCapacityKw: 0, setpointCeilingKw: deltaKw, baselineKw: this.baselineKw[index] };
    this.observer.onEvicted(site, this.startMs[index]);
    this.batched[index] = 0;
    this.batchedCount--;
    this.batchedBatteries[index] = 0;
    this.replanDue[index] = 0;
    this.clearOrder(index);
    site.resumeFromBatch(entry, this.batteries.batteries[index].storedKwh, this.startMs[index], isReplanDue);
    return isReplanDue;
  }

  /** The first position at or after `from` whose site is not batched; the number of sites if there is none. */
  nextUnbatched(sites: Int32Array, from: number): number {
    const { batched } = this;
    if (this.batchedCount === batched.length) return sites.length;
    let i = from;
    while (i < sites.length && batched[sites[i]] === 1) i++;
    return i;
  }

  private orderAt(index: number): NumberedOrder | null {
    const orderNumber = this.orderNumbers[index];
    for (const order of this.knownOrders) if (order.orderNumber === orderNumber) return order;
    return null;
  }

  /** Ends the trajectories of these batched sites, none of which is due for replanning, and integrates them up to the instant. */
  closeTrajectories(indices: Int32Array, count: number, atMs: EpochMs): void {
    const { batchedBatteries, closedBatteries, closedBatteryCount: closedCount } = this;
    let batteryCount = closedCount;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      if (batchedBatteries[index] === 1) closedBatteries[batteryCount++] = index;
      else this.closeResourceTrajectory(index, atMs);
    }
    const closing = closedCount === 0 ? closedBatteries : closedBatteries.subarray(closedCount);
    this.batteries.closeTrajectories(closing, batteryCount - closedCount, this, atMs);
    this.closedBatteryCount = batteryCount;
  }

  private closeResourceTrajectory(index: number, atMs: EpochMs): void {
    this.observer.onTrajectoryEnd(this.sites[index], this.baselineKw[index], atMs);
    this.replanDue[index] = 1;
    this.closedResources[this.closedResourceCount++] = index;
    this.startMs[index] = atMs;
  }

  /** Plans the next trajectories of all closed sites; evicts those that cannot stay in the batch. */
  replan(host: BatchHost): void {
    if (this.closedBatteryCount > 0) this.replanBatteries(host);
    if (this.closedResourceCount > 0) this.replanResources();
  }

  private replanBatteries(host: BatchHost): void {
    const { closedBatteries, batched, replanDue, closedBatteryCount: closedCount } = this;
    this.closedBatteryCount = 0;
    if (this.batteries.plan(closedBatteries, closedCount, this) === closedCount) return;
    for (let k = 0; k < closedCount; k++) {
      const index = closedBatteries[k];
      if (batched[index] === 1 && replanDue[index] === 1) host.evictFromBatch(this.sites[index]);
    }
  }

  private replanResources(): void {
    const { closedResources, batched, replanDue, setpoint, closedResourceCount: closedCount, startMs } = this;
    this.closedResourceCount = 0;
    for (let k = 0; k < closedCount; k++) {
      const index = closedResources[k];
      if (batched[index] === 0 || replanDue[index] === 0) continue;
      const { resource, reduction } = this.sites[index];
      const order = this.orderAt(index);
      setpoint.baselineKw = this.baselineKw[index];
      setpoint.deltaKw = this.deltaKw[index];
      if (resource.load !== null) {
        const isReduction = order !== null && setpoint.deltaKw < 0;
        reduction.update(resource.load, isReduction, isReduction ? order.sku : null, startMs[index]);
      }
      resource.planTrajectory(startMs[index], order === null ? PLAN_SETPOINT : setpoint, this.operatingConditions);
      this.trajectoryCache.begin(index, setpoint.deltaKw, setpoint.baselineKw, startMs[index]);
      replanDue[index] = 0;
    }
  }

  /** Whether batched sites can execute an order; `isAvailableFor` checks a single site. */
  canExecute(order: NumberedOrder): boolean {
    if (order.fcrCapacityTenths !== null || order.activation !== 1) return false;
    this.rememberOrder(order);
    if (order.sku !== this.checkedSku) this.updateCheckedSku(order.sku);
    return true;
  }

  /** Whether a batched site has no other order and may sell this product. */
  isAvailableFor(index: number, { orderNumber }: NumberedOrder): boolean {
    const current = this.orderNumbers[index];
    return (current === NO_ORDER || current === orderNumber) && this.sellsCheckedSku[index] === 1;
  }

  /** Consecutive orders usually have the same product. */
  private updateCheckedSku(sku: Sku | null): void {
    this.checkedSku = sku;
    for (let index = 0; index < this.sellsCheckedSku.length; index++)
      this.sellsCheckedSku[index] = sku === null || this.marketable[index].includes(sku) ? 1 : 0;
  }

  /** Whether a closed site without a battery can execute an amount in the batch; if not, the site itself checks it after eviction. */
  canApply(index: number, order: SiteOrder, amount: Required<OrderAmount>): boolean {
    const site = this.sites[index];
    if (amount.setpointCeilingKw !== amount.deltaKw) return false;
    return site.resource.load === null || checkOrder(site, order, amount, this.startMs[index]) === null;
  }

  isExecuting(index: number, { orderNumber }: NumberedOrder): boolean {
    return this.orderNumbers[index] === orderNumber;
  }

  /** Begins an order at a closed site, or changes its amount. */
  applyOrder(index: number, { orderNumber }: NumberedOrder, deltaKw: number, baselineKw: number): void {
    this.orderNumbers[index] = orderNumber;
    this.deltaKw[index] = deltaKw;
    this.baselineKw[index] = baselineKw;
  }

  /**
   * Marks with 1 the members with batched batteries that can execute an order, and lists those that are not closed yet in
   * `closingSites`. `canExecute` must have accepted the order.
   *
   * @param participation  output, one per member; 0 for all other members
   * @returns number of marked members
   */
  markBatteries(
    { orderNumber }: NumberedOrder,
    { siteIndices, weights, baselineKw }: MemberColumns,
    participation: Uint8Array,
  ): number {
    const { batchedBatteries, orderNumbers, sellsCheckedSku, replanDue, closingSites } = this;
    let count = 0;
    let closingCount = 0;
    for (let i = 0; i < siteIndices.length; i++) {
      const index = siteIndices[i];
      const current = orderNumbers[index];
      const isFree =
        batchedBatteries[index] === 1 &&
        sellsCheckedSku[index] === 1 &&
        (current === NO_ORDER || current === orderNumber);
      // A missing baseline is NaN.
      if (!isFree || weights[i] === 0 || Number.isNaN(baselineKw[i])) {
        participation[i] = 0;
        continue;
      }
      participation[i] = 1;
      count++;
      if (replanDue[index] === 0) closingSites[closingCount++] = index;
    }
    this.closingCount = closingCount;
    return count;
  }

  /** Adds a batched site to `closingSites`, if it is not closed yet. */
  addToClosing(index: number): void {
    if (this.replanDue[index] === 0) this.closingSites[this.closingCount++] = index;
  }

  /** Lists the sites that execute an order in `closingSites`; closed sites lose the order at once. */
  listExecutingSites(sites: Int32Array, { orderNumber }: NumberedOrder): void {
    const { orderNumbers, replanDue, closingSites } = this;
    let count = 0;
    for (let i = 0; i < sites.length; i++) {
      const index = sites[i];
      if (orderNumbers[index] !== orderNumber) continue;
      if (replanDue[index] === 0) closingSites[count++] = index;
      else this.clearOrder(index);
    }
    this.closingCount = count;
  }

  /** Ends an order at the sites in `closingSites`, the last ones that execute it. */
  releaseOrder(order: NumberedOrder): void {
    const { knownOrders, closingSites, closingCount } = this;
    for (let k = 0; k < closingCount; k++) this.clearOrder(closingSites[k]);
    for (let k = 0; k < knownOrders.length; k++)
      if (knownOrders[k] === order) {
        knownOrders[k] = knownOrders[knownOrders.length - 1];
        knownOrders.pop();
        return;
      }
  }

  /** Removes the order of a closed site. */
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

/** Whether the constant properties of a site allow batching. */
const isBatchable = ({ resource, isUndelayed, limits }: Site): boolean =>
  isUndelayed && !limits.isVariable && resource.isBatchable;
