import { integrateDeviation, type SegmentSum } from "../accounting/settlement/segmentSum.ts";
import type { Sku } from "../base/sku.ts";
import { type EpochMs, MS_PER_HOUR } from "../base/time.ts";
import type { AwardSlot, BandMiss } from "./awardSlot.ts";
import type { SamplingRule } from "./settlement.ts";

/** The properties of an award that a market assesses. */
interface AssessedAward {
  readonly vpp: string;
  readonly awardId: string;
  readonly sku: Sku | null;
  readonly direction: 1 | -1;
  readonly awardedKw: number;
}

/** A piece of an award's execution in which requested and delivered power are one curve each, along the award. */
export interface AwardPiece {
  readonly fromMs: EpochMs;
  readonly toMs: EpochMs;
  /** Constant over the piece. */
  readonly requestedKw: number;
  /** Requested − delivered power, from the start of the piece. */
  readonly deviation: SegmentSum;
}

/** The request of a product in a VPP, which contiguous pieces of its awards continue. */
export interface RequestInForce {
  /** Import positive. */
  kw: number;
  untilMs: EpochMs;
  /** End of the grace period after its last change. */
  settledFromMs: EpochMs;
}

export const noRequest = (): RequestInForce => ({
  kw: 0,
  untilMs: Number.NEGATIVE_INFINITY,
  settledFromMs: Number.NEGATIVE_INFINITY,
});

/** Sums of one slot while it lasts. */
class SlotSums {
  coveredMs = 0;
  samples = 0;
  samplesBad = 0;
  worstSample: BandMiss | null = null;
  missingKw = 0;
  sampledRequestedKw = 0;
  sampledDeliveredKw = 0;
  requestedKwh = 0;
  deliveredKwh = 0;
  creditedKwh = 0;
  availableKw: number | null = null;
}

/** Powers are along the request. */
interface Sample {
  readonly requestedKw: number;
  readonly deliveredKw: number;
  /** What is held against the band. */
  readonly miss: BandMiss;
  /** Powers are as exact as this. */
  readonly toleranceKw: number;
}

const outsideKw = ({ missedKw, bandKw }: BandMiss): number => Math.abs(missedKw) - bandKw;

function addToSums(slot: SlotSums, { requestedKw, deliveredKw, miss, toleranceKw }: Sample): void {
  slot.samples++;
  if (outsideKw(miss) > toleranceKw) {
    slot.samplesBad++;
    if (slot.worstSample === null || outsideKw(slot.worstSample) < outsideKw(miss)) slot.worstSample = miss;
  }
  slot.missingKw += Math.max(0, requestedKw - deliveredKw);
  slot.sampledRequestedKw += requestedKw;
  slot.sampledDeliveredKw += deliveredKw;
}

/** Distance to a sampling instant below which a piece begins at it. */
const INSTANT_MS = 1e-6;

/**
 * Assesses one award slot by slot: energy by exact integrals, the band at the market's sampling instants
 * (docs/model/settlement.md#assessment).
 */
export class AwardAssessor {
  readonly award: AssessedAward;
  private readonly rule: SamplingRule;
  private readonly slotMs: number;
  private readonly sumsBySlot = new Map<EpochMs, SlotSums>();
  private readonly request: RequestInForce;

  /** @param request  shared by the awards of the product in the VPP, whose pieces come in order of time */
  constructor(award: AssessedAward, rule: SamplingRule, slotMs: number, request: RequestInForce) {
    this.award = award;
    this.rule = rule;
    this.slotMs = slotMs;
    this.request = request;
  }

  /** Records a covered period without assessment of its power. */
  cover(fromMs: EpochMs, toMs: EpochMs): void {
    for (let atMs = fromMs; atMs < toMs; ) {
      const untilMs = Math.min(toMs, this.slotEndMs(atMs));
      this.slotAt(atMs).coveredMs += untilMs - atMs;
      atMs = untilMs;
    }
  }

  /** Records a measurement of the available power; the least of a slot counts. @param availableKw  at least 0 */
  measureAvailable(atMs: EpochMs, availableKw: number): void {
    const slot = this.slotAt(atMs);
    slot.availableKw = Math.min(slot.availableKw ?? Number.POSITIVE_INFINITY, availableKw);
  }

  /** Pieces come in order of time and do not cross the end of a slot. */
  addPiece({ fromMs, toMs, requestedKw, deviation }: AwardPiece): void {
    const slot = this.slotAt(fromMs);
    const spanMs = toMs - fromMs;
    const request = this.request;
    const signedKw = this.award.direction * requestedKw;
    const beforeKw = request.untilMs < fromMs - INSTANT_MS ? 0 : request.kw;
    if (Math.abs(signedKw - beforeKw) > 1e-9) request.settledFromMs = fromMs + this.rule.graceMs;
    request.kw = signedKw;
    request.untilMs = toMs;
    slot.coveredMs += spanMs;
    this.addEnergy(slot, requestedKw, deviation, spanMs);
    if (requestedKw > 0) this.addSamples(slot, { fromMs, toMs, requestedKw, deviation });
  }

  private addEnergy(slot: SlotSums, requestedKw: number, deviation: SegmentSum, spanMs: number): void {
    const integrals = { shortfallKwh: 0, excessKwh: 0, inBandMs: 0 };
    const requestedKwh = (requestedKw * spanMs) / MS_PER_HOUR;
    integrateDeviation(deviation, spanMs, 0, integrals);
    const { shortfallKwh, excessKwh } = integrals;
    // ∫ max(0, −delivered): delivered is requested − deviation.
    const { kw } = deviation;
    deviation.kw = kw - requestedKw;
    integrateDeviation(deviation, spanMs, 0, integrals);
    deviation.kw = kw;
    slot.requestedKwh += requestedKwh;
    slot.deliveredKwh += requestedKwh - shortfallKwh + excessKwh;
    slot.creditedKwh += requestedKwh - shortfallKwh + integrals.shortfallKwh;
  }

  private addSamples(slot: SlotSums, { fromMs, toMs, requestedKw, deviation }: AwardPiece): void {
    const { sampleMs, bandKw } = this.rule;
    const allowedKw = bandKw(requestedKw, this.award.awardedKw);
    const firstMs = Math.max(fromMs, this.request.settledFromMs);
    for (
      let atMs = Math.ceil((firstMs - INSTANT_MS) / sampleMs) * sampleMs;
      atMs < toMs - INSTANT_MS;
      atMs += sampleMs
    ) {
      const missedKw = deviation.valueAt(Math.max(0, atMs - fromMs));
      const miss = { missedKw, bandKw: allowedKw };
      addToSums(slot, { requestedKw, deliveredKw: requestedKw - missedKw, miss, toleranceKw: 1e-9 });
    }
  }

  /** A sample of an award that has no pieces. */
  addSample(atMs: EpochMs, sample: Sample): void {
    addToSums(this.slotAt(atMs), sample);
  }

  private slotEndMs(atMs: EpochMs): EpochMs {
    return (Math.floor(atMs / this.slotMs) + 1) * this.slotMs;
  }

  private slotAt(atMs: EpochMs): SlotSums {
    const startMs = Math.floor(atMs / this.slotMs) * this.slotMs;
    const known = this.sumsBySlot.get(startMs);
    if (known !== undefined) return known;
    const slot = new SlotSums();
    this.sumsBySlot.set(startMs, slot);
    return slot;
  }

  /** In order of time. */
  slots(): AwardSlot[] {
    return [...this.sumsBySlot]
      .sort(([a], [b]) => a - b)
      .filter(([, { coveredMs }]) => coveredMs > 0)
      .map(([slotStartMs, { coveredMs, missingKw, ...sums }]) => ({
        slotStartMs,
        ...this.award,
        ...sums,
        coveredShare: coveredMs / this.slotMs,
        missingKw: sums.samples === 0 ? 0 : missingKw / sums.samples,
      }));
  }
}
