import type { EpochMs } from "../../base/time.ts";
import { curveSlope, curveValue, firstRiseMs } from "../../device/curve/curve.ts";
import { Series } from "../../series/model/series.ts";
import { newStretch, type Stretch } from "../../site/components/stretch.ts";
import type { Site } from "../../site/site.ts";
import { causeCode } from "./awardAccount.ts";
import type { Credit } from "./credit.ts";
import { causeOfBinding, SAME_KW } from "./lack.ts";

/** A member whose delivered power changes within the segment at hand. */
export interface Varying {
  member: number;
  site: Site;
  /** What the member is to deliver, and what it was told, along the request. */
  shareKw: number;
  toldKw: number;
  cutCause: number;
  stretch: Stretch;
  /** Until when stretch and baseline hold. */
  untilMs: EpochMs;
  /** When it next passes what it is to deliver. */
  crossingMs: EpochMs;
  baselineKw: number;
  /** How the delivered power is shared with other awards; `null` when there is none. */
  credit: Credit | null;
  /** Delivered power, signed, as a curve from the piece's start. */
  rawKw: number;
  rawKwPerMs: number;
  rawKwPerMs2: number;
  /** Of that, what is credited, along the request. */
  kw: number;
  kwPerMs: number;
  kwPerMs2: number;
}

export const NOTHING_LACKED = causeCode(-1, -1);

/** Until when the baseline that a site reports stays as it is, as far as its slots tell. */
export function baselineUntilMs(site: Site, atMs: EpochMs): EpochMs {
  const { slots } = site.baseline;
  if (!(slots instanceof Series) || site.hasOrderBaseline) return Number.POSITIVE_INFINITY;
  return slots.nextChangeMs(atMs);
}

/** Whether it stays where it is until its stretch ends. */
export const isSteady = ({ kwPerMs, kwPerMs2 }: Stretch): boolean => kwPerMs === 0 && kwPerMs2 === 0;

export function newVarying(site: Site): Varying {
  return {
    member: 0,
    site,
    shareKw: 0,
    toldKw: 0,
    cutCause: 0,
    stretch: newStretch(),
    untilMs: 0,
    crossingMs: 0,
    baselineKw: 0,
    credit: null,
    rawKw: 0,
    rawKwPerMs: 0,
    rawKwPerMs2: 0,
    kw: 0,
    kwPerMs: 0,
    kwPerMs2: 0,
  };
}

/** The curve of the stretch, less the baseline, counted from an instant, and what of it is credited along the request. */
export function advanceCurve(varying: Varying, sign: number, atMs: EpochMs): void {
  const { stretch } = varying;
  const intoMs = atMs - stretch.originMs;
  const { kwPerMs2, ratePerMs } = stretch;
  const rawKw = curveValue(stretch.kw, stretch.kwPerMs, kwPerMs2, ratePerMs, intoMs) - varying.baselineKw;
  varying.rawKw = rawKw;
  varying.rawKwPerMs = curveSlope(stretch.kwPerMs, kwPerMs2, ratePerMs, intoMs);
  varying.rawKwPerMs2 = kwPerMs2 === 0 ? 0 : kwPerMs2 * Math.exp(-ratePerMs * intoMs);
  const { credit } = varying;
  // A level nearer than a crossing can be told from now is already passed.
  const share = credit === null ? 1 : credit.slopeAt(rawKw + varying.rawKwPerMs * CROSSED_MS, varying.rawKwPerMs);
  varying.kw = sign * (credit === null ? rawKw : credit.creditedKw(rawKw));
  varying.kwPerMs = sign * share * varying.rawKwPerMs;
  varying.kwPerMs2 = sign * share * varying.rawKwPerMs2;
}

/** When the member next passes its share or what it was told: there its lack begins, ends or changes its cause. */
export function nextCrossingMs(varying: Varying, atMs: EpochMs): EpochMs {
  let next = Number.POSITIVE_INFINITY;
  const { kw, kwPerMs, kwPerMs2, rawKw, rawKwPerMs, rawKwPerMs2, credit, stretch } = varying;
  if (kwPerMs !== 0 || kwPerMs2 !== 0) {
    next = crossingMs(kw - varying.shareKw, kwPerMs, kwPerMs2, stretch.ratePerMs, atMs);
    if (varying.toldKw < varying.shareKw)
      next = Math.min(next, crossingMs(kw - varying.toldKw, kwPerMs, kwPerMs2, stretch.ratePerMs, atMs));
  }
  if (credit === null || (rawKwPerMs === 0 && rawKwPerMs2 === 0)) return next;
  for (const levelKw of credit.levelsKw)
    next = Math.min(next, crossingMs(rawKw - levelKw, rawKwPerMs, rawKwPerMs2, stretch.ratePerMs, atMs));
  return next;
}

/** A crossing nearer than this is the one the piece begins with. */
const CROSSED_MS = 1e-3;

function crossingMs(overKw: number, kwPerMs: number, kwPerMs2: number, ratePerMs: number, atMs: EpochMs): EpochMs {
  const sign = overKw > 0 || (overKw === 0 && kwPerMs > 0) ? -1 : 1;
  const afterMs = firstRiseMs(sign * overKw, sign * kwPerMs, sign * kwPerMs2, ratePerMs);
  return afterMs > CROSSED_MS ? atMs + afterMs : Number.POSITIVE_INFINITY;
}

export function codeOf(varying: Varying, kw: number, sign: number): number {
  const lackKw = varying.shareKw - kw;
  if (lackKw <= SAME_KW) return NOTHING_LACKED;
  const hasCut = varying.shareKw - varying.toldKw > SAME_KW;
  const hasBinding = varying.toldKw - kw > SAME_KW;
  const bindingCause = hasBinding ? causeOfBinding(varying.site, varying.stretch, sign) : -1;
  return causeCode(hasCut ? varying.cutCause : -1, bindingCause);
}
