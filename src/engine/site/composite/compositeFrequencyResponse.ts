import { Copyable } from "../../../base/copyState.ts";
import { type EpochMs, MS_PER_MINUTE } from "../../../base/time.ts";
import type { ResponseWindowCache } from "../../device/frequency/responseWindow.ts";
import type { ComponentSpec } from "../components/registry.ts";
import { copySegment, newSegment, type Segment, shiftOrigin } from "../components/segment.ts";
import type { ReplanMs } from "../components/setpoint.ts";
import type { FcrRegisters } from "../frequency/fcrRegisters.ts";
import { ratedPowerKw } from "../frequency/ratedPowerKw.ts";
import { SiteFrequencyResponse } from "../frequency/siteFrequencyResponse.ts";
import type { OrderBook } from "../orders/orderBook.ts";
import type { SiteOrder } from "../orders/siteOrder.ts";
import type { SiteResource } from "../siteResource.ts";
import type { CompositeResource } from "./compositeResource.ts";
import { addSegment, resetSum } from "./segmentSum.ts";

/**
 * The frequency response of a composite: each provider adds its share to its other power, and the site's response is the sum.
 */
export class CompositeFrequencyResponse extends Copyable {
  private readonly resource: CompositeResource;
  private readonly responses: readonly SiteFrequencyResponse[];
  /** Segment of each component without its response. */
  private readonly segmentsWithoutResponse: readonly Segment[];
  private active = false;

  /** @param ratedKw  rated power of all providers together, the reference of the droop */
  constructor(resource: CompositeResource, orders: OrderBook, windows: ResponseWindowCache, ratedKw: number) {
    super();
    this.resource = resource;
    this.responses = resource.fcrProviders.map(
      (controller) => new SiteFrequencyResponse(controller.component, orders, windows, ratedKw, "whole_target"),
    );
    this.segmentsWithoutResponse = resource.components.map(newSegment);
  }

  get isInForce(): boolean {
    return this.active;
  }

  /** Changes the FCR configuration from the next trajectory on. */
  setWindows(windows: ResponseWindowCache): void {
    for (const response of this.responses) response.setWindows(windows);
  }

  /** Computes each provider's response profile, before its trajectory is planned. @returns until when the profiles are known */
  begin(atMs: EpochMs, canRespond: boolean): ReplanMs {
    let untilMs = Number.POSITIVE_INFINITY;
    this.active = false;
    const { importMaxKw, exportMaxKw, isTracking } = this.resource;
    // With replanning every few seconds, a profile of half an hour each time would be too slow.
    const longestMs =
      isTracking || Math.min(importMaxKw, exportMaxKw) < Number.POSITIVE_INFINITY ? MS_PER_MINUTE : undefined;
    this.resource.fcrProviders.forEach((controller, k) => {
      controller.activatePending(atMs);
      const { fcrAllocation: response } = controller;
      const target = { ...controller.setpoint, fcr: response?.fcr ?? null };
      controller.responseProfile = this.responses[k].begin(atMs, target, canRespond, response?.share ?? 0, longestMs);
      if (response !== null) this.active = true;
      if (controller.responseProfile !== null) untilMs = Math.min(untilMs, controller.responseProfile.untilMs);
    });
    return untilMs;
  }

  /** Passes on the providers' set-points, which are known after the trajectories are planned. */
  updateSetpoints(): void {
    this.resource.fcrProviders.forEach((controller, k) => {
      this.responses[k].updateSetpoint(controller.setpoint);
    });
  }

  close(atMs: EpochMs): void {
    for (const response of this.responses) response.close(atMs);
    this.active = false;
  }

  /** Energies are summed over the providers; the time at a bound is the longest of them. */
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

  /** The site's power without the providers' responses; PV and wind as they are with the responses. */
  segmentWithoutResponseAt(atMs: EpochMs, out: Segment): void {
    const resource = this.resource;
    const segments = this.segmentsWithoutResponse;
    // PV and wind depend on the other components only if the export limit can curtail them.
    const canBeCurtailed = resource.generators.length > 0 && resource.exportMaxKw < Number.POSITIVE_INFINITY;
    const endMs = canBeCurtailed ? resource.computeSegments(atMs) : Number.POSITIVE_INFINITY;
    resetSum(out, atMs, 0);
    resource.components.forEach((component, k) => {
      const segment = segments[k];
      const providerIndex = resource.fcrProviders.findIndex((controller) => controller.component === component);
      if (providerIndex >= 0 && this.responses[providerIndex].isInForce)
        this.responses[providerIndex].segmentWithoutResponseAt(atMs, segment);
      else if (component.role === "variable" && canBeCurtailed) copySegment(resource.segments[k], segment);
      else component.segmentAt(atMs, segment);
      shiftOrigin(segment, atMs);
      addSegment(out, segment);
    });
    out.kw = out.kw || 0;
    out.endMs = Math.min(out.endMs, endMs);
    resource.setLimitingFactor(out, segments);
  }
}

/** Frequency response of a single component or of a composite. */
export type ResourceFrequencyResponse = SiteFrequencyResponse | CompositeFrequencyResponse;

/** @param components  all components of the site; the providers' rated power is the reference of the droop */
export function createFrequencyResponse(
  resource: SiteResource,
  orders: OrderBook,
  windows: ResponseWindowCache,
  components: readonly ComponentSpec[],
): ResourceFrequencyResponse {
  const ratedKw = ratedPowerKw(components);
  return resource.composite !== null
    ? new CompositeFrequencyResponse(resource, orders, windows, ratedKw)
    : new SiteFrequencyResponse(resource, orders, windows, ratedKw);
}
