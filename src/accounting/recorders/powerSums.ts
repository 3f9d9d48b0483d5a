import { Copyable } from "../../base/copyState.ts";
import { type EpochMs, MS_PER_HOUR } from "../../base/time.ts";
import type { DeliveryPiece } from "../settlement/awardSettlement.ts";
import type { Bins } from "./envelope.ts";

/** The part of a piece in one bin: hours, kWh delivered (signed), kWh missing from the request. */
type AddPart = (bin: number, partHours: number, deliveredKwh: number, shortfallKwh: number) => void;

/**
 * Divides a piece at the borders of bins. The shortfall is divided as the missing power of the parts, so that a ramp has it where
 * its power is missing; the parts sum to the piece.
 */
export function splitPiece(
  { fromMs, toMs, requestedKw, fromKw, toKw, shortfallKwh }: DeliveryPiece,
  { startMs, binMs }: Pick<Bins, "startMs" | "binMs">,
  addPart: AddPart,
): void {
  const spanMs = toMs - fromMs;
  const first = Math.floor((fromMs - startMs) / binMs);
  if (toMs <= startMs + (first + 1) * binMs)
    return addPart(first, spanMs / MS_PER_HOUR, (0.5 * (fromKw + toKw) * spanMs) / MS_PER_HOUR, shortfallKwh);
  const sign = Math.sign(requestedKw);
  const missingKwAt = (atMs: EpochMs): number =>
    sign * (requestedKw - fromKw - ((toKw - fromKw) * (atMs - fromMs)) / spanMs);
  const missing = shortfallKwh > 0 ? integralAboveZero(missingKwAt(fromMs), missingKwAt(toMs), spanMs) : 0;
  for (let atMs = fromMs; atMs < toMs; ) {
    const bin = Math.floor((atMs - startMs) / binMs);
    const untilMs = Math.min(toMs, startMs + (bin + 1) * binMs);
    const partHours = (untilMs - atMs) / MS_PER_HOUR;
    const middle = ((atMs + untilMs) / 2 - fromMs) / spanMs;
    const partMissing = missing > 0 ? integralAboveZero(missingKwAt(atMs), missingKwAt(untilMs), untilMs - atMs) : 0;
    const share = missing > 0 ? partMissing / missing : (untilMs - atMs) / spanMs;
    addPart(bin, partHours, (fromKw + (toKw - fromKw) * middle) * partHours, shortfallKwh * share);
    atMs = untilMs;
  }
}

/** Integral of the part above zero of a straight line. */
function integralAboveZero(start: number, end: number, length: number): number {
  if (start <= 0 && end <= 0) return 0;
  if (start >= 0 && end >= 0) return ((start + end) / 2) * length;
  const above = Math.max(start, end);
  return ((above * above) / Math.abs(end - start) / 2) * length;
}

/** Energy of a VPP's awards in equal units of time, in kWh. */
export interface EnergySums {
  readonly units: Bins;
  /** At least 0. */
  readonly requestedKwh: Float64Array;
  /** Along the request of each award: negative where power moved against it. */
  readonly deliveredKwh: Float64Array;
  /** Signed: import positive. */
  readonly changeKwh: Float64Array;
  readonly shortfallKwh: Float64Array;
  readonly penaltyJpy: Float64Array;
  /** By index into CAUSES; causes that do not occur are absent. */
  readonly causesKwh: ReadonlyMap<number, Float64Array>;
}

/** Sums the pieces of a VPP's awards as exact integrals; the memory depends on the length of the run alone. */
export class EnergySummer extends Copyable {
  private readonly units: Bins;
  private readonly sums: EnergySums & { readonly causesKwh: Map<number, Float64Array> };

  constructor(units: Bins) {
    super();
    this.units = units;
    const column = () => new Float64Array(units.count);
    this.sums = {
      units,
      requestedKwh: column(),
      deliveredKwh: column(),
      changeKwh: column(),
      shortfallKwh: column(),
      penaltyJpy: column(),
      causesKwh: new Map(),
    };
  }

  /** @param gapsKwh  of the piece by cause, whose sum is `gapKwh`; 0 where causes are not recorded */
  add(piece: DeliveryPiece, gapsKwh: Float64Array, gapKwh: number): void {
    const { requestedKw, penaltyPerKwh } = piece;
    const { requestedKwh, deliveredKwh, changeKwh, shortfallKwh, penaltyJpy, causesKwh } = this.sums;
    const sign = Math.sign(requestedKw);
    splitPiece(piece, this.units, (unit, hours, kwh, missingKwh) => {
      requestedKwh[unit] += Math.abs(requestedKw) * hours;
      deliveredKwh[unit] += sign * kwh;
      changeKwh[unit] += kwh;
      shortfallKwh[unit] += missingKwh;
      penaltyJpy[unit] += penaltyPerKwh * missingKwh;
      if (missingKwh <= 0 || gapKwh <= 0) return;
      for (let cause = 0; cause < gapsKwh.length; cause++) {
        if (gapsKwh[cause] <= 0) continue;
        let byCause = causesKwh.get(cause);
        if (byCause === undefined) causesKwh.set(cause, (byCause = new Float64Array(this.units.count)));
        byCause[unit] += (missingKwh * gapsKwh[cause]) / gapKwh;
      }
    });
  }

  finish(): EnergySums {
    return this.sums;
  }
}
