import type { EpochMs } from "../../base/time.ts";
import { SAME } from "../../device/battery/batteryCapability.ts";
import { LEAST_LOOK_MS, type Line, LOOK_KW, LOOK_MS, NEVER } from "./steerRoom.ts";

/** What one battery would do in the direction of a room that several share; kW counted into that direction. */
export interface Claim {
  /** What it is to do, as far as it can, and how that moves. */
  goalKw: number;
  goalKwPerMs: number;
  /** What flows of it, which goes to the goal by its ramp; `Infinity`: at once. */
  flowKw: number;
  rampKwPerMs: number;
  /** Its limit. */
  capKw: number;
  // At one instant ahead:
  usesKw: number;
  weightKw: number;
  isOnRamp: boolean;
  aheadCapKw: number;
}

/**
 * Gives claims their limits for a while, such that together they never come to more than the room: those on their ramps
 * keep what flows of them, the others get of the rest by what they are to do.
 *
 * @param room  from `atMs` on
 * @returns until when the limits hold
 */
export function capClaims(claims: readonly Claim[], atMs: EpochMs, room: Line): EpochMs {
  for (const claim of claims) claim.capKw = NEVER;
  const freeMs = freeForMs(claims, room);
  if (LEAST_LOOK_MS <= freeMs) return atMs + freeMs;
  // Flows that fill the room as it is would seem to fit by their last digits.
  findCaps(claims, room, 0);
  if (claims[0].aheadCapKw === NEVER) findCaps(claims, room, LEAST_LOOK_MS);
  for (const claim of claims) {
    claim.capKw = claim.aheadCapKw;
    // Limits act at once; a ramp goes on from there.
    claim.flowKw = Math.min(claim.flowKw, claim.capKw);
  }
  if (room.kwPerMs === 0 && claims.every(isSettled)) return NEVER;
  const movedKw = findCaps(claims, room, LOOK_MS);
  const aheadMs = movedKw <= LOOK_KW ? LOOK_MS : Math.max(LEAST_LOOK_MS, (LOOK_MS * LOOK_KW) / movedKw);
  if (aheadMs < LOOK_MS) findCaps(claims, room, aheadMs);
  for (const claim of claims) claim.capKw = Math.min(claim.capKw, claim.aheadCapKw);
  return atMs + aheadMs;
}

/** For how long all of them certainly have room. */
function freeForMs(claims: readonly Claim[], room: Line): number {
  let mostKw = 0;
  let mostKwPerMs = 0;
  let flowKw = 0;
  let flowKwPerMs = 0;
  for (const claim of claims) {
    const { goalKw, goalKwPerMs, rampKwPerMs } = claim;
    const rises = Math.max(0, goalKwPerMs);
    const usesKw = usesAt(claim, 0);
    mostKw += Math.max(0, goalKw, usesKw);
    mostKwPerMs += rises;
    flowKw += usesKw;
    flowKwPerMs += usesKw + SAME < goalKw ? rampKwPerMs : Math.min(rampKwPerMs, rises);
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
function usesAt({ goalKw, goalKwPerMs, flowKw, rampKwPerMs }: Claim, aheadMs: number): number {
  const wantedKw = goalKw + goalKwPerMs * aheadMs;
  if (rampKwPerMs === NEVER) return Math.max(0, wantedKw);
  const wayKw = rampKwPerMs * aheadMs;
  return Math.max(0, flowKw - wayKw, Math.min(flowKw + wayKw, wantedKw));
}

/** Whether nothing about a claim changes by itself: it is at its goal, or held back by its limit. */
const isSettled = ({ goalKw, goalKwPerMs, flowKw, capKw, rampKwPerMs }: Claim): boolean =>
  goalKwPerMs === 0 &&
  (rampKwPerMs === NEVER || Math.abs(flowKw - goalKw) <= SAME || (flowKw < goalKw && capKw - SAME <= flowKw));

/** The limits some time ahead. @returns by how much the most that one of those that they hold moves until then */
function findCaps(claims: readonly Claim[], room: Line, aheadMs: number): number {
  const level = findLevel(claims, Math.max(0, room.kw + room.kwPerMs * aheadMs), aheadMs);
  let movedKw = 0;
  for (const claim of claims) {
    const { usesKw, weightKw, capKw } = claim;
    claim.aheadCapKw = level === NEVER ? NEVER : level * weightKw;
    if (claim.aheadCapKw <= usesKw || capKw <= usesKw) movedKw = Math.max(movedKw, distance(claim.aheadCapKw, capKw));
  }
  return movedKw;
}

const distance = (a: number, b: number): number => (a === b ? 0 : Math.abs(a - b));

/** Which part of what it is to do each gets that is not on its ramp below that; `Infinity`: all of it. */
function findLevel(claims: readonly Claim[], roomKw: number, aheadMs: number): number {
  let leftKw = roomKw;
  let weightKw = 0;
  let usesKw = 0;
  for (const claim of claims) {
    claim.usesKw = usesAt(claim, aheadMs);
    claim.weightKw = Math.max(claim.usesKw, claim.goalKw + claim.goalKwPerMs * aheadMs);
    claim.isOnRamp = false;
    usesKw += claim.usesKw;
    weightKw += claim.weightKw;
  }
  if (usesKw <= roomKw) return NEVER;
  for (let again = true; again; ) {
    again = false;
    for (const claim of claims) {
      if (claim.isOnRamp || (leftKw / weightKw) * claim.weightKw <= claim.usesKw) continue;
      claim.isOnRamp = again = true;
      leftKw -= claim.usesKw;
      weightKw -= claim.weightKw;
    }
  }
  return weightKw > 0 ? leftKw / weightKw : NEVER;
}

export const newClaim = (): Claim => ({
  goalKw: 0,
  goalKwPerMs: 0,
  flowKw: 0,
  rampKwPerMs: NEVER,
  capKw: NEVER,
  usesKw: 0,
  weightKw: 0,
  isOnRamp: false,
  aheadCapKw: NEVER,
});
