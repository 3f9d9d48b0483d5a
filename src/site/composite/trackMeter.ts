import type { EpochMs } from "../../base/time.ts";
import { taperedExportKw, taperedImportKw } from "../../device/battery/batteryCapability.ts";
import { exportCapabilityKw, importCapabilityKw } from "../../device/battery/planBattery.ts";
import { Series } from "../../series/model/series.ts";
import type { Segment } from "../components/segment.ts";
import type { OperatingConditions, ReplanMs } from "../components/setpoint.ts";
import { isPositiveAhead, zeroCrossingMs } from "../components/zeroCrossing.ts";
import { allocateHeadroom } from "./allocateHeadroom.ts";
import type { BatteryController, ComponentGroup } from "./componentGroup.ts";
import { hasConstantLimits, holdPower, NEVER, nextCapabilityChangeMs } from "./connectionHeadroom.ts";
import { driftShares } from "./driftShares.ts";

/** What one battery has to do with the meter; import positive. */
interface MeterShare {
  /** What all of them are to do, as this battery has heard it. */
  needKw: number;
  needKwPerMs: number;
  isUp: boolean;
  /** kW that it can do that way now, at least 0. */
  availableKw: number;
  kw: number;
  kwPerMs: number;
  /** The response that draws it away from a bound at which it cannot help; 0: none. */
  pullKw: number;
  pullKwPerMs: number;
  /** Held at its bound: what it would take of the need makes up for the pull. */
  isPinned: boolean;
}

/**
 * Batteries that hold the meter: each its share, by what it can do now, of what is needed. Shares are made anew when
 * the need turns round, a battery's law changes, or a taper has changed what it can do.
 */
export function trackMeter(
  site: ComponentGroup,
  batteries: readonly BatteryController[],
  others: Segment,
  around: OperatingConditions,
): ReplanMs {
  const atMs = others.originMs;
  const isShared = batteries.length > 1;
  let untilMs = Math.min(others.endMs, findNeeds(site, batteries, others));
  if (isShared) untilMs = Math.min(untilMs, shareNeeds(batteries, atMs));
  const limited = batteries.some(hasConstantLimits);
  if (limited) untilMs = Math.min(untilMs, allocateHeadroom(site, batteries, others, shares));
  for (let k = 0; k < batteries.length; k++) {
    const lane = batteries[k];
    const { kw, kwPerMs, availableKw: canKw } = shares[k];
    if (!limited) holdPower(lane, kw, atMs, around, kwPerMs);
    else lane.trackLinearPower(kw, kwPerMs, atMs, around);
    if (isShared && canKw > 0) untilMs = Math.min(untilMs, nextCapabilityChangeMs(lane.component, atMs));
  }
  return untilMs;
}

/** What each battery is to bring the meter to, less what flows besides: all of it is its own at first. */
function findNeeds(site: ComponentGroup, batteries: readonly BatteryController[], others: Segment): ReplanMs {
  let untilMs = NEVER;
  for (let k = 0; k < batteries.length; k++) {
    const lane = batteries[k];
    if (k === shares.length) shares.push(newMeterShare());
    const share = shares[k];
    untilMs = Math.min(untilMs, setGoal(site, lane, others.originMs));
    share.needKwPerMs = zeroIfNoise(goal.kwPerMs - others.kwPerMs, NO_KW_PER_MS);
    share.needKw = goal.kw - others.kw;
    if (share.needKwPerMs === 0) share.needKw = zeroIfNoise(share.needKw, NO_KW);
    // A response is counted from a target that keeps its side.
    if (lane.responseProfile !== null)
      untilMs = Math.min(untilMs, zeroCrossingMs(others.originMs, share.needKw, share.needKwPerMs));
    share.kw = share.needKw;
    share.kwPerMs = share.needKwPerMs;
    share.availableKw = 1;
    share.isPinned = false;
    share.pullKw = 0;
  }
  return untilMs;
}

/** By what each can do now. @returns until when the shares hold */
function shareNeeds(batteries: readonly BatteryController[], atMs: EpochMs): ReplanMs {
  let untilMs = NEVER;
  let upKw = 0;
  let downKw = 0;
  for (let k = 0; k < batteries.length; k++) {
    const { component: unit } = batteries[k];
    const share = shares[k];
    untilMs = Math.min(untilMs, zeroCrossingMs(atMs, share.needKw, share.needKwPerMs));
    share.isUp = isPositiveAhead(share.needKw, share.needKwPerMs);
    const canTakeKw = importCapabilityKw(unit.spec, unit.storedKwh);
    const canGiveKw = exportCapabilityKw(unit.spec, unit.storedKwh);
    share.availableKw = share.isUp ? canTakeKw : canGiveKw;
    upKw += canTakeKw;
    downKw += canGiveKw;
    if (batteries[k].responseProfile !== null && share.availableKw === 0)
      untilMs = Math.min(untilMs, findPull(batteries[k], share, atMs));
  }
  for (const up of [true, false]) {
    const pulledKw = pullFromBounds(batteries.length, up, up ? upKw : downKw, atMs);
    untilMs = Math.min(untilMs, pulledKw);
  }
  return Math.min(untilMs, atMs + driftShares(batteries, shares, atMs));
}

/**
 * A battery at its bound cannot help, but one that its response draws away from there can, at once: of what is needed
 * it then takes what keeps it at the bound, or its whole share where that is not enough.
 */
function pullFromBounds(count: number, up: boolean, canKw: number, atMs: EpochMs): ReplanMs {
  let sumKw = canKw;
  let pinnedKw = 0;
  let pinnedKwPerMs = 0;
  for (let k = 0; k < count; k++) {
    const share = shares[k];
    if (share.isUp === up && share.pullKw !== 0) sumKw += share.availableKw;
  }
  for (let again = true; again; ) {
    again = false;
    for (let k = 0; k < count; k++) {
      const share = shares[k];
      if (share.isUp !== up || share.pullKw === 0 || share.isPinned) continue;
      const part = share.availableKw / sumKw;
      if (Math.abs(part * (share.needKw - pinnedKw)) < Math.abs(share.pullKw)) continue;
      share.isPinned = again = true;
      sumKw -= share.availableKw;
      pinnedKw -= share.pullKw;
      pinnedKwPerMs -= share.pullKwPerMs;
    }
  }
  let untilMs = NEVER;
  for (let k = 0; k < count; k++) {
    const share = shares[k];
    if (share.isUp !== up) continue;
    const part = sumKw > 0 ? share.availableKw / sumKw : 1 / count;
    share.kw = share.isPinned ? -share.pullKw : part * (share.needKw - pinnedKw);
    share.kwPerMs = share.isPinned ? -share.pullKwPerMs : part * (share.needKwPerMs - pinnedKwPerMs);
    if (share.pullKw === 0) continue;
    const ofAll = share.isPinned ? share.availableKw / (sumKw + share.availableKw) : part;
    const restKw = share.needKw - pinnedKw - (share.isPinned ? share.pullKw : 0);
    const restKwPerMs = share.needKwPerMs - pinnedKwPerMs - (share.isPinned ? share.pullKwPerMs : 0);
    untilMs = Math.min(
      untilMs,
      zeroCrossingMs(atMs, ofAll * restKw + share.pullKw, ofAll * restKwPerMs + share.pullKwPerMs),
    );
  }
  return untilMs;
}

/** What draws a battery away from the bound that it is at. @returns when that is another */
function findPull(lane: BatteryController, share: MeterShare, atMs: EpochMs): EpochMs {
  const path = lane.responseProfile!;
  const { spec, storedKwh } = lane.component;
  const j = path.indexAt(atMs);
  const kwPerMs = path.kwPerMs[j];
  const kw = path.kwAt(atMs);
  if (isPositiveAhead(share.isUp ? -kw : kw, share.isUp ? -kwPerMs : kwPerMs)) {
    share.pullKw = kw;
    share.pullKwPerMs = kwPerMs;
    share.availableKw = share.isUp ? taperedImportKw(spec, storedKwh) : taperedExportKw(spec, storedKwh);
  }
  return Math.min(path.endMs(j), zeroCrossingMs(atMs, kw, kwPerMs));
}

/** What is left of a difference of equal powers in its last digits is nothing to plan by. */
const zeroIfNoise = (value: number, least: number): number => (Math.abs(value) < least ? 0 : value);

const NO_KW = 1e-9;
/** Three watts in a year. */
const NO_KW_PER_MS = 1e-13;

/** What the meter is to show: told, else the site's plan; within the limits of the connection point. @returns until when */
function setGoal(site: ComponentGroup, lane: BatteryController, atMs: EpochMs): EpochMs {
  let untilMs = NEVER;
  goal.kw = lane.effectiveKw;
  goal.kwPerMs = 0;
  if (Number.isNaN(lane.effectiveKw)) {
    const { plan } = site;
    if (plan instanceof Series) {
      goal.kw = plan.valueAt(atMs);
      goal.kwPerMs = plan.slopeAt(plan.indexAt(atMs));
      untilMs = plan.nextChangeMs(atMs);
    } else goal.kw = plan;
  }
  untilMs = Math.min(untilMs, clampGoal(site.importMaxKw, 1, atMs), clampGoal(-site.exportMaxKw, -1, atMs));
  return untilMs;
}

function clampGoal(limitKw: number, side: 1 | -1, atMs: EpochMs): EpochMs {
  if (!Number.isFinite(limitKw)) return NEVER;
  const untilMs = zeroCrossingMs(atMs, goal.kw - limitKw, goal.kwPerMs);
  if (isPositiveAhead(side * (goal.kw - limitKw), side * goal.kwPerMs)) {
    goal.kw = limitKw;
    goal.kwPerMs = 0;
  }
  return untilMs;
}

const newMeterShare = (): MeterShare => ({
  needKw: 0,
  needKwPerMs: 0,
  isUp: true,
  availableKw: 0,
  kw: 0,
  kwPerMs: 0,
  pullKw: 0,
  pullKwPerMs: 0,
  isPinned: false,
});

const goal = { kw: 0, kwPerMs: 0 };
/** One per battery, filled anew for each law. */
const shares: MeterShare[] = [];
