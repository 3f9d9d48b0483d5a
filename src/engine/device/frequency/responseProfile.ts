import type { EpochMs } from "../../../base/time.ts";
import { EQUALITY_TOLERANCE } from "../battery/batteryCapability.ts";
import { grown, LinearPieces } from "../curve/linearPieces.ts";
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
  /** Called delta of the order, import positive; 0 for frequency response alone. */
  readonly deltaKw: number;
  /** Delta plus response is limited to ±limitKw; `Infinity` for frequency response alone. */
  readonly limitKw: number;
}

/** Power that one order adds, given the unlimited droop response of the whole site. */
export const orderResponseKw = ({ fcrCapacityKw, deltaKw, limitKw }: OrderResponse, requestedKw: number): number =>
  limitKw === Number.POSITIVE_INFINITY
    ? clampSymmetric(requestedKw, fcrCapacityKw)
    : clampSymmetric(deltaKw + clampSymmetric(requestedKw, fcrCapacityKw), limitKw) - deltaKw;

/**
 * Power in kW that frequency response adds to a device's target, as linear pieces. Piece k starts `afterMs[k]` real ms
 * after the origin; the last piece is open-ended.
 */
export interface PowerProfile {
  readonly count: number;
  readonly afterMs: Float64Array;
  readonly kw: Float64Array;
  readonly kwPerMs: Float64Array;
  /** Whether no piece has a slope. */
  readonly isStepped: boolean;
}

/** Response of one site, summed over all orders, up to the end of a frequency window. */
export class ResponseProfile extends LinearPieces implements PowerProfile {
  /** End of the profile. */
  untilMs: EpochMs = 0;
  isStepped = true;
  /** Unlimited droop response of the whole site; stored for several orders only. */
  requestedKw = new Float64Array(8);
  requestedKwPerMs = new Float64Array(8);

  /**
   * @param ratedKw  rated power of the site, the base of the droops
   * @param longestMs  largest duration of the profile; limits the work of callers that replan often
   */
  fill(
    originMs: EpochMs,
    window: ResponseWindow,
    ratedKw: number,
    responses: readonly OrderResponse[],
    longestMs = Number.POSITIVE_INFINITY,
  ): void {
    this.clear(originMs);
    this.untilMs = Math.min(window.toMs, originMs + longestMs);
    this.isStepped = window.isStepped;
    let k = 0;
    while (k + 1 < window.count && window.afterMs[k + 1] <= originMs) k++;
    let end = window.count;
    if (this.untilMs < window.toMs) for (end = k + 1; end < window.count && window.afterMs[end] < this.untilMs; ) end++;
    if (!window.isStepped) this.addLines(window, k, end, ratedKw, responses);
    else if (responses.length === 1 && responses[0].limitKw === Number.POSITIVE_INFINITY)
      this.addSingleCapacitySteps(window, k, end, ratedKw, responses[0].fcrCapacityKw);
    else
      for (; k < end; k++) {
        const requestedKw = ratedKw * window.kw[k];
        this.addPiece(
          Math.max(0, window.afterMs[k] - originMs),
          totalResponseKw(responses, requestedKw),
          0,
          requestedKw,
          0,
        );
      }
  }

  /** Fast path for steps and one FCR capacity: the loop runs for every second of every site. */
  private addSingleCapacitySteps(
    { afterMs: startMs, kw: perKw }: ResponseWindow,
    first: number,
    end: number,
    ratedKw: number,
    fcrCapacityKw: number,
  ): void {
    this.reserve(end - first);
    const { originMs, afterMs, kw, kwPerMs } = this;
    let n = 0;
    let last = Number.NaN;
    for (let k = first; k < end; k++) {
      const requested = ratedKw * perKw[k];
      const value = fcrCapacityKw < requested ? fcrCapacityKw : requested < -fcrCapacityKw ? -fcrCapacityKw : requested;
      if (value === last) continue;
      last = value;
      afterMs[n] = k === first ? 0 : startMs[k] - originMs;
      kw[n] = value;
      kwPerMs[n++] = 0;
    }
    this.count = n;
  }

  /** Splits sloping pieces where an order reaches its FCR capacity or its limit. */
  private addLines(
    window: ResponseWindow,
    first: number,
    end: number,
    ratedKw: number,
    responses: readonly OrderResponse[],
  ): void {
    const cornersKw = responses.flatMap(({ fcrCapacityKw, deltaKw, limitKw }) => [
      -fcrCapacityKw,
      fcrCapacityKw,
      -deltaKw - limitKw,
      -deltaKw + limitKw,
    ]);
    for (let k = first; k < end; k++) {
      const startMs = Math.max(window.afterMs[k], this.originMs);
      const endMs = k + 1 < window.count ? window.afterMs[k + 1] : window.toMs;
      const requestedPerMs = ratedKw * window.kwPerMs[k];
      const requestedKw = ratedKw * window.kw[k] + requestedPerMs * (startMs - window.afterMs[k]);
      const spanMs = endMs - startMs;
      const cutsMs =
        requestedPerMs === 0
          ? []
          : cornersKw.map((kw) => (kw - requestedKw) / requestedPerMs).filter((ms) => 0 < ms && ms < spanMs);
      const breakpointsMs = [0, ...cutsMs.sort((a, b) => a - b), spanMs];
      for (let j = 0; j + 1 < breakpointsMs.length; j++) {
        const pieceMs = breakpointsMs[j + 1] - breakpointsMs[j];
        if (pieceMs <= 0) continue;
        const fromKw = totalResponseKw(responses, requestedKw + requestedPerMs * breakpointsMs[j]);
        const toKw = totalResponseKw(responses, requestedKw + requestedPerMs * breakpointsMs[j + 1]);
        const isFlat = Math.abs(toKw - fromKw) <= EQUALITY_TOLERANCE;
        const slope = isFlat ? 0 : (toKw - fromKw) / pieceMs;
        this.addPiece(
          startMs - this.originMs + breakpointsMs[j],
          fromKw,
          slope,
          requestedKw + requestedPerMs * breakpointsMs[j],
          requestedPerMs,
        );
      }
    }
  }

  private addPiece(afterMs: number, kw: number, kwPerMs: number, requestedKw: number, requestedKwPerMs: number): void {
    // All orders respond in the same direction: where their sum is constant, each response is constant.
    if (this.repeatsLast(kw, kwPerMs)) return;
    const k = this.append(afterMs, kw, kwPerMs);
    this.requestedKw[k] = requestedKw;
    // Consecutive constant pieces are merged; the request at the start of the piece applies to all of it.
    this.requestedKwPerMs[k] = kwPerMs === 0 ? 0 : requestedKwPerMs;
  }

  override reserve(count: number): void {
    if (count <= this.kw.length) return;
    super.reserve(count);
    this.requestedKw = grown(this.requestedKw, count);
    this.requestedKwPerMs = grown(this.requestedKwPerMs, count);
  }
}

function totalResponseKw(responses: readonly OrderResponse[], requestedKw: number): number {
  let kw = 0;
  for (const response of responses) kw += orderResponseKw(response, requestedKw);
  return kw || 0;
}
