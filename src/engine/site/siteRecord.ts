import type { EpochMs } from "../../base/time.ts";
import { STORAGE_BOUND_TOLERANCE_KWH } from "../device/battery/batteryCapability.ts";
import { ConstantPowerFlow } from "../device/battery/constantPowerBattery.ts";
import type { SiteOrder } from "./orders/siteOrder.ts";

/**
 * The state of one site that every award reads and changes, in one object of fixed shape: its only order, its service, and the
 * constant power of its battery with the stored energy. The loops over the members of a VPP read records and nothing else where
 * they can; `Site`, `OrderBook` and `BatteryComponent` keep this part of their state here.
 */
export class SiteRecord extends ConstantPowerFlow {
  isInService = true;
  /** Whether the trajectory has ended at this instant and the next one has not been planned. */
  isReplanDue = false;
  /** The state is integrated up to this instant. */
  advancedToMs: EpochMs = Number.NEGATIVE_INFINITY;
  /** The only order in force if it is one delta of the whole site; `null` without orders and where the order book lists them. */
  order: SiteOrder | null = null;
  /** Change from the baseline that this order requests, and its baseline, in kW. */
  deltaKw = Number.NaN;
  baselineKw = Number.NaN;
  /** Whether the order book lists orders, or ignores revoked ones. */
  hasListedOrders = false;
  /** Whether output control or frequency response is, or was, in effect. */
  isRestricted = false;
  /** Whether the site has one component, a battery of constant power, and set-points take effect at once. */
  hasSoleBattery = false;
  /** Whether the flow is the present trajectory of the battery. */
  hasFlow = false;
  /** Set-point of the battery's cells at the start of the trajectory, in kW. */
  targetKw = Number.NaN;
  /** Number above 0 of the present trajectory, which other sites may share (`SharedTrajectories`); 0: not shared. */
  trajectoryNumber = 0;
  /** Bounds of the battery's stored energy, and its power limits in each direction: ratings within the connection limits. */
  fullKwh = Number.NaN;
  emptyKwh = Number.NaN;
  importCapKw = Number.NaN;
  exportCapKw = Number.NaN;
  /** Whether the site may export what is sold. */
  mayExport = false;
  /** Stored energy of the battery, and power of its cells, at `advancedToMs`. */
  currentKwh = Number.NaN;
  currentCellKw = Number.NaN;

  /** Whether a delta of the whole site can be the only order: `order` is this one or none. */
  isFreeFor(order: SiteOrder): boolean {
    return this.order === null ? !this.hasListedOrders : this.order === order;
  }

  /** Headroom of the battery from a baseline in kW, by power alone, where `hasSoleBattery` and no restriction is in effect. */
  headroomKw(baselineKw: number, up: boolean): number {
    const { currentKwh } = this;
    if (up) {
      const isFull = this.fullKwh - STORAGE_BOUND_TOLERANCE_KWH <= currentKwh;
      return Math.max(0, (isFull ? 0 : this.importCapKw) - baselineKw);
    }
    const isEmpty = currentKwh <= this.emptyKwh + STORAGE_BOUND_TOLERANCE_KWH;
    return Math.max(0, (isEmpty || !this.mayExport ? 0 : this.exportCapKw) + baselineKw);
  }

  /** Advances the battery to an instant, at which its flow ends. */
  advanceFlow(atMs: EpochMs): void {
    this.currentKwh = this.storedKwhAt(atMs);
    this.currentCellKw = this.kwAt(atMs) - this.auxiliaryKw;
  }

  /** Constant power of the flow over a period in kW; NaN where it changes. */
  constantKw(fromMs: EpochMs, toMs: EpochMs): number {
    if (this.boundMs <= fromMs) return this.auxiliaryKw;
    return this.boundMs < toMs ? Number.NaN : this.kw;
  }
}
