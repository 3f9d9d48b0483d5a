import type { EpochMs } from "../../../base/time.ts";
import { EQUALITY_TOLERANCE } from "../../device/battery/batteryCapability.ts";
import {
  type LinearPower,
  MIN_REPLANNING_HORIZON_MS,
  NEVER,
  REPLANNING_HORIZON_MS,
  REPLANNING_TOLERANCE_KW,
} from "./connectionHeadroom.ts";

/** Request of one battery for shared headroom; kW are positive in the direction of the headroom. */
export interface HeadroomRequest {
  /** Requested power within the capability, and its slope. */
  requestedKw: number;
  requestedKwPerMs: number;
  /** Present power, and the ramp towards the request; `Infinity`: at once. */
  flowingKw: number;
  rampKwPerMs: number;
  /** The allocated limit. */
  capKw: number;
  // Predicted values at one later instant:
  usedKw: number;
  weightKw: number;
  isRamping: boolean;
  futureCapKw: number;
}

/**
 * Sets limits such that the total power never exceeds the headroom: ramping batteries get their present power, the others
 * divide the rest in proportion to their requests.
 *
 * @param headroom  linear from `atMs` on
 * @returns until when the limits are valid
 */
export function capHeadroomRequests(
  requests: readonly HeadroomRequest[],
  atMs: EpochMs,
  headroom: LinearPower,
): EpochMs {
  for (const request of requests) request.capKw = NEVER;
  const fittingMs = fittingDurationMs(requests, headroom);
  if (MIN_REPLANNING_HORIZON_MS <= fittingMs) return atMs + fittingMs;
  // Powers that fill the headroom exactly could seem to fit because of rounding.
  computeCaps(requests, headroom, 0);
  if (requests[0].futureCapKw === NEVER) computeCaps(requests, headroom, MIN_REPLANNING_HORIZON_MS);
  for (const request of requests) {
    request.capKw = request.futureCapKw;
    // A limit takes effect at once; a ramp continues from it.
    request.flowingKw = Math.min(request.flowingKw, request.capKw);
  }
  if (headroom.kwPerMs === 0 && requests.every(isSettled)) return NEVER;
  const changeKw = computeCaps(requests, headroom, REPLANNING_HORIZON_MS);
  const aheadMs =
    changeKw <= REPLANNING_TOLERANCE_KW
      ? REPLANNING_HORIZON_MS
      : Math.max(MIN_REPLANNING_HORIZON_MS, (REPLANNING_HORIZON_MS * REPLANNING_TOLERANCE_KW) / changeKw);
  if (aheadMs < REPLANNING_HORIZON_MS) computeCaps(requests, headroom, aheadMs);
  for (const request of requests) request.capKw = Math.min(request.capKw, request.futureCapKw);
  return atMs + aheadMs;
}

/** How long all requests certainly fit, in ms. */
function fittingDurationMs(requests: readonly HeadroomRequest[], headroom: LinearPower): number {
  let maxKw = 0;
  let maxKwPerMs = 0;
  let flowingKw = 0;
  let flowingKwPerMs = 0;
  for (const request of requests) {
    const { requestedKw, requestedKwPerMs, rampKwPerMs } = request;
    const riseKwPerMs = Math.max(0, requestedKwPerMs);
    const usedKw = usedKwAt(request, 0);
    maxKw += Math.max(0, requestedKw, usedKw);
    maxKwPerMs += riseKwPerMs;
    flowingKw += usedKw;
    flowingKwPerMs += usedKw + EQUALITY_TOLERANCE < requestedKw ? rampKwPerMs : Math.min(rampKwPerMs, riseKwPerMs);
  }
  return Math.max(
    durationUntilFullMs(headroom.kw - maxKw, headroom.kwPerMs - maxKwPerMs),
    durationUntilFullMs(headroom.kw - flowingKw, headroom.kwPerMs - flowingKwPerMs),
  );
}

function durationUntilFullMs(remainingKw: number, leftKwPerMs: number): number {
  if (remainingKw < 0) return 0;
  return leftKwPerMs < 0 ? remainingKw / -leftKwPerMs : NEVER;
}

/** Predicted power without limits, `aheadMs` later. */
function usedKwAt({ requestedKw, requestedKwPerMs, flowingKw, rampKwPerMs }: HeadroomRequest, aheadMs: number): number {
  const targetKw = requestedKw + requestedKwPerMs * aheadMs;
  if (rampKwPerMs === NEVER) return Math.max(0, targetKw);
  const rampKw = rampKwPerMs * aheadMs;
  return Math.max(0, flowingKw - rampKw, Math.min(flowingKw + rampKw, targetKw));
}

/** Whether the power is constant: at the request, or at the limit. */
const isSettled = ({ requestedKw, requestedKwPerMs, flowingKw, capKw, rampKwPerMs }: HeadroomRequest): boolean =>
  requestedKwPerMs === 0 &&
  (rampKwPerMs === NEVER ||
    Math.abs(flowingKw - requestedKw) <= EQUALITY_TOLERANCE ||
    (flowingKw < requestedKw && capKw - EQUALITY_TOLERANCE <= flowingKw));

/** Computes the limits `aheadMs` later. @returns the largest change of an effective limit until then, in kW */
function computeCaps(requests: readonly HeadroomRequest[], headroom: LinearPower, aheadMs: number): number {
  const level = computeAllocationLevel(requests, Math.max(0, headroom.kw + headroom.kwPerMs * aheadMs), aheadMs);
  let changeKw = 0;
  for (const request of requests) {
    const { usedKw, weightKw, capKw } = request;
    request.futureCapKw = level === NEVER ? NEVER : level * weightKw;
    if (request.futureCapKw <= usedKw || capKw <= usedKw)
      changeKw = Math.max(changeKw, distance(request.futureCapKw, capKw));
  }
  return changeKw;
}

const distance = (a: number, b: number): number => (a === b ? 0 : Math.abs(a - b));

/** The fraction of its request that each non-ramping battery gets; `Infinity`: no limit. */
function computeAllocationLevel(requests: readonly HeadroomRequest[], headroomKw: number, aheadMs: number): number {
  let remainingKw = headroomKw;
  let weightKw = 0;
  let usedKw = 0;
  for (const request of requests) {
    request.usedKw = usedKwAt(request, aheadMs);
    request.weightKw = Math.max(request.usedKw, request.requestedKw + request.requestedKwPerMs * aheadMs);
    request.isRamping = false;
    usedKw += request.usedKw;
    weightKw += request.weightKw;
  }
  if (usedKw <= headroomKw) return NEVER;
  for (let changed = true; changed; ) {
    changed = false;
    for (const request of requests) {
      if (request.isRamping || (remainingKw / weightKw) * request.weightKw <= request.usedKw) continue;
      request.isRamping = changed = true;
      remainingKw -= request.usedKw;
      weightKw -= request.weightKw;
    }
  }
  return weightKw > 0 ? remainingKw / weightKw : NEVER;
}

export const newHeadroomRequest = (): HeadroomRequest => ({
  requestedKw: 0,
  requestedKwPerMs: 0,
  flowingKw: 0,
  rampKwPerMs: NEVER,
  capKw: NEVER,
  usedKw: 0,
  weightKw: 0,
  isRamping: false,
  futureCapKw: NEVER,
});
