import type { AwardSpec } from "../vpp/instructions/instructionSpec.ts";

/** The awards of a scenario in the order in which they are registered. Nothing in it changes: all runs of them share it. */
export class AwardRegistrations {
  readonly awards: readonly AwardSpec[];
  /** When each is registered, as epoch ms. */
  readonly atMs: Float64Array;

  /** By time, those of one instant in the order of the scenario. */
  constructor(awards: readonly AwardSpec[]) {
    const inOrder = awards.every((award, k) => k === 0 || awards[k - 1].registeredMs <= award.registeredMs);
    // Sorting is stable: ties stay as they are.
    this.awards = inOrder ? awards : [...awards].sort((a, b) => a.registeredMs - b.registeredMs);
    this.atMs = Float64Array.from(this.awards, ({ registeredMs }) => registeredMs);
  }
}

/** Made once for all runs of the same awards: the candidates of a study share them. */
const cachedRegistrations = new WeakMap<readonly AwardSpec[], AwardRegistrations>();

export function awardRegistrationsOf(awards: readonly AwardSpec[]): AwardRegistrations {
  let registrations = cachedRegistrations.get(awards);
  if (registrations === undefined) {
    registrations = new AwardRegistrations(awards);
    cachedRegistrations.set(awards, registrations);
  }
  return registrations;
}
