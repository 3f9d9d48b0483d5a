import { type EpochMs, isoUtc } from "../../base/time.ts";
import type { Period } from "../read/historyWindows.ts";
import { periodOf, type Schedule } from "./awards.ts";

/** The weight that a member has from an instant on. */
interface WeightChange {
  readonly emsId: string;
  readonly atMs: EpochMs;
  readonly weight: number;
}

export interface Weights {
  /** At the start, by `ems_id`. */
  readonly first: ReadonlyMap<string, number>;
  readonly changes: readonly WeightChange[];
}

/**
 * Weights as the executed instructions show them: that of the first one from the start on, and each other one from the first
 * instruction that has it.
 *
 * @param present  the present weights, for members that no instruction shows
 */
export function weightsOf(
  schedules: readonly Schedule[],
  present: ReadonlyMap<string, number>,
  period: Period,
): Weights {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  const changes: WeightChange[] = [];
  const executed = schedules
    .map((schedule) => ({ ...periodOf(schedule), members: schedule.members }))
    .filter(({ startMs, endMs }) => startMs < period.endMs && period.startMs < endMs)
    .sort((a, b) => a.startMs - b.startMs);
  for (const { startMs, members } of executed)
    for (const { ems_id: emsId, allocation_weight: weight } of members) {
      if (!first.has(emsId)) first.set(emsId, weight);
      else if (last.get(emsId) !== weight) changes.push({ emsId, atMs: startMs, weight });
      last.set(emsId, weight);
    }
  for (const [emsId, weight] of present) if (!first.has(emsId)) first.set(emsId, weight);
  return { first, changes };
}

export const weightEvent = (vpp: string, site: string, { atMs, weight }: WeightChange) => ({
  at: isoUtc(atMs),
  kind: "set_weight",
  vpp,
  site,
  allocation_weight: weight,
});
