import { solveLinearProgramme } from "../../base/linearSolver.ts";
import type { BoundProblem } from "./boundProblem.ts";

/** Largest problem (storages × awards) that is solved exactly, in about 2 s. A problem of 30,000 takes 7 to 20 s. */
export const EXACT_SIZE_MAX = 6000;

export const problemSize = ({ storages, steps }: BoundProblem): number => storages.length * steps.length;

/**
 * Solves a problem in this thread or in another. @returns kWh; `null` where the solver fails: the relaxed bound applies
 */
export type BoundSolver = (problem: BoundProblem) => Promise<number | null>;

/**
 * Least shortfall of a VPP over all deliveries that respect each storage's power and energy, in kWh. It is a linear
 * programme in which every award may be allocated anew, in any proportion. Solving it blocks this thread.
 */
export const exactBoundKwh: BoundSolver = async (problem) => {
  const { text, constantKwh } = programmeOf(problem);
  if (text === null) return constantKwh;
  const optimum = await solveLinearProgramme(text);
  return optimum === null ? null : Math.max(0, optimum.objective) + constantKwh;
};

/**
 * Minimise the sum of s_k subject to: s_k + Σ_i e_ik >= requested - others, Σ_i e_ik <= requested (shares add up to the
 * request), 0 <= e_ik <= power, and each storage's energy E_i after every award within its bounds. Awards that the
 * other members can cover have no s_k. Without storages there is nothing to solve.
 */
function programmeOf({ storages, steps, canOverDeliver }: BoundProblem): {
  text: string | null;
  constantKwh: number;
} {
  const objectiveTerms: string[] = [];
  const constraints: string[] = [];
  const bounds: string[] = [];
  let constantKwh = 0;
  steps.forEach((step, k) => {
    if (step.kind === "free") {
      // A free interval permits any energy within the bounds.
      storages.forEach((_, i) => bounds.push(boundsOf(storages, i, k)));
      return;
    }
    const needKwh = Math.max(0, step.requestedKwh - step.otherMembersMaxKwh);
    if (storages.length === 0) {
      constantKwh += needKwh;
      return;
    }
    const shares = storages.map((_, i) => `e${i}_${k}`);
    if (needKwh > 0) {
      objectiveTerms.push(`s${k}`);
      constraints.push(` d${k}: s${k} + ${shares.join(" + ")} >= ${needKwh}`);
    }
    if (!canOverDeliver) constraints.push(` a${k}: ${shares.join(" + ")} <= ${step.requestedKwh}`);
    storages.forEach((store, i) => {
      const perKwh = step.isCharging ? -store.chargeEfficiency : 1 / store.dischargeEfficiency;
      const sign = perKwh < 0 ? "-" : "+";
      const before = k === 0 ? "" : ` - E${i}_${k - 1}`;
      constraints.push(
        ` b${i}_${k}: E${i}_${k}${before} ${sign} ${Math.abs(perKwh)} e${i}_${k} = ${k === 0 ? store.initialKwh : 0}`,
      );
      bounds.push(` 0 <= e${i}_${k} <= ${step.storageMaxKwh[i]}`, boundsOf(storages, i, k));
    });
  });
  if (objectiveTerms.length === 0) return { text: null, constantKwh };
  return {
    text: `Minimize\n obj: ${objectiveTerms.join(" + ")}\nSubject To\n${constraints.join("\n")}\nBounds\n${bounds.join("\n")}\nEnd\n`,
    constantKwh,
  };
}

const boundsOf = (stores: BoundProblem["storages"], i: number, k: number): string =>
  ` ${stores[i].storedMinKwh} <= E${i}_${k} <= ${stores[i].storedMaxKwh}`;
