import type { EpochMs } from "../../base/time.ts";
import { curveSlope, curveValue, firstPositiveMs } from "../../device/curve/curve.ts";
import { Series } from "../../series/model/series.ts";
import { newSegment, type Segment } from "../../site/components/segment.ts";
import type { Site } from "../../site/site.ts";
import { packCauses } from "./awardAccount.ts";
import type { DeliveryCredit } from "./deliveryCredit.ts";
import { causeOfLimitingFactor, POWER_TOLERANCE_KW } from "./shortfallCause.ts";

/** A member whose delivered power changes within the segment at hand. */
export interface VaryingMember {
  memberIndex: number;
  site: Site;
  /** What the member is to deliver, and what it was told, along the request. */
  shareKw: number;
  setpointKw: number;
  cutCause: number;
  segment: Segment;
  /** Until when stretch and baseline hold. */
  untilMs: EpochMs;
  /** When it next passes what it is to deliver. */
  crossingMs: EpochMs;
  baselineKw: number;
  /** How the delivered power is shared with other awards; `null` when there is none. */
  credit: DeliveryCredit | null;
  /** Delivered power, signed, as a curve from the piece's start. */
  deliveredKw: number;
  deliveredKwPerMs: number;
  deliveredKwPerMs2: number;
  /** Of that, what is credited, along the request. */
  creditedKw: number;
  creditedKwPerMs: number;
  creditedKwPerMs2: number;
}

export const NO_SHORTFALL = packCauses(-1, -1);

/** Until when the baseline that a site reports stays as it is, as far as its slots tell. */
export function baselineUntilMs(site: Site, atMs: EpochMs): EpochMs {
  const { slotsKw: slots } = site.baseline;
  if (!(slots instanceof Series) || site.hasOrderBaseline) return Number.POSITIVE_INFINITY;
  return slots.nextChangeMs(atMs);
}

/** Whether it stays where it is until its stretch ends. */
export const isSteady = ({ kwPerMs, kwPerMs2 }: Segment): boolean => kwPerMs === 0 && kwPerMs2 === 0;

export function newVaryingMember(site: Site): VaryingMember {
  return {
    memberIndex: 0,
    site,
    shareKw: 0,
    setpointKw: 0,
    cutCause: 0,
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
  };
}

/** The curve of the stretch, less the baseline, counted from an instant, and what of it is credited along the request. */
export function advanceDelivery(varying: VaryingMember, sign: number, atMs: EpochMs): void {
  const { segment: stretch } = varying;
  const intoMs = atMs - stretch.originMs;
  const { kwPerMs2, ratePerMs } = stretch;
  const rawKw = curveValue(stretch.kw, stretch.kwPerMs, kwPerMs2, ratePerMs, intoMs) - varying.baselineKw;
  varying.deliveredKw = rawKw;
  varying.deliveredKwPerMs = curveSlope(stretch.kwPerMs, kwPerMs2, ratePerMs, intoMs);
  varying.deliveredKwPerMs2 = kwPerMs2 === 0 ? 0 : kwPerMs2 * Math.exp(-ratePerMs * intoMs);
  const { credit } = varying;
  // A level nearer than a crossing can be told from now is already passed.
  const share =
    credit === null
      ? 1
      : credit.slopeAt(rawKw + varying.deliveredKwPerMs * CROSSING_TOLERANCE_MS, varying.deliveredKwPerMs);
  varying.creditedKw = sign * (credit === null ? rawKw : credit.creditedKw(rawKw));
  varying.creditedKwPerMs = sign * share * varying.deliveredKwPerMs;
  varying.creditedKwPerMs2 = sign * share * varying.deliveredKwPerMs2;
}

/** When the member next passes its share or what it was told: there its lack begins, ends or changes its cause. */
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
    segment: stretch,
  } = varying;
  if (kwPerMs !== 0 || kwPerMs2 !== 0) {
    next = crossingMs(kw - varying.shareKw, kwPerMs, kwPerMs2, stretch.ratePerMs, atMs);
    if (varying.setpointKw < varying.shareKw)
      next = Math.min(next, crossingMs(kw - varying.setpointKw, kwPerMs, kwPerMs2, stretch.ratePerMs, atMs));
  }
  if (credit === null || (rawKwPerMs === 0 && rawKwPerMs2 === 0)) return next;
  for (const levelKw of credit.breakpointsKw)
    next = Math.min(next, crossingMs(rawKw - levelKw, rawKwPerMs, rawKwPerMs2, stretch.ratePerMs, atMs));
  return next;
}

/** A crossing nearer than this is the one the piece begins with. */
const CROSSING_TOLERANCE_MS = 1e-3;

function crossingMs(overKw: number, kwPerMs: number, kwPerMs2: number, ratePerMs: number, atMs: EpochMs): EpochMs {
  const sign = overKw > 0 || (overKw === 0 && kwPerMs > 0) ? -1 : 1;
  const afterMs = firstPositiveMs(sign * overKw, sign * kwPerMs, sign * kwPerMs2, ratePerMs);
  return afterMs > CROSSING_TOLERANCE_MS ? atMs + afterMs : Number.POSITIVE_INFINITY;
}

export function shortfallCodeOf(varying: VaryingMember, kw: number, sign: number): number {
  const lackKw = varying.shareKw - kw;
  if (lackKw <= POWER_TOLERANCE_KW) return NO_SHORTFALL;
  const hasCut = varying.shareKw - varying.setpointKw > POWER_TOLERANCE_KW;
  const hasBinding = varying.setpointKw - kw > POWER_TOLERANCE_KW;
  const bindingCause = hasBinding ? causeOfLimitingFactor(varying.site, varying.segment, sign) : -1;
  return packCauses(hasCut ? varying.cutCause : -1, bindingCause);
}
