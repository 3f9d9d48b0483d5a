import type { BoundProblem } from "./boundProblem.ts";

/** The bound if batteries had no end of energy, full or empty as they need be at every award: power alone is left. In kWh. */
export function unlimitedEnergyBoundKwh({ steps }: BoundProblem): number {
  let shortfallKwh = 0;
  for (const step of steps) {
    if (step.kind === "free") continue;
    let mayKwh = step.otherMembersMaxKwh;
    for (const kwh of step.storageMaxKwh) mayKwh += kwh;
    shortfallKwh += Math.max(0, step.requestedKwh - mayKwh);
  }
  return shortfallKwh;
}

/** The same problem with batteries that could take or give all that is asked in whatever time they are in service. */
export const withUnlimitedPower = (problem: BoundProblem): BoundProblem => ({
  ...problem,
  steps: problem.steps.map((step) =>
    step.kind === "free"
      ? step
      : { ...step, storageMaxKwh: step.storageMaxKwh.map((kwh) => (kwh > 0 ? Math.max(kwh, step.requestedKwh) : 0)) },
  ),
});
