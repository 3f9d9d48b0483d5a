import type { EpochMs } from "../../base/time.ts";
import { EQUALITY_TOLERANCE } from "../../device/battery/batteryCapability.ts";
import {
  type LinearPower,
  MIN_REPLANNING_HORIZON_MS,
  NEVER,
  REPLANNING_HORIZON_MS,
  REPLANNING_TOLERANCE_KW,
} from "./connectionHeadroom.ts";

/** What one battery would do in the direction of a room that several share; kW counted into that direction. */
export interface HeadroomRequest {
  /** What it is to do, as far as it can, and how that moves. */
  requestedKw: number;
  requestedKwPerMs: number;
  /** What flows of it, which goes to the goal by its ramp; `Infinity`: at once. */
  flowingKw: number;
  rampKwPerMs: number;
  /** Its limit. */
  capKw: number;
  // At one instant ahead:
  usedKw: number;
  weightKw: number;
  isRamping: boolean;
  futureCapKw: number;
}

/**
 * Gives claims their limits for a while, such that together they never come to more than the room: those on their ramps
 * keep what flows of them, the others get of the rest by what they are to do.
 *
 * @param room  from `atMs` on
 * @returns until when the limits hold
 */
export function capHeadroomRequests(claims: readonly HeadroomRequest[], atMs: EpochMs, room: LinearPower): EpochMs {
  for (const claim of claims) claim.capKw = NEVER;
  const freeMs = freeForMs(claims, room);
  if (MIN_REPLANNING_HORIZON_MS <= freeMs) return atMs + freeMs;
  // Flows that fill the room as it is would seem to fit by their last digits.
  computeCaps(claims, room, 0);
  if (claims[0].futureCapKw === NEVER) computeCaps(claims, room, MIN_REPLANNING_HORIZON_MS);
  for (const claim of claims) {
    claim.capKw = claim.futureCapKw;
    // Limits act at once; a ramp goes on from there.
    claim.flowingKw = Math.min(claim.flowingKw, claim.capKw);
  }
  if (room.kwPerMs === 0 && claims.every(isSettled)) return NEVER;
  const movedKw = computeCaps(claims, room, REPLANNING_HORIZON_MS);
  const aheadMs =
    movedKw <= REPLANNING_TOLERANCE_KW
      ? REPLANNING_HORIZON_MS
      : Math.max(MIN_REPLANNING_HORIZON_MS, (REPLANNING_HORIZON_MS * REPLANNING_TOLERANCE_KW) / movedKw);
  if (aheadMs < REPLANNING_HORIZON_MS) computeCaps(claims, room, aheadMs);
  for (const claim of claims) claim.capKw = Math.min(claim.capKw, claim.futureCapKw);
  return atMs + aheadMs;
}

/** For how long all of them certainly have room. */
function freeForMs(claims: readonly HeadroomRequest[], room: LinearPower): number {
  let mostKw = 0;
  let mostKwPerMs = 0;
  let flowKw = 0;
  let flowKwPerMs = 0;
  for (const claim of claims) {
    const { requestedKw: goalKw, requestedKwPerMs: goalKwPerMs, rampKwPerMs } = claim;
    const rises = Math.max(0, goalKwPerMs);
    const usesKw = usedKwAt(claim, 0);
    mostKw += Math.max(0, goalKw, usesKw);
    mostKwPerMs += rises;
    flowKw += usesKw;
    flowKwPerMs += usesKw + EQUALITY_TOLERANCE < goalKw ? rampKwPerMs : Math.min(rampKwPerMs, rises);
  }
  return Math.max(
    fitsForMs(room.kw - mostKw, room.kwPerMs - mostKwPerMs),
    fitsForMs(room.kw - flowKw, room.kwPerMs - flowKwPerMs),
  );
}

function fitsForMs(leftKw: number, leftKwPerMs: number): number {
  if (leftKw < 0) return 0;
  return leftKwPerMs < 0 ? leftKw / -leftKwPerMs : NEVER;
}

/** What flows of one some time ahead if nothing holds it back. */
function usedKwAt(
  { requestedKw: goalKw, requestedKwPerMs: goalKwPerMs, flowingKw: flowKw, rampKwPerMs }: HeadroomRequest,
  aheadMs: number,
): number {
  const wantedKw = goalKw + goalKwPerMs * aheadMs;
  if (rampKwPerMs === NEVER) return Math.max(0, wantedKw);
  const wayKw = rampKwPerMs * aheadMs;
  return Math.max(0, flowKw - wayKw, Math.min(flowKw + wayKw, wantedKw));
}

/** Whether nothing about a claim changes by itself: it is at its goal, or held back by its limit. */
const isSettled = ({
  requestedKw: goalKw,
  requestedKwPerMs: goalKwPerMs,
  flowingKw: flowKw,
  capKw,
  rampKwPerMs,
}: HeadroomRequest): boolean =>
  goalKwPerMs === 0 &&
  (rampKwPerMs === NEVER ||
    Math.abs(flowKw - goalKw) <= EQUALITY_TOLERANCE ||
    (flowKw < goalKw && capKw - EQUALITY_TOLERANCE <= flowKw));

/** The limits some time ahead. @returns by how much the most that one of those that they hold moves until then */
function computeCaps(claims: readonly HeadroomRequest[], room: LinearPower, aheadMs: number): number {
  const level = computeAllocationLevel(claims, Math.max(0, room.kw + room.kwPerMs * aheadMs), aheadMs);
  let movedKw = 0;
  for (const claim of claims) {
    const { usedKw: usesKw, weightKw, capKw } = claim;
    claim.futureCapKw = level === NEVER ? NEVER : level * weightKw;
    if (claim.futureCapKw <= usesKw || capKw <= usesKw) movedKw = Math.max(movedKw, distance(claim.futureCapKw, capKw));
  }
  return movedKw;
}

const distance = (a: number, b: number): number => (a === b ? 0 : Math.abs(a - b));

/** Which part of what it is to do each gets that is not on its ramp below that; `Infinity`: all of it. */
function computeAllocationLevel(claims: readonly HeadroomRequest[], roomKw: number, aheadMs: number): number {
  let leftKw = roomKw;
  let weightKw = 0;
  let usesKw = 0;
  for (const claim of claims) {
    claim.usedKw = usedKwAt(claim, aheadMs);
    claim.weightKw = Math.max(claim.usedKw, claim.requestedKw + claim.requestedKwPerMs * aheadMs);
    claim.isRamping = false;
    usesKw += claim.usedKw;
    weightKw += claim.weightKw;
  }
  if (usesKw <= roomKw) return NEVER;
  for (let again = true; again; ) {
    again = false;
    for (const claim of claims) {
      if (claim.isRamping || (leftKw / weightKw) * claim.weightKw <= claim.usedKw) continue;
      claim.isRamping = again = true;
      leftKw -= claim.usedKw;
      weightKw -= claim.weightKw;
    }
  }
  return weightKw > 0 ? leftKw / weightKw : NEVER;
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
