import type { CausePower } from "../../../client/sandboxTypes.ts";
import { roundParts } from "../../format/numbers.ts";

/** Causes with powers that sum to the figure as it is shown; none that reads 0.0 kW. */
export function shownCauses(causes: readonly CausePower[], totalKw: number): readonly CausePower[] {
  const shownKw = roundParts(
    causes.map(({ kw }) => kw),
    totalKw,
  );
  return causes.map((cause, k) => ({ ...cause, kw: shownKw[k] })).filter(({ kw }) => kw > 0);
}
