import { MS_PER_DAY, MS_PER_HOUR } from "../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import { findPowerCap } from "../../device/curve/powerCap.ts";
import type { BatteryController } from "./componentGroup.ts";
import { MIN_REPLANNING_HORIZON_MS, NEVER, REPLANNING_HORIZON_MS } from "./connectionHeadroom.ts";

/** A battery's part, by what it can do, of what several are to do; import positive. */
export interface DriftingShare {
  readonly isUp: boolean;
  /** kW that it can do that way now, at least 0. */
  readonly availableKw: number;
  readonly kw: number;
  kwPerMs: number;
  readonly isPinned: boolean;
}

/** By how much of itself a share may have drifted, off its straight line the square of that, until it is made anew. */
const MAX_DRIFT_FRACTION = 0.02;

/**
 * Lets the shares of batteries with a taper drift as what each can do changes with what flows of it.
 *
 * @returns for how long the straight lines are good
 */
export function driftShares(
  batteries: readonly BatteryController[],
  shares: readonly DriftingShare[],
  atMs: number,
): number {
  let holdsMs = NEVER;
  if (batteries.some(({ component: unit }) => unit.spec.powerTaper !== null))
    for (const up of [true, false]) holdsMs = Math.min(holdsMs, driftOneWay(batteries, shares, up, atMs));
  return holdsMs;
}

function driftOneWay(
  batteries: readonly BatteryController[],
  shares: readonly DriftingShare[],
  up: boolean,
  atMs: number,
): number {
  let canKw = 0;
  let canKwPerMs = 0;
  let holdsMs = NEVER;
  for (let k = 0; k < batteries.length; k++) {
    const share = shares[k];
    if (!isDrifting(share, up)) continue;
    holdsMs = Math.min(holdsMs, findDrift(batteries[k], share, atMs));
    canKw += share.availableKw;
    canKwPerMs += drift.kwPerMs;
  }
  for (let k = 0; k < batteries.length; k++) {
    const share = shares[k];
    if (!isDrifting(share, up)) continue;
    findDrift(batteries[k], share, atMs);
    const perMs = drift.kwPerMs / share.availableKw - canKwPerMs / canKw;
    share.kwPerMs += share.kw * perMs;
    if (perMs !== 0)
      holdsMs = Math.min(holdsMs, Math.max(MIN_REPLANNING_HORIZON_MS, MAX_DRIFT_FRACTION / Math.abs(perMs)));
  }
  return holdsMs;
}

const isDrifting = ({ isUp: up, availableKw: canKw, isPinned }: DriftingShare, way: boolean): boolean =>
  up === way && canKw > 0 && !isPinned;

/** Fills `drift` with how what a battery can do changes. @returns how long it certainly does so */
function findDrift(
  { component: unit, responseProfile: path }: BatteryController,
  share: DriftingShare,
  atMs: number,
): number {
  const { spec, storedKwh, flowingKw } = unit;
  drift.kwPerMs = 0;
  if (spec.powerTaper === null) return NEVER;
  const isRamping = spec.rampKwPerS !== null && !Number.isNaN(flowingKw);
  const kw = isRamping ? flowingKw : share.kw + (path === null ? 0 : path.kwAt(atMs));
  const storedKwhPerMs = cellKw(spec, kw) / MS_PER_HOUR - (spec.selfDischargePctPerDay / 100 / MS_PER_DAY) * storedKwh;
  findPowerCap(spec, share.isUp, NEVER, storedKwh, storedKwhPerMs, cap);
  drift.kwPerMs = cap.slopeKwPerKwh * storedKwhPerMs;
  if (isRamping || path !== null) return REPLANNING_HORIZON_MS;
  const fastest = Math.max(cellKw(spec, spec.importMaxKw), -cellKw(spec, -spec.exportMaxKw)) / MS_PER_HOUR;
  const cornerKwh = Math.min(cap.highKwh - storedKwh, storedKwh - cap.lowKwh);
  return Math.max(REPLANNING_HORIZON_MS, cornerKwh / fastest);
}

const cellKw = ({ chargeEfficiency, dischargeEfficiency }: BatterySpec, kw: number): number =>
  kw > 0 ? kw * chargeEfficiency : kw / dischargeEfficiency;

const drift = { kwPerMs: 0 };
const cap = { interceptKw: 0, slopeKwPerKwh: 0, lowKwh: 0, highKwh: 0 };
