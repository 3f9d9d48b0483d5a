import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import type { ConstantPowerBattery } from "./components/capabilities.ts";
import type { SiteOrder } from "./orders/siteOrder.ts";

/**
 * The state of one site that every award reads and changes, in one object of fixed shape: its service and its only order. The
 * loops over the members of a VPP read records and nothing else where they can; `Site` and `OrderBook` keep this part of their
 * state here.
 */
export class SiteRecord extends Copyable {
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
  /** Number above 0 of the present trajectory, which other sites may share (`SharedTrajectories`); 0: not shared. */
  trajectoryNumber = 0;
  /** Whether the site may export what is sold. */
  readonly mayExport: boolean;
  /** Of the site's only component, a battery of constant power whose set-points take effect at once; else `null`. */
  readonly store: ConstantPowerBattery["store"] | null;

  constructor(mayExport: boolean, store: ConstantPowerBattery["store"] | null) {
    super();
    this.mayExport = mayExport;
    this.store = store;
  }

  /** Whether a delta of the whole site can be the only order: `order` is this one or none. */
  isFreeFor(order: SiteOrder): boolean {
    return this.order === null ? !this.hasListedOrders : this.order === order;
  }
}
