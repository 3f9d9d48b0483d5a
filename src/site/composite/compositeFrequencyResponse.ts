import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../base/time.ts";
import type { ResponseWindowCache } from "../../device/frequency/responseWindow.ts";
import type { ComponentSpec } from "../components/registry.ts";
import { copySegment, newSegment, type Segment } from "../components/segment.ts";
import type { ReplanMs } from "../components/setpoint.ts";
import type { FcrRegisters } from "../frequency/fcrRegisters.ts";
import { ratedPowerKw } from "../frequency/ratedPowerKw.ts";
import { SiteFrequencyResponse } from "../frequency/siteFrequencyResponse.ts";
import type { OrderBook } from "../orders/orderBook.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";
import type { SiteResource } from "../siteResource.ts";
import type { CompositeResource } from "./compositeResource.ts";
import { addSegment, resetSum, shiftOrigin } from "./segmentSum.ts";

/**
 * The frequency response of a site of several components: each holder gives its share on top of what it does besides,
 * and what the site gives is their sum.
 */
export class CompositeFrequencyResponse extends Copyable {
  private readonly resource: CompositeResource;
  private readonly responses: readonly SiteFrequencyResponse[];
  /** Of each part, in their order: without what its response moves. */
  private readonly segmentsWithoutResponse: readonly Segment[];
  private active = false;

  /** @param ratedKw  of all holders together, which droops count by */
  constructor(unit: CompositeResource, orders: OrderBook, windows: ResponseWindowCache, ratedKw: number) {
    super();
    this.resource = unit;
    this.responses = unit.fcrProviders.map(
      (lane) => new SiteFrequencyResponse(lane.component, orders, windows, ratedKw, "whole_target"),
    );
    this.segmentsWithoutResponse = unit.components.map(newSegment);
  }

  get isInForce(): boolean {
    return this.active;
  }

  /** Answers by another configuration from the next law on. */
  setWindows(windows: ResponseWindowCache): void {
    for (const response of this.responses) response.setWindows(windows);
  }

  /** Gives each holder its path; its law comes after that. @returns until when the paths are known */
  begin(atMs: EpochMs, canRespond: boolean): ReplanMs {
    let untilMs = Number.POSITIVE_INFINITY;
    this.active = false;
    const { importMaxKw, exportMaxKw, isTracking } = this.resource;
    // Where laws are made anew every other second, a path of half an hour each time would be too much.
    const longestMs =
      isTracking || Math.min(importMaxKw, exportMaxKw) < Number.POSITIVE_INFINITY ? MS_PER_MINUTE : undefined;
    this.resource.fcrProviders.forEach((lane, k) => {
      lane.activatePending(atMs);
      const { fcrAllocation: response } = lane;
      const target = { ...lane.setpoint, fcr: response?.fcr ?? null };
      lane.responseProfile = this.responses[k].begin(atMs, target, canRespond, response?.share ?? 0, longestMs);
      if (response !== null) this.active = true;
      if (lane.responseProfile !== null) untilMs = Math.min(untilMs, lane.responseProfile.untilMs);
    });
    return untilMs;
  }

  /** The laws are made: what each holder is to do besides is known. */
  updateSetpoints(): void {
    this.resource.fcrProviders.forEach((lane, k) => {
      this.responses[k].updateSetpoint(lane.setpoint);
    });
  }

  close(atMs: EpochMs): void {
    for (const response of this.responses) response.close(atMs);
    this.active = false;
  }

  /** Energies are the sum over the holders; the time at a bound is that of the one that stood there longest. */
  readRegisters(order: SiteOrder, atMs: EpochMs): Readonly<FcrRegisters> {
    const sum = { upKwh: 0, downKwh: 0, requestedKwh: 0, atBoundMs: 0 };
    for (const response of this.responses) {
      const { upKwh, downKwh, requestedKwh, atBoundMs } = response.readRegisters(order, atMs);
      sum.upKwh += upKwh;
      sum.downKwh += downKwh;
      sum.requestedKwh += requestedKwh;
      sum.atBoundMs = Math.max(sum.atBoundMs, atBoundMs);
    }
    return sum;
  }

  /** The site's power without what its holders' responses move; PV and wind as they are beside those responses. */
  segmentWithoutResponseAt(atMs: EpochMs, out: Segment): void {
    const unit = this.resource;
    const without = this.segmentsWithoutResponse;
    // Only where sun and wind may have to yield does their power depend on the others'.
    const yields = unit.generators.length > 0 && unit.exportMaxKw < Number.POSITIVE_INFINITY;
    const endMs = yields ? unit.computeSegments(atMs) : Number.POSITIVE_INFINITY;
    resetSum(out, atMs, 0);
    unit.components.forEach((part, k) => {
      const power = without[k];
      const holder = unit.fcrProviders.findIndex((lane) => lane.component === part);
      if (holder >= 0 && this.responses[holder].isInForce) this.responses[holder].segmentWithoutResponseAt(atMs, power);
      else if (part.role === "variable" && yields) copySegment(unit.segments[k], power);
      else part.segmentAt(atMs, power);
      shiftOrigin(power, atMs);
      addSegment(out, power);
    });
    out.kw = out.kw || 0;
    out.endMs = Math.min(out.endMs, endMs);
    unit.setLimitingFactor(out, without);
  }
}

/** Of one component or of several. */
export type ResourceFrequencyResponse = SiteFrequencyResponse | CompositeFrequencyResponse;

/** What answers the frequency at a site. @param components  all that answer, whose rated power droops count by */
export function createFrequencyResponse(
  unit: SiteResource,
  orders: OrderBook,
  windows: ResponseWindowCache,
  components: readonly ComponentSpec[],
): ResourceFrequencyResponse {
  const ratedKw = ratedPowerKw(components);
  return unit.composite !== null
    ? new CompositeFrequencyResponse(unit, orders, windows, ratedKw)
    : new SiteFrequencyResponse(unit, orders, windows, ratedKw);
}
