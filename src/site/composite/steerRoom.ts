import { type EpochMs, MS_PER_SECOND } from "../../base/time.ts";
import { exportCapabilityKw, importCapabilityKw } from "../../device/battery/battery.ts";
import { BINDING } from "../../device/curve/trajectory.ts";
import { crossingMs, isAbove } from "../components/crossing.ts";
import type { Surroundings } from "../components/target.ts";
import type { BatteryLane, Composition, PlantLane } from "./composition.ts";

// What the connection point leaves a battery or a plant of a site. All kW are magnitudes but for targets.

export const NEVER = Number.POSITIVE_INFINITY;
/** How long a limit that moves is taken for constant at most, where it has to be. */
export const LOOK_MS = 10 * MS_PER_SECOND;
export const LEAST_LOOK_MS = MS_PER_SECOND / 5;
/** By how much such a limit may move until it is looked at again: a constant one lacks half of it, 0.01 kWh a record. */
export const LOOK_KW = 0.04;

/** How long a limit that moves so fast is taken for constant. */
const lookMs = (kwPerMs: number): number => Math.max(LEAST_LOOK_MS, Math.min(LOOK_MS, LOOK_KW / Math.abs(kwPerMs)));

/** Lets a part follow one power without limits of the connection point. */
export function hold(
  lane: BatteryLane | PlantLane,
  kw: number,
  atMs: EpochMs,
  around: Surroundings,
  kwPerMs = 0,
): void {
  lane.room.siteImportMaxKw = NEVER;
  lane.room.siteExportMaxKw = NEVER;
  lane.pursue(kw, kwPerMs, atMs, around);
}

/** What is left of the connection point in one direction; kW at the present instant, magnitudes. */
export interface GridRoom {
  /** Of which a part that is planned with a constant limit may use so much, until it is looked at again. */
  kw: number;
  /** When that is; `Infinity` while the limit stays. */
  untilMs: EpochMs;
}

export const newGridRoom = (): GridRoom => ({ kw: 0, untilMs: 0 });

/**
 * Room for parts that come to `mostKw` at most: no limit up to where they could meet it; from there on the least of it
 * until it is looked at again, so that the limit is never exceeded.
 */
export function findRoom(out: GridRoom, atMs: EpochMs, limitKw: number, others: Line, most: Line): void {
  const leftKw = limitKw + others.kw - most.kw;
  const leftKwPerMs = others.kwPerMs - most.kwPerMs;
  if (!isAbove(-leftKw, -leftKwPerMs)) {
    out.kw = NEVER;
    out.untilMs = limitKw === NEVER ? NEVER : crossingMs(atMs, leftKw, leftKwPerMs);
    return;
  }
  const nowKw = limitKw + others.kw;
  const moves = others.kwPerMs !== 0 || most.kwPerMs !== 0;
  const soonMs = moves ? lookMs(Math.max(Math.abs(others.kwPerMs), Math.abs(most.kwPerMs))) : 0;
  out.kw = Math.max(0, Math.min(nowKw, nowKw + others.kwPerMs * soonMs));
  out.untilMs = moves ? Math.min(atMs + soonMs, crossingMs(atMs, leftKw, leftKwPerMs)) : NEVER;
}

/** A power that moves straight from the present instant on. */
export interface Line {
  readonly kw: number;
  readonly kwPerMs: number;
}

/** Whether a battery is planned with constant limits: one that has no law for the piece at hand alone. */
export const isLimited = ({ path, unit }: BatteryLane): boolean => path !== null || unit.spec.rampKwPerS !== null;

/** kW that a battery can take in (`way` 1) or give (-1) now, the connection point left aside. */
export const canKw = (site: Composition, { unit }: BatteryLane, way: 1 | -1): number =>
  way > 0
    ? importCapabilityKw(unit.spec, unit.storedKwh)
    : Math.min(exportCapabilityKw(unit.spec, unit.storedKwh), unit.spec.exportMaxKw * site.outputLimit);

/**
 * When a battery may come to be able to do more or less: where its law changes. The end of a ramp is none; one that
 * follows a limit would have no end of them.
 */
export function nextAbilityMs({ law, spec }: BatteryLane["unit"], atMs: EpochMs): EpochMs {
  if (spec.rampKwPerS === null) return law.nextStartMs(atMs);
  for (let k = law.indexAt(atMs) + 1; k < law.count; k++)
    if (law.binds[k] === BINDING.socBound || law.binds[k - 1] === BINDING.socBound) return law.startMs[k];
  return NEVER;
}
