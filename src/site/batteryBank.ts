import { Copyable } from "../base/copyState.ts";
import { floorToTenths } from "../base/rounding.ts";
import type { Sku } from "../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../base/time.ts";
import { BOUND_KWH, SAME, storedMaxKwh, storedMinKwh } from "../device/batteryCapability.ts";
import { isPlain } from "../device/plainBattery.ts";
import type { Site } from "./site.ts";
import type { HeldOrder, SiteOrder } from "./siteOrder.ts";
import { BINDS, type Stretch } from "./stretch.ts";

/** Keeps the books of batteries that stand in a bank. */
export interface BankObserver {
  /** There is a bank, with nothing in it. */
  opened(bank: BatteryBank): void;
  /** The battery stands in the bank from now on; its law begins now. */
  kept(site: Site): void;
  /** The laws of these batteries end, those of `indices` from `first` up to `last`. */
  close(indices: Int32Array, first: number, last: number, atMs: EpochMs): void;
  /** It goes on by itself, under the law it has; where that has just ended, `lawBeganMs` is now. */
  givenBack(site: Site, lawBeganMs: EpochMs): void;
}

/** What a VPP tells its members, which no other order of the world shares its number with. */
export interface NumberedOrder extends SiteOrder {
  readonly number: number;
  readonly fcrTenths: number | null;
}

/** Members of a VPP that are asked something. */
interface MemberList {
  /** Of all members. */
  readonly sites: Int32Array;
  /** Of those asked, the first `count`: their places among the members. */
  readonly places: Int32Array;
  readonly count: number;
  /** One per member. */
  readonly baselineKw: Float64Array;
  /** Whether they are to take more, or to give more. */
  readonly up: boolean;
}

const NO_ORDER = -2;

/** The sites whose batteries a bank keeps. */
export interface BankField {
  readonly sites: readonly Site[];
  giveBack(site: Site): void;
}

/**
 * Batteries that execute one order in the plainest way, in columns instead of objects: no taper, ramp, self-discharge,
 * output control or frequency response, one order of a VPP, told at once. Such a battery has one power until its store is
 * full or empty, and none after; a fleet of them is carried on from award to award in loops over numbers.
 *
 * While a battery is kept here its `Site` and unit stand still and must not be asked; `giveBack` makes them what they would
 * be by now. The numbers are those of `planPlainBattery`, `BatteryUnit` and `Site`, to the last digit: a test holds whole
 * runs with and without a bank together.
 *
 * All columns have an entry for each site of the world, by its index.
 */
export class BatteryBank extends Copyable {
  /** 1 where the site's battery is kept here. */
  readonly kept: Uint8Array;
  /** 1 where the law has ended at this instant and the next has not begun. */
  readonly unsettled: Uint8Array;
  /** The number of what the site executes; `NO_ORDER` from the end of an order to the next. */
  readonly orders: Int32Array;
  readonly baselineKw: Float64Array;
  readonly deltaKw: Float64Array;
  /** When the law began, and what was stored then. */
  readonly startMs: Float64Array;
  readonly storedKwh: Float64Array;
  /** kW at the grid point until `boundMs`, auxiliaries included. */
  readonly kw: Float64Array;
  readonly storedKwhPerMs: Float64Array;
  /** When the store is full or empty, and how long after the start; real numbers, `Infinity` where it does not get there. */
  readonly boundMs: Float64Array;
  readonly boundAfterMs: Float64Array;
  readonly auxiliaryKw: Float64Array;
  readonly fullKwh: Float64Array;
  readonly emptyKwh: Float64Array;
  /** 1 where the battery can be kept while it executes a plain order. */
  readonly fit: Uint8Array;
  /** The most that the cells may take in and give out, grid limits included. */
  private readonly importKw: Float64Array;
  private readonly exportKw: Float64Array;
  /** Of them, what the VPP may count with: nothing goes out where power must not flow back. */
  private readonly marketedExportKw: Float64Array;
  private readonly chargeKwhPerKwMs: Float64Array;
  private readonly dischargeKwhPerKwMs: Float64Array;
  /** What the sites are given to sell, and whether the product that was asked for last is in it. */
  private readonly marketable: (readonly Sku[])[];
  private readonly sold: Uint8Array;
  private soldSku: Sku | null = null;
  /** Sites closed at this instant, in that order. */
  private readonly closed: Int32Array;
  private closedCount = 0;
  /** Orders that may be in force here, a few at a time. */
  private readonly known: NumberedOrder[] = [];
  /** A single one to be planned. */
  private readonly one = new Int32Array(1);
  private readonly observer: BankObserver;

  constructor(sites: readonly Site[], observer: BankObserver) {
    super();
    const { length } = sites;
    const column = () => new Float64Array(length);
    this.observer = observer;
    this.kept = new Uint8Array(length);
    this.unsettled = new Uint8Array(length);
    this.orders = new Int32Array(length).fill(NO_ORDER);
    this.baselineKw = column();
    this.deltaKw = column();
    this.startMs = column();
    this.storedKwh = column();
    this.kw = column();
    this.storedKwhPerMs = column();
    this.boundMs = column();
    this.boundAfterMs = column();
    this.auxiliaryKw = column();
    this.fullKwh = column();
    this.emptyKwh = column();
    this.fit = new Uint8Array(length);
    this.importKw = column();
    this.exportKw = column();
    this.marketedExportKw = column();
    this.chargeKwhPerKwMs = column();
    this.dischargeKwhPerKwMs = column();
    this.closed = new Int32Array(length);
    this.marketable = sites.map(({ spec }) => spec.capability.marketable);
    this.sold = new Uint8Array(length).fill(1);
    for (const site of sites) this.measure(site);
    observer.opened(this);
  }

  /** Notes what of a battery never changes. */
  private measure({ index, unit, spec, isPrompt }: Site): void {
    if (unit.kind !== "battery" || !isPlain(unit.spec) || !isPrompt) return;
    this.fit[index] = 1;
    this.auxiliaryKw[index] = unit.spec.auxiliaryKw;
    this.fullKwh[index] = storedMaxKwh(unit.spec);
    this.emptyKwh[index] = storedMinKwh(unit.spec);
    this.importKw[index] = Math.min(unit.spec.importMaxKw, unit.importLimitKw);
    this.exportKw[index] = Math.min(unit.spec.exportMaxKw, unit.gridExportKw);
    this.marketedExportKw[index] = spec.capability.reverseFlowAllowed ? this.exportKw[index] : 0;
    this.chargeKwhPerKwMs[index] = unit.spec.chargeEfficiency / MS_PER_HOUR;
    this.dischargeKwhPerKwMs[index] = 1 / unit.spec.dischargeEfficiency / MS_PER_HOUR;
  }

  /** Takes in a battery that has just begun a law, unless that is one for the general planner. */
  keep(site: Site, order: NumberedOrder, held: HeldOrder, atMs: EpochMs): void {
    const { index, unit } = site;
    if (unit.kind !== "battery") return;
    this.know(order);
    this.take(index, order, held.deltaKw, held.baselineKw);
    this.startMs[index] = atMs;
    this.storedKwh[index] = unit.storedKwh;
    this.unsettled[index] = 1;
    this.one[0] = index;
    this.plan(this.one, 1);
    if (this.unsettled[index] === 1) {
      this.unsettled[index] = 0;
      this.orders[index] = NO_ORDER;
      return;
    }
    this.kept[index] = 1;
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
    const order = this.known.find(({ number }) => number === this.orders[index]);
    const isUnsettled = this.unsettled[index] === 1;
    this.kept[index] = 0;
    this.unsettled[index] = 0;
    this.orders[index] = NO_ORDER;
    this.observer.givenBack(site, this.startMs[index]);
    const deltaKw = this.deltaKw[index];
    const held =
      order === undefined ? null : { order, deltaKw, fcrKw: 0, reachKw: deltaKw, baselineKw: this.baselineKw[index] };
    site.resume(held, this.storedKwh[index], this.startMs[index], isUnsettled);
    return isUnsettled;
  }

  /** The laws of these kept batteries end where they have not yet; their stores are brought to the instant. */
  close(indices: Int32Array, count: number, atMs: EpochMs): void {
    const { unsettled, closed, startMs, storedKwh, storedKwhPerMs, boundMs } = this;
    const first = this.closedCount;
    let last = first;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      if (unsettled[index] === 1) continue;
      unsettled[index] = 1;
      closed[last++] = index;
    }
    this.closedCount = last;
    this.observer.close(closed, first, last, atMs);
    for (let k = first; k < last; k++) {
      const index = closed[k];
      if (atMs < boundMs[index]) storedKwh[index] += storedKwhPerMs[index] * (atMs - startMs[index]);
      else storedKwh[index] = this.boundKwh(index);
      startMs[index] = atMs;
    }
  }

  /** The bound that the store of a battery at work goes to. */
  boundKwh(index: number): number {
    return 0 < this.storedKwhPerMs[index] ? this.fullKwh[index] : this.emptyKwh[index];
  }

  /** kW at an instant of the present law. */
  kwAt(index: number, atMs: EpochMs): number {
    return atMs < this.boundMs[index] ? this.kw[index] : this.auxiliaryKw[index];
  }

  /** As `Unit.stretchAt`; what binds is not told. */
  stretchAt(index: number, atMs: EpochMs, out: Stretch): void {
    const isAtBound = this.boundMs[index] <= atMs;
    out.originMs = isAtBound ? this.boundMs[index] : this.startMs[index];
    out.endMs = isAtBound ? Number.POSITIVE_INFINITY : this.boundMs[index];
    out.kw = this.kwAt(index, atMs);
    out.kwPerMs = 0;
    out.kwPerMs2 = 0;
    out.ratePerMs = 0;
    out.binds = BINDS.free;
    out.keeps = 0;
  }

  /** Begins the next laws of all that were closed; those that are not plain any more go on by themselves. */
  settle(field: BankField): void {
    const { closed, kept, unsettled, closedCount } = this;
    this.closedCount = 0;
    this.plan(closed, closedCount);
    for (let k = 0; k < closedCount; k++) {
      const index = closed[k];
      if (kept[index] === 1 && unsettled[index] === 1) field.giveBack(field.sites[index]);
    }
  }

  /** Whether an order is one that kept batteries can execute; `isFree` then tells which of them. */
  couldTake(order: NumberedOrder): boolean {
    if (order.fcrTenths !== null || order.activation !== 1) return false;
    this.know(order);
    if (order.sku !== this.soldSku) this.noteSold(order.sku);
    return true;
  }

  /** Whether a kept battery has no other order, and its site is given this product to sell. */
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

  executes(index: number, { number }: NumberedOrder): boolean {
    return this.orders[index] === number;
  }

  /** Begins an order at a closed battery, or amends its amount. */
  take(index: number, { number }: NumberedOrder, deltaKw: number, baselineKw: number): void {
    this.orders[index] = number;
    this.deltaKw[index] = deltaKw;
    this.baselineKw[index] = baselineKw;
  }

  /** Notes those of these sites whose batteries execute an order. @returns how many */
  executing(sites: Int32Array, { number }: NumberedOrder, out: Int32Array): number {
    const { orders } = this;
    let count = 0;
    for (let i = 0; i < sites.length; i++) if (orders[sites[i]] === number) out[count++] = sites[i];
    return count;
  }

  /** Ends an order at all closed batteries that execute it. */
  release(indices: Int32Array, count: number, order: NumberedOrder): void {
    const { orders, known } = this;
    for (let k = 0; k < count; k++) orders[indices[k]] = NO_ORDER;
    const k = known.indexOf(order);
    if (k < 0) return;
    known[k] = known[known.length - 1];
    known.pop();
  }

  private know(order: NumberedOrder): void {
    if (!this.known.includes(order)) this.known.push(order);
  }

  /**
   * Tenths of kW by which the closed ones among some members can leave their baselines, at least 0; those of others are
   * left as they are. @see vpp/capability.ts
   */
  headroomsTenths({ sites, places, count, baselineKw, up }: MemberList, out: Int32Array): void {
    const { kept, storedKwh, fullKwh, emptyKwh, importKw, marketedExportKw } = this;
    for (let k = 0; k < count; k++) {
      const index = sites[places[k]];
      if (kept[index] === 0) continue;
      const baseKw = baselineKw[places[k]];
      const fromKwh = storedKwh[index];
      let freeKw: number;
      if (up) freeKw = (fullKwh[index] - BOUND_KWH <= fromKwh ? 0 : importKw[index]) - baseKw;
      else freeKw = (fromKwh <= emptyKwh[index] + BOUND_KWH ? 0 : marketedExportKw[index]) + baseKw;
      out[k] = floorToTenths(Math.max(0, freeKw));
    }
  }

  /** Whether the store of a closed battery is full (`up`) or empty. */
  isAtBound(index: number, up: boolean): boolean {
    const storedKwh = this.storedKwh[index];
    return up ? this.fullKwh[index] - BOUND_KWH <= storedKwh : storedKwh <= this.emptyKwh[index] + BOUND_KWH;
  }

  /**
   * As `planPlainBattery`, for all that are unsettled and have an order; where it is no such case they stay unsettled. The
   * loop calls nothing, and looks up each column once: it runs for every battery of every award.
   */
  private plan(indices: Int32Array, count: number): void {
    const { unsettled, baselineKw, deltaKw, startMs, storedKwh, kw, storedKwhPerMs, boundMs, boundAfterMs } = this;
    const { orders, auxiliaryKw, fullKwh, emptyKwh, importKw, exportKw } = this;
    const { chargeKwhPerKwMs, dischargeKwhPerKwMs } = this;
    for (let k = 0; k < count; k++) {
      const index = indices[k];
      if (unsettled[index] === 0 || orders[index] === NO_ORDER) continue;
      const targetKw = baselineKw[index] + deltaKw[index];
      const wantedKw = Math.abs(targetKw);
      // A target within rounding of 0 is the general planner's.
      if (wantedKw <= SAME && targetKw !== 0) continue;
      const charging = 0 < targetKw;
      const capKw = charging ? importKw[index] : exportKw[index];
      const fromKwh = storedKwh[index];
      const boundKwh = charging ? fullKwh[index] : emptyKwh[index];
      const isAtBound = charging ? boundKwh - BOUND_KWH <= fromKwh : fromKwh <= boundKwh + BOUND_KWH;
      if (wantedKw <= SAME || capKw <= SAME || isAtBound) {
        kw[index] = auxiliaryKw[index];
        storedKwhPerMs[index] = 0;
        boundMs[index] = Number.POSITIVE_INFINITY;
        boundAfterMs[index] = Number.POSITIVE_INFINITY;
      } else {
        const flowingKw = Math.min(wantedKw, capKw);
        const kwhPerMs = (charging ? chargeKwhPerKwMs[index] : dischargeKwhPerKwMs[index]) * flowingKw;
        const afterMs = Math.abs(boundKwh - fromKwh) / kwhPerMs;
        const signedKwhPerMs = charging ? kwhPerMs : -kwhPerMs;
        if (SAME < Math.abs(fromKwh + signedKwhPerMs * afterMs - boundKwh)) continue;
        kw[index] = (charging ? flowingKw : -flowingKw) + auxiliaryKw[index];
        storedKwhPerMs[index] = signedKwhPerMs;
        boundMs[index] = startMs[index] + afterMs;
        boundAfterMs[index] = afterMs;
      }
      unsettled[index] = 0;
    }
  }
}
