import { splitPiece } from "../../../accounting/recorders/powerSums.ts";
import type { DeliveryListener, DeliveryPiece } from "../../../accounting/settlement/awardSettlement.ts";
import { CAUSES } from "../../../accounting/settlement/causes.ts";
import type { ShortfallAttribution } from "../../../accounting/settlement/shortfallAttribution.ts";
import { type EpochMs, MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE, MS_PER_SECOND } from "../../../base/time.ts";
import type { HiddenCauses } from "./hiddenShortfall.ts";

/** Energies of a VPP's awards in consecutive bins, in kW · ms. */
interface PowerBins {
  readonly requestedKwMs: Float64Array;
  readonly deliveredKwMs: Float64Array;
  readonly uncoveredKwMs: Float64Array;
  readonly shortfallKwMs: Float64Array;
  /** Shortfall by cause, in the order of CAUSES; created with the first shortfall of the cause. */
  readonly causes: (Float64Array | undefined)[];
  /** The part of each cause that an operator cannot know yet; created with the first. */
  readonly hidden: (Float64Array | undefined)[];
}

/** Mean power over equal steps, in kW. Requested and delivered are signed, the others at least 0. */
export interface PowerSteps {
  readonly requestedKw: Float64Array;
  readonly deliveredKw: Float64Array;
  readonly uncoveredKw: Float64Array;
  /** By index into CAUSES; causes that do not occur are absent. */
  readonly causesKw: ReadonlyMap<number, Float64Array>;
  /** The part of each that an operator cannot know yet; absent where there is none. */
  readonly hiddenKw: ReadonlyMap<number, Float64Array>;
}

/**
 * Requested, delivered and uncovered power of each VPP over the run, as means over bins. Sums of bins are exact whatever the
 * order in which awards are settled. The memory depends on the length of the scenario alone
 * (docs/model/sandbox.md#power-series).
 */
export class PowerLog implements DeliveryListener {
  readonly binMs: number;
  readonly startMs: EpochMs;
  /** By VPP and day of the run; days without awards are absent. */
  private readonly days: Map<number, PowerBins>[];
  private readonly pieceCausesKwh = new Float64Array(CAUSES.length);
  private readonly pieceHiddenKwh = new Float64Array(CAUSES.length);
  private readonly hiddenCauses: HiddenCauses;

  constructor(
    { startMs, endMs }: { readonly startMs: EpochMs; readonly endMs: EpochMs },
    vppCount: number,
    hiddenCauses: HiddenCauses,
  ) {
    this.startMs = startMs;
    this.hiddenCauses = hiddenCauses;
    this.binMs = binLengthMs(endMs - startMs);
    this.days = Array.from({ length: vppCount }, () => new Map());
  }

  addDelivery(vpp: number, piece: DeliveryPiece, attribution: ShortfallAttribution | null): void {
    const { requestedKw, uncoveredKw, shortfallKwh, pieceHours } = piece;
    if (piece.toMs <= piece.fromMs) return;
    const causes = this.pieceCausesKwh.fill(0);
    const gapsKwh = attribution?.addPieceGaps(pieceHours, causes) ?? 0;
    const hiddenKwh = this.hiddenGaps(piece, attribution);
    splitPiece(piece, this, (bin, partHours, deliveredKwh, missingKwh) => {
      const partMs = partHours * MS_PER_HOUR;
      const { bins, index } = this.binAt(vpp, bin);
      bins.requestedKwMs[index] += requestedKw * partMs;
      bins.deliveredKwMs[index] += deliveredKwh * MS_PER_HOUR;
      bins.uncoveredKwMs[index] += Math.abs(uncoveredKw) * partMs;
      if (shortfallKwh <= 0) return;
      const shortfallKwMs = missingKwh * MS_PER_HOUR;
      // Shortfall per kWh of gap, equal for all causes.
      const causeShare = gapsKwh > 0 ? shortfallKwMs / gapsKwh : 0;
      bins.shortfallKwMs[index] += shortfallKwMs;
      for (let c = 0; c < causes.length; c++) {
        if (causes[c] <= 0) continue;
        const byCause = (bins.causes[c] ??= new Float64Array(bins.requestedKwMs.length));
        byCause[index] += causes[c] * causeShare;
        if (hiddenKwh === null || hiddenKwh[c] <= 0) continue;
        const hidden = (bins.hidden[c] ??= new Float64Array(bins.requestedKwMs.length));
        hidden[index] += hiddenKwh[c] * causeShare;
      }
    });
  }

  /** The gaps of a piece by cause that an operator cannot know yet, in kWh; `null`: none. */
  private hiddenGaps(
    { fromMs, toMs, pieceHours }: DeliveryPiece,
    attribution: ShortfallAttribution | null,
  ): Float64Array | null {
    if (attribution === null || !this.hiddenCauses.mayHide(toMs)) return null;
    const hiddenKwh = this.pieceHiddenKwh.fill(0);
    for (const { cause, site, kw } of attribution.pieceGaps(pieceHours))
      if (this.hiddenCauses.isHidden(cause, site, fromMs)) hiddenKwh[CAUSES.indexOf(cause)] += kw * pieceHours;
    return hiddenKwh;
  }

  /** Marks a cause as known in a past period. */
  reveal(cause: number, fromMs: EpochMs, toMs: EpochMs): void {
    const perDay = MS_PER_DAY / this.binMs;
    const lastBin = Math.floor((toMs - this.startMs) / this.binMs);
    for (let bin = Math.max(0, Math.floor((fromMs - this.startMs) / this.binMs)); bin <= lastBin; bin++) {
      const day = Math.floor(bin / perDay);
      for (const days of this.days) days.get(day)?.hidden[cause]?.fill(0, bin - day * perDay, bin - day * perDay + 1);
    }
  }

  private binAt(vpp: number, bin: number): { readonly bins: PowerBins; readonly index: number } {
    const perDay = MS_PER_DAY / this.binMs;
    const day = Math.floor(bin / perDay);
    const days = this.days[vpp];
    let bins = days.get(day);
    if (bins === undefined) {
      const column = () => new Float64Array(perDay);
      bins = {
        requestedKwMs: column(),
        deliveredKwMs: column(),
        uncoveredKwMs: column(),
        shortfallKwMs: column(),
        causes: [],
        hidden: [],
      };
      days.set(day, bins);
    }
    return { bins, index: bin - day * perDay };
  }

  /**
   * Mean power over steps of `binMs` times `binsPerStep`. Only the time before `untilMs` counts, in its own step too.
   *
   * @param fromMs  start of a bin
   */
  read(vpp: number, fromMs: EpochMs, count: number, binsPerStep: number, untilMs: EpochMs): PowerSteps {
    const requestedKw = new Float64Array(count);
    const deliveredKw = new Float64Array(count);
    const uncoveredKw = new Float64Array(count);
    const causesKw = new Map<number, Float64Array>();
    const hiddenKw = new Map<number, Float64Array>();
    const firstBin = Math.round((fromMs - this.startMs) / this.binMs);
    const perDay = MS_PER_DAY / this.binMs;
    for (let k = 0; k < count * binsPerStep; k++) {
      const bin = firstBin + k;
      const day = Math.floor(bin / perDay);
      const bins = this.days[vpp].get(day);
      if (bins === undefined) {
        // No award on this day: continue with the next day.
        k += perDay - 1 - (bin - day * perDay);
        continue;
      }
      const step = Math.floor(k / binsPerStep);
      const stepStartMs = fromMs + step * binsPerStep * this.binMs;
      const stepMs = Math.min(untilMs - stepStartMs, binsPerStep * this.binMs);
      if (stepMs <= 0) break;
      const index = bin - day * perDay;
      requestedKw[step] += bins.requestedKwMs[index] / stepMs;
      deliveredKw[step] += bins.deliveredKwMs[index] / stepMs;
      uncoveredKw[step] += bins.uncoveredKwMs[index] / stepMs;
      addColumns(bins.causes, index, causesKw, { step, stepMs, count });
      addColumns(bins.hidden, index, hiddenKw, { step, stepMs, count });
    }
    return { requestedKw, deliveredKw, uncoveredKw, causesKw, hiddenKw };
  }
}

/** Adds one bin of each cause to a step. */
function addColumns(
  bins: readonly (Float64Array | undefined)[],
  bin: number,
  sumsKw: Map<number, Float64Array>,
  { step, stepMs, count }: { readonly step: number; readonly stepMs: number; readonly count: number },
): void {
  bins.forEach((values, cause) => {
    if (values === undefined || values[bin] === 0) return;
    let kw = sumsKw.get(cause);
    if (kw === undefined) sumsKw.set(cause, (kw = new Float64Array(count)));
    kw[step] += values[bin] / stepMs;
  });
}

/** Bins of ten seconds up to ten days, of a minute up to forty, then of five minutes. */
function binLengthMs(spanMs: number): number {
  if (spanMs <= 10 * MS_PER_DAY) return 10 * MS_PER_SECOND;
  return spanMs <= 40 * MS_PER_DAY ? MS_PER_MINUTE : 5 * MS_PER_MINUTE;
}
