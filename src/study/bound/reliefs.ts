import type { BoundProblem } from "./boundProblem.ts";

/** The bound if batteries had no end of energy, full or empty as they need be at every award: power alone is left. In kWh. */
export function powerBoundKwh({ steps }: BoundProblem): number {
  let shortfallKwh = 0;
  for (const step of steps) {
    if (step.kind === "free") continue;
    let mayKwh = step.othersKwh;
    for (const kwh of step.storeKwh) mayKwh += kwh;
    shortfallKwh += Math.max(0, step.askedKwh - mayKwh);
  }
  return shortfallKwh;
}

/** The same problem with batteries that could take or give all that is asked in whatever time they are in service. */
export const withAnyPower = (problem: BoundProblem): BoundProblem => ({
  ...problem,
  steps: problem.steps.map((step) =>
    step.kind === "free"
      ? step
      : { ...step, storeKwh: step.storeKwh.map((kwh) => (kwh > 0 ? Math.max(kwh, step.askedKwh) : 0)) },
  ),
});
