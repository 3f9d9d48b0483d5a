import { assert } from "../../base/assert.ts";
import { Copyable } from "../../base/copyState.ts";
import { roundKw } from "../../base/rounding.ts";
import type { Sku } from "../../base/sku.ts";
import type { EpochMs } from "../../base/time.ts";
import type { OrderAmount, SiteOrder } from "./siteOrder.ts";

/** What an owner asks of a site, past its VPP. All kW are rounded to one decimal. */
export interface DirectRequest {
  readonly kind: "schedule" | "immediate";
  readonly sku: Sku | null;
  readonly startMs: EpochMs;
  readonly endMs: EpochMs;
  /** Change from the baseline; `null` for a target at the grid point or frequency response alone. */
  readonly deltaKw: number | null;
  /** Target at the grid point, absolute (docs/model/overlap.md#direct-baseline). */
  readonly siteKw: number | null;
  /** Two-sided width; `null`: none. */
  readonly fcrKw: number | null;
  readonly compoundBreakdown: Readonly<Record<string, number>> | null;
  /** `null`: the site's own slot when it starts. */
  readonly baselineKw: number | null;
  /** `null`: the site as a whole. */
  readonly componentId: string | null;
}

/** One schedule or immediate instruction that a site's owner gave it. */
export class DirectOrder extends Copyable implements SiteOrder {
  readonly request: DirectRequest;
  /** Index of the site in its world. */
  readonly site: number;
  /** 32 hex digits. */
  readonly scheduleId: string;
  readonly createdMs: EpochMs;
  readonly registration: number;
  /** Both move when another schedule cuts into this one. */
  startMs: EpochMs;
  endMs: EpochMs;
  readonly activation = 1;
  readonly componentId: string | null;

  constructor(
    request: DirectRequest,
    given: {
      readonly site: number;
      readonly scheduleId: string;
      readonly createdMs: EpochMs;
      readonly registration: number;
      /** Of several that the site has; the only one of a site is the site. */
      readonly componentId: string | null;
    },
  ) {
    super();
    this.request = request;
    this.site = given.site;
    this.scheduleId = given.scheduleId;
    this.createdMs = given.createdMs;
    this.registration = given.registration;
    this.componentId = given.componentId;
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

/** What a site is told on a baseline. */
export function toOrderAmount({ deltaKw, siteKw, fcrKw }: DirectRequest, baselineKw: number): OrderAmount {
  assert(deltaKw === null || siteKw === null, "a request has a delta or a target");
  return { deltaKw: roundKw(deltaKw ?? (siteKw === null ? 0 : siteKw - baselineKw)), fcrCapacityKw: fcrKw ?? 0 };
}
