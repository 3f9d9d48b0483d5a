import { assert } from "../../../base/assert.ts";
import { Copyable } from "../../../base/copyState.ts";
import { roundKw } from "../../../base/rounding.ts";
import type { Sku } from "../../../base/sku.ts";
import type { EpochMs } from "../../../base/time.ts";
import type { OrderAmount, SiteOrder } from "./siteOrder.ts";

/** A request that an owner sends to a site, bypassing its VPP. All kW are rounded to one decimal. */
export interface DirectRequest {
  readonly kind: "schedule" | "immediate";
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Change from the baseline; `null` for a target at the connection point or FCR alone. */
  readonly deltaKw: number | null;
  /** Absolute target at the connection point (docs/model/overlap.md#direct-baseline). */
  readonly siteKw: number | null;
  /** FCR capacity, the same in both directions; `null`: none. */
  readonly fcrKw: number | null;
  readonly compoundBreakdown: Readonly<Record<string, number>> | null;
  /** `null`: the site's own baseline slot at the start. */
  readonly baselineKw: number | null;
  /** `null`: the site as a whole. */
  readonly componentId: string | null;
  /** Which of the owner's schedules of the same time a schedule overwrites (docs/model/overlap.md#direct-v1). */
  readonly overwrites: "colliding" | "every";
}

/** A schedule or immediate instruction from the site's owner. */
export class DirectOrder extends Copyable implements SiteOrder {
  readonly request: DirectRequest;
  /** Index of the site in its world. */
  readonly site: number;
  /** 32 hex digits. */
  readonly scheduleId: string;
  readonly createdMs: EpochMs;
  readonly registration: number;
  /** `startMs` and `endMs` change when another schedule cuts this one. */
  startMs: EpochMs;
  endMs: EpochMs;
  /** Number in `DirectOrders`; -1 until it is registered. */
  orderNumber = -1;
  readonly activation = 1;
  readonly componentId: string | null;

  constructor(
    request: DirectRequest,
    identity: {
      readonly site: number;
      readonly scheduleId: string;
      readonly createdMs: EpochMs;
      readonly registration: number;
      /** `null` for the whole site, and at a site with one component. */
      readonly componentId: string | null;
    },
  ) {
    super();
    this.request = request;
    this.site = identity.site;
    this.scheduleId = identity.scheduleId;
    this.createdMs = identity.createdMs;
    this.registration = identity.registration;
    this.componentId = identity.componentId;
    this.startMs = request.startMs;
    this.endMs = request.endMs;
  }

  get sku(): Sku | null {
    return this.request.sku;
  }

  get compoundBreakdown(): Readonly<Record<string, number>> | null {
    return this.request.compoundBreakdown;
  }
}

/** Converts a request to an order amount relative to a baseline. */
export function toOrderAmount({ deltaKw, siteKw, fcrKw }: DirectRequest, baselineKw: number): OrderAmount {
  assert(deltaKw === null || siteKw === null, "a request has at most one of delta and target");
  return { deltaKw: roundKw(deltaKw ?? (siteKw === null ? 0 : siteKw - baselineKw)), fcrCapacityKw: fcrKw ?? 0 };
}
