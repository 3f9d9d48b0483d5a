import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import {
  type Curve,
  copyCurve,
  curveIntegral,
  firstPositiveMs,
  newCurve,
  shiftCurve,
} from "../../engine/device/curve/curve.ts";
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
  /** Delivered power, signed, from the start of the piece. */
  readonly delivered: Curve;
  /** Credited part of the delivered power, along the request. */
  readonly credited: Curve;
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
export const isSteady = ({ kwPerMs, kwPerMs2 }: Readonly<Curve>): boolean => kwPerMs === 0 && kwPerMs2 === 0;

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
    delivered: newCurve(),
    credited: newCurve(),
    hasGap: false,
  };
}

/** Moves the start of both curves to `atMs`: the segment less the baseline, and its credited part along the request. */
export function advanceDelivery(
  { segment, baselineKw, credit, delivered, credited }: VaryingMember,
  sign: number,
  atMs: EpochMs,
): void {
  copyCurve(segment, delivered);
  shiftCurve(delivered, atMs - segment.originMs);
  delivered.kw -= baselineKw;
  const { kw, kwPerMs } = delivered;
  // A breakpoint nearer than the crossing tolerance counts as passed.
  const share = credit === null ? 1 : credit.slopeAt(kw + kwPerMs * CROSSING_TOLERANCE_MS, kwPerMs);
  credited.kw = sign * (credit === null ? kw : credit.creditedKw(kw));
  credited.kwPerMs = sign * share * kwPerMs;
  credited.kwPerMs2 = sign * share * delivered.kwPerMs2;
  credited.ratePerMs = delivered.ratePerMs;
}

/**
 * When the credited power next crosses the set-point, or the delivered power a breakpoint of the credit: there a
 * delivery gap begins, ends or changes its slope.
 */
export function nextCrossingMs({ credited, setpointKw, delivered, credit }: VaryingMember, atMs: EpochMs): EpochMs {
  let next = isSteady(credited) ? Number.POSITIVE_INFINITY : crossingMs(credited, setpointKw, atMs);
  if (credit === null || isSteady(delivered)) return next;
  for (const levelKw of credit.breakpointsKw) next = Math.min(next, crossingMs(delivered, levelKw, atMs));
  return next;
}

/** A crossing nearer than this is the one at which the piece begins. */
const CROSSING_TOLERANCE_MS = 1e-3;

function crossingMs({ kw, kwPerMs, kwPerMs2, ratePerMs }: Curve, levelKw: number, atMs: EpochMs): EpochMs {
  const distanceKw = kw - levelKw;
  const sign = distanceKw > 0 || (distanceKw === 0 && kwPerMs > 0) ? -1 : 1;
  const afterMs = firstPositiveMs(sign * distanceKw, sign * kwPerMs, sign * kwPerMs2, ratePerMs);
  return afterMs > CROSSING_TOLERANCE_MS ? atMs + afterMs : Number.POSITIVE_INFINITY;
}

/** kWh credited from the start of the piece on. */
export const creditedKwh = ({ credited }: VaryingMember, spanMs: number): number =>
  curveIntegral(credited.kw, credited.kwPerMs, credited.kwPerMs2, credited.ratePerMs, spanMs) / MS_PER_HOUR;
