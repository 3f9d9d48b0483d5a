import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import { curveIntegral, curveSlope, curveValue, firstPositiveMs } from "../../engine/device/curve/curve.ts";
import { Series } from "../../engine/series/model/series.ts";
import { newSegment, type Segment } from "../../engine/site/components/segment.ts";
import type { Site } from "../../engine/site/site.ts";
import type { DeliveryCredit } from "./deliveryCredit.ts";

/** A member whose delivered power changes within the settled interval. */
export interface VaryingMember {
  memberIndex: number;
  site: Site;
  /** Delta in force times the activation, in kW along the request. */
  setpointKw: number;
  segment: Segment;
  /** Until when the segment and the baseline hold. */
  untilMs: EpochMs;
  /** When the credited power next crosses the set-point. */
  crossingMs: EpochMs;
  baselineKw: number;
  /** Split of the delivered power among simultaneous awards; `null` where there is only one. */
  credit: DeliveryCredit | null;
  /** Delivered power, signed, as a curve from the start of the piece. */
  deliveredKw: number;
  deliveredKwPerMs: number;
  deliveredKwPerMs2: number;
  /** Credited part of the delivered power, along the request. */
  creditedKw: number;
  creditedKwPerMs: number;
  creditedKwPerMs2: number;
  /** Whether the credited power is below the set-point in the piece. */
  hasGap: boolean;
}

/** End of the current value of the reported baseline, as far as its slots define it. */
export function baselineUntilMs(site: Site, atMs: EpochMs): EpochMs {
  const { slotsKw: slots } = site.baseline;
  if (!(slots instanceof Series) || site.hasOrderBaseline) return Number.POSITIVE_INFINITY;
  return slots.nextChangeMs(atMs);
}

/** Whether the power is constant until the segment ends. */
export const isSteady = ({ kwPerMs, kwPerMs2 }: Segment): boolean => kwPerMs === 0 && kwPerMs2 === 0;

export function newVaryingMember(site: Site): VaryingMember {
  return {
    memberIndex: 0,
    site,
    setpointKw: 0,
    segment: newSegment(),
    untilMs: 0,
    crossingMs: 0,
    baselineKw: 0,
    credit: null,
    deliveredKw: 0,
    deliveredKwPerMs: 0,
    deliveredKwPerMs2: 0,
    creditedKw: 0,
    creditedKwPerMs: 0,
    creditedKwPerMs2: 0,
    hasGap: false,
  };
}

/** Moves the start of both curves to `atMs`: the segment less the baseline, and its credited part along the request. */
export function advanceDelivery(varying: VaryingMember, sign: number, atMs: EpochMs): void {
  const { segment } = varying;
  const sinceOriginMs = atMs - segment.originMs;
  const { kwPerMs2, ratePerMs } = segment;
  const rawKw = curveValue(segment.kw, segment.kwPerMs, kwPerMs2, ratePerMs, sinceOriginMs) - varying.baselineKw;
  varying.deliveredKw = rawKw;
  varying.deliveredKwPerMs = curveSlope(segment.kwPerMs, kwPerMs2, ratePerMs, sinceOriginMs);
  varying.deliveredKwPerMs2 = kwPerMs2 === 0 ? 0 : kwPerMs2 * Math.exp(-ratePerMs * sinceOriginMs);
  const { credit } = varying;
  // A breakpoint nearer than the crossing tolerance counts as passed.
  const share =
    credit === null
      ? 1
      : credit.slopeAt(rawKw + varying.deliveredKwPerMs * CROSSING_TOLERANCE_MS, varying.deliveredKwPerMs);
  varying.creditedKw = sign * (credit === null ? rawKw : credit.creditedKw(rawKw));
  varying.creditedKwPerMs = sign * share * varying.deliveredKwPerMs;
  varying.creditedKwPerMs2 = sign * share * varying.deliveredKwPerMs2;
}

/**
 * When the credited power next crosses the set-point, or the delivered power a breakpoint of the credit: there a
 * delivery gap begins, ends or changes its slope.
 */
export function nextCrossingMs(varying: VaryingMember, atMs: EpochMs): EpochMs {
  let next = Number.POSITIVE_INFINITY;
  const {
    creditedKw: kw,
    creditedKwPerMs: kwPerMs,
    creditedKwPerMs2: kwPerMs2,
    deliveredKw: rawKw,
    deliveredKwPerMs: rawKwPerMs,
    deliveredKwPerMs2: rawKwPerMs2,
    credit,
    segment,
  } = varying;
  if (kwPerMs !== 0 || kwPerMs2 !== 0) {
    next = crossingMs(kw - varying.setpointKw, kwPerMs, kwPerMs2, segment.ratePerMs, atMs);
  }
  if (credit === null || (rawKwPerMs === 0 && rawKwPerMs2 === 0)) return next;
  for (const levelKw of credit.breakpointsKw)
    next = Math.min(next, crossingMs(rawKw - levelKw, rawKwPerMs, rawKwPerMs2, segment.ratePerMs, atMs));
  return next;
}

/** A crossing nearer than this is the one at which the piece begins. */
const CROSSING_TOLERANCE_MS = 1e-3;

function crossingMs(distanceKw: number, kwPerMs: number, kwPerMs2: number, ratePerMs: number, atMs: EpochMs): EpochMs {
  const sign = distanceKw > 0 || (distanceKw === 0 && kwPerMs > 0) ? -1 : 1;
  const afterMs = firstPositiveMs(sign * distanceKw, sign * kwPerMs, sign * kwPerMs2, ratePerMs);
  return afterMs > CROSSING_TOLERANCE_MS ? atMs + afterMs : Number.POSITIVE_INFINITY;
}

/** kWh credited from the start of the piece on. */
export const creditedKwh = (varying: VaryingMember, spanMs: number): number =>
  curveIntegral(
    varying.creditedKw,
    varying.creditedKwPerMs,
    varying.creditedKwPerMs2,
    varying.segment.ratePerMs,
    spanMs,
  ) / MS_PER_HOUR;

/** kW credited a time after the start of the piece. */
export const creditedKwAfter = (varying: VaryingMember, sinceMs: number): number =>
  curveValue(varying.creditedKw, varying.creditedKwPerMs, varying.creditedKwPerMs2, varying.segment.ratePerMs, sinceMs);
