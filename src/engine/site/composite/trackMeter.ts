import type { EpochMs } from "../../../base/time.ts";
import type { ResponseProfile } from "../../device/frequency/responseProfile.ts";
import { Series } from "../../series/model/series.ts";
import type { CapabilityDrift, StoragePart } from "../components/parts.ts";
import { isPositiveAhead, type Segment, zeroCrossingMs } from "../components/segment.ts";
import type { OperatingConditions, ReplanMs } from "../components/setpoint.ts";
import { allocateHeadroom } from "./allocateHeadroom.ts";
import type { BatteryController, ComponentGroup } from "./componentGroup.ts";
import {
  hasConstantLimits,
  holdPower,
  MIN_REPLANNING_HORIZON_MS,
  NEVER,
  nextCapabilityChangeMs,
  REPLANNING_HORIZON_MS,
} from "./connectionHeadroom.ts";

/** Share of one battery in tracking the meter; import positive. */
interface MeterShare {
  /** Power that all batteries together must provide, by the target in effect at this battery. */
  needKw: number;
  needKwPerMs: number;
  isUp: boolean;
  /** Capability in that direction now in kW, at least 0. */
  availableKw: number;
  kw: number;
  kwPerMs: number;
  /** Frequency response that moves the battery away from the energy bound that it is at; 0: none. */
  pullKw: number;
  pullKwPerMs: number;
  /** Whether it stays at its bound, because its share of the need cancels the response. */
  isPinned: boolean;
}

/**
 * Plans batteries that hold the meter at its target. Each gets a share of the needed power in proportion to its present
 * capability. Shares are computed again when the need changes its sign, a battery's trajectory changes, or a taper has changed
 * a capability.
 */
export function trackMeter(
  site: ComponentGroup,
  batteries: readonly BatteryController[],
  others: Segment,
  conditions: OperatingConditions,
): ReplanMs {
  const atMs = others.originMs;
  const isShared = batteries.length > 1;
  const shares = batteries.map(newMeterShare);
  let untilMs = Math.min(
    others.endMs,
    findNeeds(site, batteries, others, shares, ({ effectiveKw }) => effectiveKw),
  );
  if (isShared) untilMs = Math.min(untilMs, shareNeeds(batteries, shares, atMs));
  const limited = batteries.some(hasConstantLimits);
  if (limited) untilMs = Math.min(untilMs, allocateHeadroom(site, batteries, others, shares));
  for (let k = 0; k < batteries.length; k++) {
    const controller = batteries[k];
    const { kw, kwPerMs, availableKw } = shares[k];
    if (!limited) holdPower(controller, kw, atMs, conditions, kwPerMs);
    else controller.trackLinearPower(kw, kwPerMs, atMs, conditions);
    if (isShared && availableKw > 0) untilMs = Math.min(untilMs, nextCapabilityChangeMs(controller.component, atMs));
  }
  return untilMs;
}

/** Starts the batteries of a run at the powers that hold the meter at the site's plan (docs/model/battery.md#run-start). */
export function startAtPlan(site: ComponentGroup, others: Segment): void {
  const { batteries } = site;
  const shares = batteries.map(newMeterShare);
  findNeeds(site, batteries, others, shares, () => Number.NaN);
  if (batteries.length > 1) shareNeeds(batteries, shares, others.originMs);
  batteries.forEach(({ component }, k) => {
    const { kw } = shares[k];
    const availableKw = component.availableAsPartKw(kw > 0, site.outputLimitShare, others.originMs);
    component.startAt(Math.sign(kw) * Math.min(Math.abs(kw), availableKw));
  });
}

/** Computes the need, target minus other power, by each battery's target; the share is initially the whole need. */
function findNeeds(
  site: ComponentGroup,
  batteries: readonly BatteryController[],
  others: Segment,
  shares: readonly MeterShare[],
  setpointKwOf: (controller: BatteryController) => number,
): ReplanMs {
  let untilMs = NEVER;
  for (let k = 0; k < batteries.length; k++) {
    const controller = batteries[k];
    const share = shares[k];
    const target = meterTarget(site, setpointKwOf(controller), others.originMs);
    untilMs = Math.min(untilMs, target.untilMs);
    share.needKwPerMs = zeroIfNoise(target.kwPerMs - others.kwPerMs, NO_KW_PER_MS);
    share.needKw = target.kw - others.kw;
    if (share.needKwPerMs === 0) share.needKw = zeroIfNoise(share.needKw, NO_KW);
    // The response is counted from a target of constant sign.
    if (controller.responseProfile !== null)
      untilMs = Math.min(untilMs, zeroCrossingMs(others.originMs, share.needKw, share.needKwPerMs));
    share.kw = share.needKw;
    share.kwPerMs = share.needKwPerMs;
  }
  return untilMs;
}

/** Divides the need in proportion to present capabilities. @returns until when the shares are valid */
function shareNeeds(batteries: readonly BatteryController[], shares: readonly MeterShare[], atMs: EpochMs): ReplanMs {
  let untilMs = NEVER;
  let upKw = 0;
  let downKw = 0;
  for (let k = 0; k < batteries.length; k++) {
    const { component, responseProfile } = batteries[k];
    const share = shares[k];
    untilMs = Math.min(untilMs, zeroCrossingMs(atMs, share.needKw, share.needKwPerMs));
    share.isUp = isPositiveAhead(share.needKw, share.needKwPerMs);
    const importableKw = component.capabilityKw(true);
    const exportableKw = component.capabilityKw(false);
    share.availableKw = share.isUp ? importableKw : exportableKw;
    upKw += importableKw;
    downKw += exportableKw;
    if (responseProfile !== null && share.availableKw === 0)
      untilMs = Math.min(untilMs, findPull(component, responseProfile, share, atMs));
  }
  for (const up of [true, false]) {
    const validUntilMs = pullFromBounds(shares, up, up ? upKw : downKw, atMs);
    untilMs = Math.min(untilMs, validUntilMs);
  }
  return Math.min(untilMs, atMs + driftShares(batteries, shares, atMs));
}

/**
 * A battery at its energy bound has no capability unless its response moves it away from the bound. It then takes as much of
 * the need as keeps it at the bound, or its whole share if that is less.
 */
function pullFromBounds(shares: readonly MeterShare[], up: boolean, availableKw: number, atMs: EpochMs): ReplanMs {
  const count = shares.length;
  let sumKw = availableKw;
  let pinnedKw = 0;
  let pinnedKwPerMs = 0;
  for (let k = 0; k < count; k++) {
    const share = shares[k];
    if (share.isUp === up && share.pullKw !== 0) sumKw += share.availableKw;
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (let k = 0; k < count; k++) {
      const share = shares[k];
      if (share.isUp !== up || share.pullKw === 0 || share.isPinned) continue;
      const ownFraction = share.availableKw / sumKw;
      if (Math.abs(ownFraction * (share.needKw - pinnedKw)) < Math.abs(share.pullKw)) continue;
      share.isPinned = changed = true;
      sumKw -= share.availableKw;
      pinnedKw -= share.pullKw;
      pinnedKwPerMs -= share.pullKwPerMs;
    }
  }
  let untilMs = NEVER;
  for (let k = 0; k < count; k++) {
    const share = shares[k];
    if (share.isUp !== up) continue;
    const ownFraction = sumKw > 0 ? share.availableKw / sumKw : 1 / count;
    share.kw = share.isPinned ? -share.pullKw : ownFraction * (share.needKw - pinnedKw);
    share.kwPerMs = share.isPinned ? -share.pullKwPerMs : ownFraction * (share.needKwPerMs - pinnedKwPerMs);
    if (share.pullKw === 0) continue;
    const fraction = share.isPinned ? share.availableKw / (sumKw + share.availableKw) : ownFraction;
    const restKw = share.needKw - pinnedKw - (share.isPinned ? share.pullKw : 0);
    const restKwPerMs = share.needKwPerMs - pinnedKwPerMs - (share.isPinned ? share.pullKwPerMs : 0);
    untilMs = Math.min(
      untilMs,
      zeroCrossingMs(atMs, fraction * restKw + share.pullKw, fraction * restKwPerMs + share.pullKwPerMs),
    );
  }
  return untilMs;
}

/** Sets the response that moves a battery away from its bound. @returns when that changes */
function findPull(battery: StoragePart, profile: ResponseProfile, share: MeterShare, atMs: EpochMs): EpochMs {
  const j = profile.indexAt(atMs);
  const kwPerMs = profile.kwPerMs[j];
  const kw = profile.kwAt(atMs);
  if (isPositiveAhead(share.isUp ? -kw : kw, share.isUp ? -kwPerMs : kwPerMs)) {
    share.pullKw = kw;
    share.pullKwPerMs = kwPerMs;
    share.availableKw = battery.taperedKw(share.isUp);
  }
  return Math.min(profile.endMs(j), zeroCrossingMs(atMs, kw, kwPerMs));
}

/** Removes rounding noise from the difference of equal powers. */
const zeroIfNoise = (value: number, tolerance: number): number => (Math.abs(value) < tolerance ? 0 : value);

const NO_KW = 1e-9;
/** About three watts per year. */
const NO_KW_PER_MS = 1e-13;

/** The target of the meter: the set-point, or the site's plan if it is NaN, within the limits of the connection point. */
function meterTarget(site: ComponentGroup, setpointKw: number, atMs: EpochMs): MeterTarget {
  const target = { kw: setpointKw, kwPerMs: 0, untilMs: NEVER };
  if (Number.isNaN(setpointKw)) {
    const { plan } = site;
    if (plan instanceof Series) {
      target.kw = plan.valueAt(atMs);
      target.kwPerMs = plan.slopeAt(plan.indexAt(atMs));
      target.untilMs = plan.nextChangeMs(atMs);
    } else target.kw = plan;
  }
  clampTarget(target, site.importMaxKw, 1, atMs);
  clampTarget(target, -site.exportMaxKw, -1, atMs);
  return target;
}

function clampTarget(target: MeterTarget, limitKw: number, side: 1 | -1, atMs: EpochMs): void {
  if (!Number.isFinite(limitKw)) return;
  target.untilMs = Math.min(target.untilMs, zeroCrossingMs(atMs, target.kw - limitKw, target.kwPerMs));
  if (isPositiveAhead(side * (target.kw - limitKw), side * target.kwPerMs)) {
    target.kw = limitKw;
    target.kwPerMs = 0;
  }
}

const newMeterShare = (): MeterShare => ({
  needKw: 0,
  needKwPerMs: 0,
  isUp: true,
  availableKw: 1,
  kw: 0,
  kwPerMs: 0,
  pullKw: 0,
  pullKwPerMs: 0,
  isPinned: false,
});

interface MeterTarget {
  kw: number;
  kwPerMs: number;
  untilMs: EpochMs;
}

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
function driftShares(batteries: readonly BatteryController[], shares: readonly DriftingShare[], atMs: number): number {
  let validMs = NEVER;
  if (batteries.some(({ component }) => component.hasTaper))
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
function findDrift(
  { component, responseProfile }: BatteryController,
  share: DriftingShare,
  atMs: number,
): CapabilityDrift {
  if (!component.hasTaper) return { kwPerMs: 0, validMs: NEVER };
  const isRamping = component.spec.rampKwPerS !== null;
  const kw = isRamping ? component.flowingKw : share.kw + (responseProfile === null ? 0 : responseProfile.kwAt(atMs));
  const { kwPerMs, validMs } = component.capabilityDrift(share.isUp, kw);
  const isSteady = !isRamping && responseProfile === null;
  return { kwPerMs, validMs: isSteady ? Math.max(REPLANNING_HORIZON_MS, validMs) : REPLANNING_HORIZON_MS };
}
