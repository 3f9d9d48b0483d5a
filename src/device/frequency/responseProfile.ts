import { Copyable } from "../../base/copyState.ts";
import type { EpochMs } from "../../base/time.ts";
import { EQUALITY_TOLERANCE } from "../battery/batteryCapability.ts";
import { clampSymmetric } from "./frequencyResponse.ts";
import type { ResponseWindow } from "./responseWindow.ts";

/**
 * Frequency response of one order.
 *
 * @see docs/model/frequency-response.md#droop, docs/model/frequency-response.md#compound
 */
export interface OrderResponse {
  /** Two-sided FCR capacity, above 0. */
  readonly fcrCapacityKw: number;
  /** What the order has called besides, import positive; 0 for plain frequency response. */
  readonly deltaKw: number;
  /** Delta and response together never leave ±limitKw; `Infinity` for plain frequency response. */
  readonly limitKw: number;
}

/** Power that one order adds, given the unlimited droop response of the whole site. */
export const orderResponseKw = ({ fcrCapacityKw, deltaKw, limitKw }: OrderResponse, askedKw: number): number =>
  limitKw === Number.POSITIVE_INFINITY
    ? clampSymmetric(askedKw, fcrCapacityKw)
    : clampSymmetric(deltaKw + clampSymmetric(askedKw, fcrCapacityKw), limitKw) - deltaKw;

/**
 * kW that frequency response adds to a device's target from `originMs` on: straight pieces, piece k from `afterMs[k]`
 * real ms after the origin on, the last one open-ended.
 */
export interface PowerProfile {
  readonly count: number;
  readonly afterMs: Float64Array;
  readonly kw: Float64Array;
  readonly kwPerMs: Float64Array;
  /** Whether no piece has a slope. */
  readonly isStepped: boolean;
}

/** The path of one site up to the end of a window of the frequency; filled again and again without allocating. */
export class ResponseProfile extends Copyable implements PowerProfile {
  originMs: EpochMs = 0;
  /** End of the profile. */
  untilMs: EpochMs = 0;
  count = 0;
  isStepped = true;
  afterMs = new Float64Array(8);
  /** The sum over all parts. */
  kw = new Float64Array(8);
  kwPerMs = new Float64Array(8);
  /** Unlimited droop response of the whole site; stored for several parts only. */
  requestedKw = new Float64Array(8);
  requestedKwPerMs = new Float64Array(8);
  private cursor = 0;

  /**
   * @param ratedKw  of the site, which droops count by
   * @param longestMs  at most: for who plans anew again and again on the way
   */
  fill(
    originMs: EpochMs,
    window: ResponseWindow,
    ratedKw: number,
    parts: readonly OrderResponse[],
    longestMs = Number.POSITIVE_INFINITY,
  ): void {
    this.originMs = originMs;
    this.untilMs = Math.min(window.toMs, originMs + longestMs);
    this.count = 0;
    this.cursor = 0;
    this.isStepped = window.isStepped;
    let k = 0;
    while (k + 1 < window.count && window.startMs[k + 1] <= originMs) k++;
    let end = window.count;
    if (this.untilMs < window.toMs) for (end = k + 1; end < window.count && window.startMs[end] < this.untilMs; ) end++;
    if (!window.isStepped) this.addLines(window, k, end, ratedKw, parts);
    else if (parts.length === 1 && parts[0].limitKw === Number.POSITIVE_INFINITY)
      this.addSingleCapacitySteps(window, k, end, ratedKw, parts[0].fcrCapacityKw);
    else
      for (; k < end; k++) {
        const askedKw = ratedKw * window.responsePerKw[k];
        this.addPiece(Math.max(0, window.startMs[k] - originMs), totalResponseKw(parts, askedKw), 0, askedKw, 0);
      }
  }

  /** The common case: steps and one FCR capacity. The loop runs for every second of every site. */
  private addSingleCapacitySteps(
    { startMs, responsePerKw }: ResponseWindow,
    first: number,
    end: number,
    ratedKw: number,
    widthKw: number,
  ): void {
    this.reserve(end - first);
    const { originMs, afterMs, kw, kwPerMs } = this;
    let n = 0;
    let last = Number.NaN;
    for (let k = first; k < end; k++) {
      const asked = ratedKw * responsePerKw[k];
      const value = widthKw < asked ? widthKw : asked < -widthKw ? -widthKw : asked;
      if (value === last) continue;
      last = value;
      afterMs[n] = k === first ? 0 : startMs[k] - originMs;
      kw[n] = value;
      kwPerMs[n++] = 0;
    }
    this.count = n;
  }

  /** Sloping pieces get a corner where a part reaches its FCR capacity or its limit. */
  private addLines(
    window: ResponseWindow,
    first: number,
    end: number,
    ratedKw: number,
    parts: readonly OrderResponse[],
  ): void {
    const cornersKw = parts.flatMap(({ fcrCapacityKw, deltaKw, limitKw }) => [
      -fcrCapacityKw,
      fcrCapacityKw,
      -deltaKw - limitKw,
      -deltaKw + limitKw,
    ]);
    for (let k = first; k < end; k++) {
      const startMs = Math.max(window.startMs[k], this.originMs);
      const endMs = k + 1 < window.count ? window.startMs[k + 1] : window.toMs;
      const askedPerMs = ratedKw * window.responsePerKwPerMs[k];
      const askedKw = ratedKw * window.responsePerKw[k] + askedPerMs * (startMs - window.startMs[k]);
      const spanMs = endMs - startMs;
      const cutsMs =
        askedPerMs === 0
          ? []
          : cornersKw.map((kw) => (kw - askedKw) / askedPerMs).filter((ms) => 0 < ms && ms < spanMs);
      const intoMs = [0, ...cutsMs.sort((a, b) => a - b), spanMs];
      for (let j = 0; j + 1 < intoMs.length; j++) {
        const pieceMs = intoMs[j + 1] - intoMs[j];
        if (pieceMs <= 0) continue;
        const fromKw = totalResponseKw(parts, askedKw + askedPerMs * intoMs[j]);
        const toKw = totalResponseKw(parts, askedKw + askedPerMs * intoMs[j + 1]);
        const isFlat = Math.abs(toKw - fromKw) <= EQUALITY_TOLERANCE;
        const slope = isFlat ? 0 : (toKw - fromKw) / pieceMs;
        this.addPiece(startMs - this.originMs + intoMs[j], fromKw, slope, askedKw + askedPerMs * intoMs[j], askedPerMs);
      }
    }
  }

  private addPiece(afterMs: number, kw: number, kwPerMs: number, askedKw: number, askedKwPerMs: number): void {
    const last = this.count - 1;
    // Parts never move against one another: where their sum stays, each of them does.
    if (0 <= last && kwPerMs === 0 && this.kwPerMs[last] === 0 && this.kw[last] === kw) return;
    if (this.count === this.kw.length) this.reserve(this.count + 1);
    const k = this.count++;
    this.afterMs[k] = afterMs;
    this.kw[k] = kw;
    this.kwPerMs[k] = kwPerMs;
    this.requestedKw[k] = askedKw;
    // Consecutive constant pieces are merged; the request at the start of the piece applies to all of it.
    this.requestedKwPerMs[k] = kwPerMs === 0 ? 0 : askedKwPerMs;
  }

  private reserve(count: number): void {
    if (count <= this.kw.length) return;
    this.afterMs = longer(this.afterMs, count);
    this.kw = longer(this.kw, count);
    this.kwPerMs = longer(this.kwPerMs, count);
    this.requestedKw = longer(this.requestedKw, count);
    this.requestedKwPerMs = longer(this.requestedKwPerMs, count);
  }

  /** Index of the piece in force at an instant from the origin on. */
  indexAt(atMs: EpochMs): number {
    const { originMs, afterMs } = this;
    let k = this.cursor;
    while (k + 1 < this.count && originMs + afterMs[k + 1] <= atMs) k++;
    while (0 < k && atMs < originMs + afterMs[k]) k--;
    this.cursor = k;
    return k;
  }

  /** Start of the piece after k; `Infinity` after the last one. */
  endMs(k: number): EpochMs {
    return k + 1 < this.count ? this.originMs + this.afterMs[k + 1] : Number.POSITIVE_INFINITY;
  }

  kwAt(atMs: EpochMs): number {
    const k = this.indexAt(atMs);
    return this.kw[k] + this.kwPerMs[k] * (atMs - this.originMs - this.afterMs[k]);
  }
}

function totalResponseKw(parts: readonly OrderResponse[], askedKw: number): number {
  let kw = 0;
  for (const part of parts) kw += orderResponseKw(part, askedKw);
  return kw || 0;
}

function longer(values: Float64Array, count: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(Math.max(count, 2 * values.length));
  copy.set(values);
  return copy;
}
