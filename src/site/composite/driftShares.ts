import { MS_PER_DAY, MS_PER_HOUR } from "../../base/time.ts";
import type { BatterySpec } from "../../device/battery/batterySpec.ts";
import { findPowerCap } from "../../device/curve/powerCap.ts";
import type { BatteryController } from "./componentGroup.ts";
import { MIN_REPLANNING_HORIZON_MS, NEVER, REPLANNING_HORIZON_MS } from "./connectionHeadroom.ts";

/** Share of a battery in a common request, in proportion to its capability; import positive. */
interface DriftingShare {
  readonly isUp: boolean;
  /** Capability in the direction of the share in kW, at least 0. */
  readonly availableKw: number;
  readonly kw: number;
  kwPerMs: number;
  readonly isPinned: boolean;
}

/** Relative drift of a share before it is computed again; the relative error of the linear approximation is its square. */
const MAX_DRIFT_FRACTION = 0.02;

/**
 * Adds to the slopes of the shares the change of the batteries' capabilities along their tapers.
 *
 * @returns how long the linear approximation is valid, in ms
 */
export function driftShares(
  batteries: readonly BatteryController[],
  shares: readonly DriftingShare[],
  atMs: number,
): number {
  let validMs = NEVER;
  if (batteries.some(({ component }) => component.spec.powerTaper !== null))
    for (const up of [true, false]) validMs = Math.min(validMs, driftOneWay(batteries, shares, up, atMs));
  return validMs;
}

function driftOneWay(
  batteries: readonly BatteryController[],
  shares: readonly DriftingShare[],
  up: boolean,
  atMs: number,
): number {
  let availableKw = 0;
  let availableKwPerMs = 0;
  let validMs = NEVER;
  const drifts = new Float64Array(batteries.length);
  for (let k = 0; k < batteries.length; k++) {
    const share = shares[k];
    if (!isDrifting(share, up)) continue;
    const drift = findDrift(batteries[k], share, atMs);
    drifts[k] = drift.kwPerMs;
    validMs = Math.min(validMs, drift.validMs);
    availableKw += share.availableKw;
    availableKwPerMs += drift.kwPerMs;
  }
  for (let k = 0; k < batteries.length; k++) {
    const share = shares[k];
    if (!isDrifting(share, up)) continue;
    const perMs = drifts[k] / share.availableKw - availableKwPerMs / availableKw;
    share.kwPerMs += share.kw * perMs;
    if (perMs !== 0)
      validMs = Math.min(validMs, Math.max(MIN_REPLANNING_HORIZON_MS, MAX_DRIFT_FRACTION / Math.abs(perMs)));
  }
  return validMs;
}

const isDrifting = ({ isUp: up, availableKw, isPinned }: DriftingShare, way: boolean): boolean =>
  up === way && availableKw > 0 && !isPinned;

/** Slope of a battery's capability, and how long it is valid. */
function findDrift({ component, responseProfile }: BatteryController, share: DriftingShare, atMs: number): Drift {
  const { spec, storedKwh, flowingKw } = component;
  if (spec.powerTaper === null) return { kwPerMs: 0, validMs: NEVER };
  const isRamping = spec.rampKwPerS !== null;
  const kw = isRamping ? flowingKw : share.kw + (responseProfile === null ? 0 : responseProfile.kwAt(atMs));
  const storedKwhPerMs = cellKw(spec, kw) / MS_PER_HOUR - (spec.selfDischargePctPerDay / 100 / MS_PER_DAY) * storedKwh;
  const cap = { interceptKw: 0, slopeKwPerKwh: 0, lowKwh: 0, highKwh: 0 };
  findPowerCap(spec, share.isUp, NEVER, storedKwh, storedKwhPerMs, cap);
  const kwPerMs = cap.slopeKwPerKwh * storedKwhPerMs;
  if (isRamping || responseProfile !== null) return { kwPerMs, validMs: REPLANNING_HORIZON_MS };
  const fastest = Math.max(cellKw(spec, spec.importMaxKw), -cellKw(spec, -spec.exportMaxKw)) / MS_PER_HOUR;
  const distanceKwh = Math.min(cap.highKwh - storedKwh, storedKwh - cap.lowKwh);
  return { kwPerMs, validMs: Math.max(REPLANNING_HORIZON_MS, distanceKwh / fastest) };
}

const cellKw = ({ chargeEfficiency, dischargeEfficiency }: BatterySpec, kw: number): number =>
  kw > 0 ? kw * chargeEfficiency : kw / dischargeEfficiency;

interface Drift {
  readonly kwPerMs: number;
  readonly validMs: number;
}
