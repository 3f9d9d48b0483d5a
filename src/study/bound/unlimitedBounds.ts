import type { BoundProblem } from "./boundProblem.ts";

/** The bound with unlimited storage capacity, in kWh: power alone limits delivery. */
export function unlimitedEnergyBoundKwh({ steps }: BoundProblem): number {
  let shortfallKwh = 0;
  for (const step of steps) {
    if (step.kind === "free") continue;
    let availableKwh = step.otherMembersMaxKwh;
    for (const kwh of step.storageMaxKwh) availableKwh += kwh;
    shortfallKwh += Math.max(0, step.requestedKwh - availableKwh);
  }
  return shortfallKwh;
}

/** The same problem with batteries whose power can deliver every request in any period in service. */
export const withUnlimitedPower = (problem: BoundProblem): BoundProblem => ({
  ...problem,
  steps: problem.steps.map((step) =>
    step.kind === "free"
      ? step
      : { ...step, storageMaxKwh: step.storageMaxKwh.map((kwh) => (kwh > 0 ? Math.max(kwh, step.requestedKwh) : 0)) },
  ),
});
