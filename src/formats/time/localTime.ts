import { IANAZone } from "luxon";
import { type EpochMs, MS_PER_DAY, MS_PER_MINUTE } from "../../base/time.ts";
import type { LocalMs } from "./parseDate.ts";

/** Converts local times to instants: two instants where clocks go back, none where they go forward. */
export interface LocalTimeConverter {
  /** Ascending. */
  instantsOf(localMs: LocalMs): readonly EpochMs[];
}

/** A clock with a constant offset from UTC. */
export const fixedClock = (offsetMs: number): LocalTimeConverter => ({ instantsOf: (localMs) => [localMs - offsetMs] });

/** Japan Standard Time has no clock changes. */
export const JST: LocalTimeConverter = fixedClock(9 * 3_600_000);
export const UTC: LocalTimeConverter = fixedClock(0);

/** @returns `null` for an unknown zone */
export function zoneClock(timezone: string): LocalTimeConverter | null {
  if (timezone === "Asia/Tokyo") return JST;
  if (timezone === "UTC") return UTC;
  const zone = IANAZone.create(timezone);
  if (!zone.isValid) return null;
  const offsetAt = (atMs: EpochMs) => zone.offset(atMs) * MS_PER_MINUTE;
  return {
    instantsOf(localMs) {
      const before = localMs - offsetAt(localMs - MS_PER_DAY);
      const after = localMs - offsetAt(localMs + MS_PER_DAY);
      const candidates = before === after ? [before] : [Math.min(before, after), Math.max(before, after)];
      return candidates.filter((atMs) => atMs + offsetAt(atMs) === localMs);
    },
  };
}

/** Resolves the local times of a file in their order: of two instants, the first one after the row before. */
export class LocalTimeOrder {
  readonly #clock: LocalTimeConverter;
  #previousMs = Number.NEGATIVE_INFINITY;

  constructor(clock: LocalTimeConverter) {
    this.#clock = clock;
  }

  /** `null` for a local time that a clock change skips. */
  next(localMs: LocalMs): EpochMs | null {
    const instants = this.#clock.instantsOf(localMs);
    if (instants.length === 0) return null;
    const atMs = instants.find((instant) => this.#previousMs < instant) ?? instants[instants.length - 1];
    this.#previousMs = atMs;
    return atMs;
  }
}
