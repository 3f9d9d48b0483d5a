import { type EpochMs, isoUtc } from "../../base/time.ts";
import { overlap, type Period } from "../read/historyWindows.ts";
import { periodOf, type Schedule } from "./awards.ts";
import type { MemberHistory } from "./readHistory.ts";

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
  /** The weight of a member that is added at an instant. */
  readonly at: (emsId: string, atMs: EpochMs) => number | undefined;
}

/**
 * Weights as the executed instructions show them: that of the first one from the start on, and each other one from the first
 * instruction that has it. Members that no instruction shows have their present weights.
 */
export function weightsOf(schedules: readonly Schedule[], members: readonly MemberHistory[], period: Period): Weights {
  const executed = schedules
    .map((schedule) => ({ ...periodOf(schedule), members: schedule.members }))
    .filter((each) => overlap(each, period))
    .sort((a, b) => a.startMs - b.startMs)
    .flatMap(({ startMs, members: executing }) =>
      executing.map((each): WeightChange => ({ emsId: each.ems_id, atMs: startMs, weight: each.allocation_weight })),
    );
  const present = members.map(({ emsId, weight }): WeightChange => ({ emsId, atMs: period.endMs, weight }));
  const first = new Map<string, number>();
  for (const { emsId, weight } of [...executed, ...present]) if (!first.has(emsId)) first.set(emsId, weight);
  const last = new Map(first);
  const changes = executed.filter(({ emsId, weight }) => {
    const isOther = last.get(emsId) !== weight;
    last.set(emsId, weight);
    return isOther;
  });
  const at = (emsId: string, atMs: EpochMs) =>
    [...executed, ...present].find((each) => each.emsId === emsId && atMs <= each.atMs)?.weight;
  return { first, changes, at };
}

export const weightEvent = (vpp: string, site: string, { atMs, weight }: WeightChange) => ({
  at: isoUtc(atMs),
  kind: "set_weight",
  vpp,
  site,
  allocation_weight: weight,
});
