import type { AwardSpec } from "../vpp/instructions/instructionSpec.ts";

/** The awards of a scenario in order of registration. Immutable, so that all runs share it. */
export class AwardRegistrations {
  readonly awards: readonly AwardSpec[];
  /** Registration times in epoch ms, one per award. */
  readonly atMs: Float64Array;

  /** Sorts by time; awards of one instant keep the order of the scenario. */
  constructor(awards: readonly AwardSpec[]) {
    const inOrder = awards.every((award, k) => k === 0 || awards[k - 1].registeredMs <= award.registeredMs);
    this.awards = inOrder ? awards : [...awards].sort((a, b) => a.registeredMs - b.registeredMs);
    this.atMs = Float64Array.from(this.awards, ({ registeredMs }) => registeredMs);
  }
}

/** The candidates of a study run the same awards and share the sorted list. */
const cachedRegistrations = new WeakMap<readonly AwardSpec[], AwardRegistrations>();

export function awardRegistrationsOf(awards: readonly AwardSpec[]): AwardRegistrations {
  let registrations = cachedRegistrations.get(awards);
  if (registrations === undefined) {
    registrations = new AwardRegistrations(awards);
    cachedRegistrations.set(awards, registrations);
  }
  return registrations;
}
