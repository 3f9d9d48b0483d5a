import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import { exportCapabilityKw, importCapabilityKw } from "../../device/battery/planBattery.ts";
import { DEVICE_LIMIT } from "../../device/curve/trajectory.ts";
import type { OperatingConditions } from "../components/setpoint.ts";
import { isPositiveAhead, zeroCrossingMs } from "../components/zeroCrossing.ts";
import type { BatteryController, ComponentGroup, PlantController } from "./componentGroup.ts";

// What the connection point leaves a battery or a plant of a site. All kW are magnitudes but for targets.

export const NEVER = Number.POSITIVE_INFINITY;
/** How long a limit that moves is taken for constant at most, where it has to be. */
export const REPLANNING_HORIZON_MS = 10 * MS_PER_SECOND;
export const MIN_REPLANNING_HORIZON_MS = MS_PER_SECOND / 5;
/** By how much such a limit may move until it is looked at again: a constant one lacks half of it, 0.01 kWh a record. */
export const REPLANNING_TOLERANCE_KW = 0.04;

/** How long a limit that moves so fast is taken for constant. */
const replanningHorizonMs = (kwPerMs: number): number =>
  Math.max(MIN_REPLANNING_HORIZON_MS, Math.min(REPLANNING_HORIZON_MS, REPLANNING_TOLERANCE_KW / Math.abs(kwPerMs)));

/** Lets a part follow one power without limits of the connection point. */
export function holdPower(
  lane: BatteryController | PlantController,
  kw: number,
  atMs: EpochMs,
  around: OperatingConditions,
  kwPerMs = 0,
): void {
  lane.headroom.siteImportMaxKw = NEVER;
  lane.headroom.siteExportMaxKw = NEVER;
  lane.trackLinearPower(kw, kwPerMs, atMs, around);
}

/** What is left of the connection point in one direction; kW at the present instant, magnitudes. */
export interface ConnectionHeadroom {
  /** Of which a part that is planned with a constant limit may use so much, until it is looked at again. */
  kw: number;
  /** When that is; `Infinity` while the limit stays. */
  untilMs: EpochMs;
}

export const newConnectionHeadroom = (): ConnectionHeadroom => ({ kw: 0, untilMs: 0 });

/**
 * Room for parts that come to `maxKw` at most: no limit up to where they could meet it; from there on the least of it
 * until it is looked at again, so that the limit is never exceeded.
 */
export function computeHeadroom(
  out: ConnectionHeadroom,
  atMs: EpochMs,
  limitKw: number,
  others: LinearPower,
  most: LinearPower,
): void {
  const leftKw = limitKw + others.kw - most.kw;
  const leftKwPerMs = others.kwPerMs - most.kwPerMs;
  if (!isPositiveAhead(-leftKw, -leftKwPerMs)) {
    out.kw = NEVER;
    out.untilMs = limitKw === NEVER ? NEVER : zeroCrossingMs(atMs, leftKw, leftKwPerMs);
    return;
  }
  const nowKw = limitKw + others.kw;
  const moves = others.kwPerMs !== 0 || most.kwPerMs !== 0;
  const soonMs = moves ? replanningHorizonMs(Math.max(Math.abs(others.kwPerMs), Math.abs(most.kwPerMs))) : 0;
  out.kw = Math.max(0, Math.min(nowKw, nowKw + others.kwPerMs * soonMs));
  out.untilMs = moves ? Math.min(atMs + soonMs, zeroCrossingMs(atMs, leftKw, leftKwPerMs)) : NEVER;
}

/** A power that moves straight from the present instant on. */
export interface LinearPower {
  readonly kw: number;
  readonly kwPerMs: number;
}

/** Whether a battery is planned with constant limits: one that has no law for the piece at hand alone. */
export const hasConstantLimits = ({ responseProfile: path, component: unit }: BatteryController): boolean =>
  path !== null || unit.spec.rampKwPerS !== null;

/** kW that a battery can take in (`way` 1) or give (-1) now, the connection point left aside. */
export const availableOneWayKw = (site: ComponentGroup, { component: unit }: BatteryController, way: 1 | -1): number =>
  way > 0
    ? importCapabilityKw(unit.spec, unit.storedKwh)
    : Math.min(exportCapabilityKw(unit.spec, unit.storedKwh), unit.spec.exportMaxKw * site.outputLimit);

/**
 * When a battery may come to be able to do more or less: where its law changes. The end of a ramp is none; one that
 * follows a limit would have no end of them.
 */
export function nextCapabilityChangeMs(
  { trajectory: law, spec }: BatteryController["component"],
  atMs: EpochMs,
): EpochMs {
  if (spec.rampKwPerS === null) return law.nextStartMs(atMs);
  for (let k = law.indexAt(atMs) + 1; k < law.count; k++)
    if (law.limitedBy[k] === DEVICE_LIMIT.socBound || law.limitedBy[k - 1] === DEVICE_LIMIT.socBound)
      return law.startMs[k];
  return NEVER;
}
