import { type EpochMs, MS_PER_SECOND } from "../../../base/time.ts";
import { LIMITING_FACTOR } from "../../device/curve/limitingFactor.ts";
import { isPositiveAhead, zeroCrossingMs } from "../components/segment.ts";
import type { OperatingConditions } from "../components/setpoint.ts";
import type { BatteryController, ComponentGroup, PlantController } from "./componentGroup.ts";

// Headroom of batteries and plants at the connection point. All kW are magnitudes, except targets.

export const NEVER = Number.POSITIVE_INFINITY;
/** Longest time for which a changing limit is approximated as constant. */
export const REPLANNING_HORIZON_MS = 10 * MS_PER_SECOND;
export const MIN_REPLANNING_HORIZON_MS = MS_PER_SECOND / 5;
/** Largest change of such a limit before it is computed again: the mean error is half of it, 0.01 kWh per record. */
export const REPLANNING_TOLERANCE_KW = 0.04;

/** How long a limit with this slope is approximated as constant. */
const replanningHorizonMs = (kwPerMs: number): number =>
  Math.max(MIN_REPLANNING_HORIZON_MS, Math.min(REPLANNING_HORIZON_MS, REPLANNING_TOLERANCE_KW / Math.abs(kwPerMs)));

/** Plans a component at one power, without limits of the connection point. */
export function holdPower(
  controller: BatteryController | PlantController,
  kw: number,
  atMs: EpochMs,
  conditions: OperatingConditions,
  kwPerMs = 0,
): void {
  controller.headroom.siteImportMaxKw = NEVER;
  controller.headroom.siteExportMaxKw = NEVER;
  controller.trackLinearPower(kw, kwPerMs, atMs, conditions);
}

/** Headroom in one direction. */
interface ConnectionHeadroom {
  /** Constant limit in kW; `Infinity`: none. */
  readonly kw: number;
  /** When the limit must be computed again; `Infinity` if it does not change. */
  readonly untilMs: EpochMs;
}

/**
 * Headroom for components whose total power is at most `maxPower`: no limit while they cannot reach it; otherwise the minimum
 * of the headroom until the next computation, so that the limit is never exceeded.
 */
export function computeHeadroom(
  atMs: EpochMs,
  limitKw: number,
  others: LinearPower,
  maxPower: LinearPower,
): ConnectionHeadroom {
  const marginKw = limitKw + others.kw - maxPower.kw;
  const marginKwPerMs = others.kwPerMs - maxPower.kwPerMs;
  if (!isPositiveAhead(-marginKw, -marginKwPerMs))
    return { kw: NEVER, untilMs: limitKw === NEVER ? NEVER : zeroCrossingMs(atMs, marginKw, marginKwPerMs) };
  const nowKw = limitKw + others.kw;
  const isChanging = others.kwPerMs !== 0 || maxPower.kwPerMs !== 0;
  const horizonMs = isChanging
    ? replanningHorizonMs(Math.max(Math.abs(others.kwPerMs), Math.abs(maxPower.kwPerMs)))
    : 0;
  return {
    kw: Math.max(0, Math.min(nowKw, nowKw + others.kwPerMs * horizonMs)),
    untilMs: isChanging ? Math.min(atMs + horizonMs, zeroCrossingMs(atMs, marginKw, marginKwPerMs)) : NEVER,
  };
}

/** A power that changes linearly from the present instant on. */
export interface LinearPower {
  readonly kw: number;
  readonly kwPerMs: number;
}

/** Whether a battery is planned with constant limits: its trajectory is longer than one linear segment of the others. */
export const hasConstantLimits = ({ responseProfile, component }: BatteryController): boolean =>
  responseProfile !== null || component.spec.rampKwPerS !== null;

/** kW that a battery can charge (`sign` 1) or discharge (-1) now, without limits of the connection point. */
export const availableOneWayKw = (site: ComponentGroup, { component }: BatteryController, sign: 1 | -1): number =>
  sign > 0
    ? component.capabilityKw(true)
    : Math.min(component.capabilityKw(false), component.spec.exportMaxKw * site.outputLimitShare);

/**
 * When the capability of a battery may change: at the next change of its trajectory. Ends of ramps are skipped, because a ramp
 * that follows a limit would end at every replanning.
 */
export function nextCapabilityChangeMs({ trajectory, spec }: BatteryController["component"], atMs: EpochMs): EpochMs {
  if (spec.rampKwPerS === null) return trajectory.nextStartMs(atMs);
  for (let k = trajectory.indexAt(atMs) + 1; k < trajectory.count; k++)
    if (
      trajectory.limitedByOf(k) === LIMITING_FACTOR.socBound ||
      trajectory.limitedByOf(k - 1) === LIMITING_FACTOR.socBound
    )
      return trajectory.startMsOf(k);
  return NEVER;
}
